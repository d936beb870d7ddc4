#include "engine/machines/network/embed/has_place.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "engine/machines/network/embed/vm_ranges.hpp"

namespace berth {

namespace {

class PlaceSearch {
 public:
  PlaceSearch(const Network& network, const ClusterRequest& request, Budget& budget)
      : network_(network),
        topology_(network.topology()),
        request_(request),
        budget_(budget),
        below_(index(topology_.nodes() - topology_.servers())) {}

  [[nodiscard]] bool run() {
    for (auto top = topology_.servers(); top < topology_.nodes(); ++top) {
      budget_.charge();
      if (network_.idle_below(top) < request_.vms) continue;
      if (below(top).most() == request_.vms) return true;
    }
    return false;
  }

 private:
  // The numbers of VMs that fit below a switch; its link upwards does not count.
  const VmRanges& below(NetworkNode node) {
    auto& known = below_[index(node - topology_.servers())];
    if (known) return *known;
    VmRanges all(0);
    topology_.for_each_child(node, [&](NetworkNode child, NetworkLink link) {
      budget_.charge();
      if (network_.idle_below(child) == 0) return;
      all.add(through(child, link), request_.vms, budget_);
    });
    return known.emplace(std::move(all));
  }

  VmRanges through(NetworkNode child, NetworkLink link) {
    if (!topology_.is_server(child)) return passing(below(child), link);
    return passing(VmRanges(std::min(network_.idle(child), request_.vms)), link);
  }

  [[nodiscard]] VmRanges passing(const VmRanges& ranges, NetworkLink link) const {
    if (request_.bandwidth == 0) return ranges;
    return ranges.passing(network_.left(link) / request_.bandwidth, request_.vms);
  }

  const Network& network_;
  const Topology& topology_;
  const ClusterRequest& request_;
  Budget& budget_;
  std::vector<std::optional<VmRanges>> below_;  // by switch; nullopt: not yet known
};

}  // namespace

bool has_place(const Network& network, const ClusterRequest& request, Budget& budget) {
  if (network.idle_slots() < request.vms) return false;
  budget.charge_each(network.topology().nodes());
  return PlaceSearch(network, request, budget).run();
}

}  // namespace berth
