#include "engine/embed/network_demand.hpp"

#include <limits>

namespace berth {

NetworkDemand::NetworkDemand(const SlotsSettings& settings, std::uint64_t seed,
                             std::shared_ptr<const JobAttributes> attributes)
    : bandwidths_(settings, *make_topology(settings), seed, std::move(attributes)),
      empty_(make_topology(settings), Hose::kSubtree),
      quick_(find_embedding("first_fit")->make({})),
      exact_(find_embedding("least_reserved")->make({})) {}

bool NetworkDemand::fits_empty(JobId job, std::int32_t vms) {
  if (vms > empty_.idle_slots()) return false;
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  auto& known = known_.try_emplace(vms, Known{-1, kMost}).first->second;
  const ClusterRequest request{vms, bandwidth(job, vms)};
  if (request.bandwidth <= known.fits) return true;
  if (request.bandwidth >= known.too_much) return false;
  const bool fits = quick_->find(empty_, request) || exact_->find(empty_, request);
  (fits ? known.fits : known.too_much) = request.bandwidth;
  return fits;
}

}  // namespace berth
