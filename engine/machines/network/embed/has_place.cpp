#include "engine/machines/network/embed/has_place.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

namespace berth {

namespace {

// Numbers of VMs, both ends among them.
struct VmRange {
  std::int64_t first;
  std::int64_t last;
};
// Ascending, with a gap between each two; never empty, since 0 is always possible.
using VmRanges = boost::container::small_vector<VmRange, 2>;

void add_vm_range(VmRanges& to, const VmRange& range) {
  if (!to.empty() && range.first <= to.back().last + 1) {
    to.back().last = std::max(to.back().last, range.last);
  } else {
    to.push_back(range);
  }
}

// All sums of a number of one and a number of the other, up to `most`.
VmRanges sums_of(const VmRanges& a, const VmRanges& b, std::int64_t most,
                 Budget& budget) {
  VmRanges sums;
  for (const auto& one : a) {
    for (const auto& other : b) {
      budget.charge();
      const auto first = one.first + other.first;
      if (first > most) break;
      sums.push_back({first, std::min(most, one.last + other.last)});
    }
  }
  std::sort(sums.begin(), sums.end(),
            [](const VmRange& x, const VmRange& y) { return x.first < y.first; });
  VmRanges merged;
  budget.charge_each(sums.size());
  for (const auto& range : sums) add_vm_range(merged, range);
  return merged;
}

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
      if (below(top).back().last == request_.vms) return true;
    }
    return false;
  }

 private:
  // The numbers of VMs that fit below a switch; its link upwards does not count.
  const VmRanges& below(NetworkNode node) {
    auto& known = below_[index(node - topology_.servers())];
    if (!known.empty()) return known;
    VmRanges all{{0, 0}};
    topology_.for_each_child(node, [&](NetworkNode child, NetworkLink link) {
      budget_.charge();
      if (network_.idle_below(child) == 0) return;
      all = sums_of(all, through(child, link), request_.vms, budget_);
    });
    return known = std::move(all);
  }

  VmRanges through(NetworkNode child, NetworkLink link) {
    if (!topology_.is_server(child)) return passing(below(child), link);
    return passing({{0, std::min(network_.idle(child), request_.vms)}}, link);
  }

  // min(m, N - m) VMs load a link with m of N below it.
  [[nodiscard]] VmRanges passing(const VmRanges& ranges, NetworkLink link) const {
    if (request_.bandwidth == 0) return ranges;
    const auto vms = std::int64_t{request_.vms};
    const auto most = std::min(network_.left(link) / request_.bandwidth, vms);
    VmRanges passed;
    // Bounded: the ranges of one node, which sums_of() charges.
    for (const auto& [first, last] : ranges) {
      if (first <= most) add_vm_range(passed, {first, std::min(last, most)});
      const auto from = std::max(first, vms - most);
      if (from <= last) add_vm_range(passed, {from, last});
    }
    return passed;
  }

  const Network& network_;
  const Topology& topology_;
  const ClusterRequest& request_;
  Budget& budget_;
  std::vector<VmRanges> below_;  // by switch; empty: not yet known
};

}  // namespace

bool has_place(const Network& network, const ClusterRequest& request, Budget& budget) {
  if (network.idle_slots() < request.vms) return false;
  budget.charge_each(network.topology().nodes());
  return PlaceSearch(network, request, budget).run();
}

}  // namespace berth
