#include "engine/hosts/sharing_model.hpp"

namespace berth {

bool SharingModel::fits_without(JobId, const Demand& demand,
                                std::span<const JobId> gone) const {
  auto idle = idle_;
  for (const JobId each : gone) {
    const auto& held = placement(each);
    if (tier_of(held) != Tier::kBackground) idle += processors_of(held).count();
  }
  return demand.processors() <= idle;
}

}  // namespace berth
