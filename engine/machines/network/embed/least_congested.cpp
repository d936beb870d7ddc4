#include "engine/machines/network/embed/least_congested.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "engine/machines/network/embed/occupancy.hpp"
#include "engine/machines/network/embed/vm_ranges.hpp"

namespace berth {

namespace {

class Search {
 public:
  Search(const Network& network, const ClusterRequest& request, Budget& budget)
      : network_(network),
        topology_(network.topology()),
        request_(request),
        budget_(budget) {}

  // The least occupancy with which all VMs have a place below the switch; nullopt:
  // none is below `bound`.
  [[nodiscard]] std::optional<Occupancy> least(
      NetworkNode top, const std::optional<Occupancy>& bound) const {
    if (bound && !(Occupancy{} < *bound)) return std::nullopt;
    const auto under = bound ? std::optional(MostShare{*bound, false}) : std::nullopt;
    if (!is_possible(top, under ? &*under : nullptr)) return std::nullopt;
    const auto known = occupancies(top);
    return *std::partition_point(known.begin(), known.end(),
                                 [&](const Occupancy& each) {
                                   const MostShare limit{each, true};
                                   return !is_possible(top, &limit);
                                 });
  }

  // Places `vms` below the node so that no link is more occupied than this.
  void assign(NetworkNode node, std::int64_t vms, const Occupancy& most,
              std::vector<ServerVms>& to) const {
    if (topology_.is_server(node)) {
      to.push_back({node, static_cast<std::int32_t>(vms)});
      return;
    }
    std::vector<NetworkNode> children;
    std::vector<VmRanges> sets;
    const MostShare limit{most, true};
    topology_.for_each_child(node, [&](NetworkNode child, NetworkLink link) {
      children.push_back(child);
      sets.push_back(through(child, link, &limit));
    });
    std::vector<VmRanges> behind(children.size() + 1, VmRanges(0));
    // Bounded: the children of one switch, for each of which below() charged.
    for (auto i = children.size(); i-- > 0;) {
      behind[i] = behind[i + 1];
      behind[i].add(sets[i], request_.vms, budget_);
    }
    for (std::size_t i = 0; i < children.size() && vms > 0; ++i) {
      budget_.charge(1 + vms);
      auto take = vms;
      while (take > 0 && !(sets[i].has(take) && behind[i + 1].has(vms - take))) --take;
      if (take > 0) assign(children[i], take, most, to);
      vms -= take;
    }
  }

  // The most VMs that have a place below the switch.
  [[nodiscard]] std::int32_t most(NetworkNode top) const {
    return static_cast<std::int32_t>(below(top, nullptr).most());
  }

 private:
  // How occupied a link may become: up to this, or less than this.
  struct MostShare {
    Occupancy occupancy;
    bool may_be_reached;
  };
  [[nodiscard]] bool is_possible(NetworkNode top, const MostShare* limit) const {
    return below(top, limit).most() == request_.vms;
  }

  // The numbers of VMs that are possible below a node; `limit` null: any occupancy.
  [[nodiscard]] VmRanges below(NetworkNode node, const MostShare* limit) const {
    budget_.charge();
    if (topology_.is_server(node)) {
      return VmRanges(std::min(network_.idle(node), request_.vms));
    }
    VmRanges all(0);
    topology_.for_each_child(node, [&](NetworkNode child, NetworkLink link) {
      if (all.without_gap() == request_.vms || network_.idle_below(child) == 0) return;
      all.add(through(child, link, limit), request_.vms, budget_);
    });
    return all;
  }
  [[nodiscard]] VmRanges through(NetworkNode child, NetworkLink link,
                                 const MostShare* limit) const {
    auto set = below(child, limit);
    if (request_.bandwidth == 0) return set;
    return set.passing(bandwidth_of(link, limit) / request_.bandwidth, request_.vms);
  }
  // That the request may take of the link.
  [[nodiscard]] std::int64_t bandwidth_of(NetworkLink link,
                                          const MostShare* limit) const {
    const auto left = network_.left(link);
    if (limit == nullptr) return left;
    const auto capacity = topology_.capacity(link);
    const auto most = limit->occupancy.most_used(capacity, limit->may_be_reached);
    return std::max<std::int64_t>(0, std::min(left, most - (capacity - left)));
  }

  // All occupancies that links below the switch may come to, ascending.
  [[nodiscard]] std::vector<Occupancy> occupancies(NetworkNode top) const {
    std::vector<Occupancy> known{Occupancy{}};
    std::vector<Alike> links;
    gather(top, links);
    std::sort(links.begin(), links.end());
    for (std::size_t i = 0; i < links.size(); ++i) {
      const bool is_last = i + 1 == links.size() ||
                           std::get<0>(links[i]) != std::get<0>(links[i + 1]) ||
                           std::get<1>(links[i]) != std::get<1>(links[i + 1]);
      if (!is_last) continue;
      const auto& [capacity, left, vms] = links[i];
      budget_.charge(vms);
      for (std::int64_t m = 1; m <= vms; ++m) {
        const auto need = m * request_.bandwidth;
        if (need > left) break;
        known.push_back({capacity - left + need, capacity});
      }
    }
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    return known;
  }
  // Capacity, what is left of it, and most VMs that count: links that are alike are
  // looked at once.
  using Alike = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
  void gather(NetworkNode node, std::vector<Alike>& to) const {
    if (topology_.is_server(node) || request_.bandwidth == 0) return;
    topology_.for_each_child(node, [&](NetworkNode child, NetworkLink link) {
      const auto idle = network_.idle_below(child);
      budget_.charge();
      if (idle == 0) return;
      to.emplace_back(topology_.capacity(link), network_.left(link),
                      std::min(idle, request_.vms / 2));
      gather(child, to);
    });
  }

  const Network& network_;
  const Topology& topology_;
  const ClusterRequest& request_;
  Budget& budget_;
};

class LeastCongested final : public Embedding {
 public:
  explicit LeastCongested(GreedyScope scope) : scope_(scope) {}

  [[nodiscard]] std::optional<Embedded> find(const Network& network,
                                             const ClusterRequest& request,
                                             Budget& budget) override {
    if (network.idle_slots() < request.vms) return std::nullopt;
    const auto& topology = network.topology();
    const Search search(network, request, budget);
    std::optional<Occupancy> least;
    NetworkNode best = -1;
    for (std::int32_t level = 1; level <= topology.levels(); ++level) {
      const auto [first, last] = topology.switches(level);
      for (auto top = first; top < last; ++top) {
        budget.charge();
        if (network.idle_below(top) < request.vms) continue;
        const auto found = search.least(top, least);
        if (!found) continue;
        least = found;
        best = top;
      }
      if (best >= 0 && scope_ == GreedyScope::kLowestLevel) break;
    }
    if (best < 0) return std::nullopt;
    Embedded found{best, {}};
    search.assign(best, request.vms, *least, found.vms);
    return found;
  }
  [[nodiscard]] bool is_complete() const override { return true; }
  [[nodiscard]] Reached reach(const Network& network, const ClusterRequest& request,
                              Budget& budget) override {
    const auto& topology = network.topology();
    const Search search(network, request, budget);
    Reached most;
    for (auto top = topology.servers(); top < topology.nodes(); ++top) {
      budget.charge();
      const auto vms = search.most(top);
      if (vms > most.vms) most = {vms, top};
    }
    return most;
  }

 private:
  GreedyScope scope_;
};

}  // namespace

std::unique_ptr<Embedding> make_least_congested(GreedyScope scope) {
  return std::make_unique<LeastCongested>(scope);
}

}  // namespace berth
