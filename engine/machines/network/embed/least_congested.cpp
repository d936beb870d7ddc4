#include "engine/machines/network/embed/least_congested.hpp"

#include <algorithm>
#include <bit>
#include <boost/dynamic_bitset.hpp>
#include <vector>

#include "engine/machines/network/embed/occupancy.hpp"

namespace berth {

namespace {

// A set of numbers of VMs up to N: one word while N is below 64, any length otherwise.
class OneWord {
 public:
  OneWord(std::size_t most, std::size_t up_to) : all_(ones(most)), bits_(ones(up_to)) {}

  [[nodiscard]] bool has(std::size_t vms) const { return (bits_ >> vms & 1U) != 0; }
  [[nodiscard]] bool has_all() const { return bits_ == all_; }
  void remove(std::size_t vms) { bits_ &= ~(std::uint64_t{1} << vms); }
  template <class Call>
  void for_each(const Call& call) const {
    // Bounded: the bits of one word.
    for (auto rest = bits_; rest != 0; rest &= rest - 1) {
      call(static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
  void add(const OneWord& other) {
    std::uint64_t sum = 0;
    other.for_each([&](std::size_t vms) { sum |= bits_ << vms; });
    bits_ = sum & all_;
  }

 private:
  static std::uint64_t ones(std::size_t last) {
    return last >= 63 ? ~std::uint64_t{0} : (std::uint64_t{2} << last) - 1;
  }
  std::uint64_t all_;
  std::uint64_t bits_;
};

class ManyWords {
 public:
  ManyWords(std::size_t most, std::size_t up_to) : bits_(most + 1) {
    bits_.set(0, std::min(most, up_to) + 1, true);
  }

  [[nodiscard]] bool has(std::size_t vms) const { return bits_.test(vms); }
  [[nodiscard]] bool has_all() const { return bits_.all(); }
  void remove(std::size_t vms) { bits_.reset(vms); }
  template <class Call>
  void for_each(const Call& call) const {
    // Bounded: the VMs of one request.
    for (auto at = bits_.find_first(); at != Bits::npos; at = bits_.find_next(at)) {
      call(at);
    }
  }
  void add(const ManyWords& other) {
    const bool is_larger = bits_.count() < other.bits_.count();
    const auto& shifted = is_larger ? other.bits_ : bits_;
    Bits sum(bits_.size());
    (is_larger ? *this : other).for_each([&](std::size_t vms) {
      sum |= shifted << vms;
    });
    bits_ = std::move(sum);
  }

 private:
  using Bits = boost::dynamic_bitset<std::uint64_t>;
  Bits bits_;
};

// The search below switches with one kind of set.
template <class Set>
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
  void assign(NetworkNode node, std::size_t vms, const Occupancy& most,
              std::vector<ServerVms>& to) const {
    if (topology_.is_server(node)) {
      to.push_back({node, static_cast<std::int32_t>(vms)});
      return;
    }
    std::vector<NetworkNode> children;
    std::vector<Set> sets;
    const MostShare limit{most, true};
    topology_.for_each_child(node, [&](NetworkNode child, NetworkLink link) {
      children.push_back(child);
      sets.push_back(through(child, link, &limit));
    });
    std::vector<Set> behind(children.size() + 1, none());
    // Bounded: the children of one switch, for each of which below() charged.
    for (auto i = children.size(); i-- > 0;) {
      behind[i] = behind[i + 1];
      behind[i].add(sets[i]);
    }
    for (std::size_t i = 0; i < children.size() && vms > 0; ++i) {
      budget_.charge_each(1 + vms);
      auto take = vms;
      while (take > 0 && !(sets[i].has(take) && behind[i + 1].has(vms - take))) --take;
      if (take > 0) assign(children[i], take, most, to);
      vms -= take;
    }
  }

  // The most VMs that have a place below the switch.
  [[nodiscard]] std::int32_t most(NetworkNode top) const {
    auto vms = index(request_.vms);
    budget_.charge_each(vms);
    const auto possible = below(top, nullptr);
    while (!possible.has(vms)) --vms;
    return static_cast<std::int32_t>(vms);
  }

 private:
  // How occupied a link may become: up to this, or less than this.
  struct MostShare {
    Occupancy occupancy;
    bool may_be_reached;
  };
  [[nodiscard]] Set none() const { return {index(request_.vms), 0}; }
  [[nodiscard]] bool is_possible(NetworkNode top, const MostShare* limit) const {
    return below(top, limit).has(index(request_.vms));
  }

  // The numbers of VMs that are possible below a node; `limit` null: any occupancy.
  [[nodiscard]] Set below(NetworkNode node, const MostShare* limit) const {
    budget_.charge_each(1 + request_.vms / 64);
    if (topology_.is_server(node)) {
      return {index(request_.vms), index(std::min(network_.idle(node), request_.vms))};
    }
    auto all = none();
    topology_.for_each_child(node, [&](NetworkNode child, NetworkLink link) {
      if (all.has_all() || network_.idle_below(child) == 0) return;
      all.add(through(child, link, limit));
    });
    return all;
  }
  [[nodiscard]] Set through(NetworkNode child, NetworkLink link,
                            const MostShare* limit) const {
    auto set = below(child, limit);
    const auto kept = set;
    kept.for_each([&](std::size_t vms) {
      if (!passes(link, static_cast<std::int64_t>(vms), limit)) set.remove(vms);
    });
    return set;
  }
  [[nodiscard]] bool passes(NetworkLink link, std::int64_t vms,
                            const MostShare* limit) const {
    const auto need = hose_need(vms, request_.vms, request_.bandwidth);
    if (need == 0) return true;
    if (need > network_.left(link)) return false;
    if (limit == nullptr) return true;
    const auto made = occupancy(link, need);
    return limit->may_be_reached ? !(limit->occupancy < made) : made < limit->occupancy;
  }
  [[nodiscard]] Occupancy occupancy(NetworkLink link, std::int64_t need) const {
    const auto capacity = topology_.capacity(link);
    return {capacity - network_.left(link) + need, capacity};
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
    return request.vms < 64 ? find_with<OneWord>(network, request, budget)
                            : find_with<ManyWords>(network, request, budget);
  }
  [[nodiscard]] bool is_complete() const override { return true; }
  [[nodiscard]] Reached reach(const Network& network, const ClusterRequest& request,
                              Budget& budget) override {
    return request.vms < 64 ? reach_with<OneWord>(network, request, budget)
                            : reach_with<ManyWords>(network, request, budget);
  }

 private:
  template <class Set>
  std::optional<Embedded> find_with(const Network& network,
                                    const ClusterRequest& request,
                                    Budget& budget) const {
    const auto& topology = network.topology();
    const Search<Set> search(network, request, budget);
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
    search.assign(best, index(request.vms), *least, found.vms);
    return found;
  }
  template <class Set>
  static Reached reach_with(const Network& network, const ClusterRequest& request,
                            Budget& budget) {
    const auto& topology = network.topology();
    const Search<Set> search(network, request, budget);
    Reached most;
    for (auto top = topology.servers(); top < topology.nodes(); ++top) {
      budget.charge();
      const auto vms = search.most(top);
      if (vms > most.vms) most = {vms, top};
    }
    return most;
  }

  GreedyScope scope_;
};

}  // namespace

std::unique_ptr<Embedding> make_least_congested(GreedyScope scope) {
  return std::make_unique<LeastCongested>(scope);
}

}  // namespace berth
