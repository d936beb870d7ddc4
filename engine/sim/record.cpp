#include "engine/sim/record.hpp"

#include "engine/hosts/sharing_model.hpp"

namespace berth::sim {

PlacementOf::operator const Placement*() const {
  return hosts_ != nullptr ? &hosts_->placement(job_) : known_;
}

}  // namespace berth::sim
