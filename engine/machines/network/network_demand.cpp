#include "engine/machines/network/network_demand.hpp"

#include <limits>

#include "engine/machines/network/embed/has_place.hpp"

namespace berth {

NetworkDemand::NetworkDemand(const SlotsSettings& settings, std::uint64_t seed,
                             std::shared_ptr<const JobAttributes> attributes)
    : topology_(make_topology(settings)),
      bandwidths_(settings, *topology_, seed, std::move(attributes)),
      empty_(topology_, Hose::kSubtree),
      hose_(topology_, settings.hose),
      quick_(find_embedding("first_fit")->make({})) {}

bool NetworkDemand::fits_empty(JobId job, std::int32_t vms) {
  if (vms > empty_.idle_slots()) return false;
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  auto& known = known_.try_emplace(vms, Known{-1, kMost}).first->second;
  const ClusterRequest request{vms, bandwidth(job, vms)};
  if (request.bandwidth <= known.fits) return true;
  if (request.bandwidth >= known.too_much) return false;
  const bool fits =
      quick_->find(empty_, request, *budget_) || has_place(empty_, request, *budget_);
  (fits ? known.fits : known.too_much) = request.bandwidth;
  return fits;
}

std::vector<LinkShare> NetworkDemand::reserved(JobId job, std::int32_t vms,
                                               const VirtualCluster& where) const {
  return hose_.shares_of_links({vms, bandwidth(job, vms)}, {where.node, where.vms});
}

}  // namespace berth
