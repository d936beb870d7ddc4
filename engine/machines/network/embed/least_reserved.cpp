#include "engine/machines/network/embed/least_reserved.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace berth {

namespace {

constexpr std::int64_t kImpossible = std::numeric_limits<std::int64_t>::max();

// Least reservations by number of VMs.
using Costs = std::vector<std::int64_t>;

Costs sum(const Costs& a, const Costs& b, std::size_t most, Budget& budget) {
  Costs made(std::min(a.size() + b.size() - 1, most + 1), kImpossible);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == kImpossible) continue;
    budget.charge_each(1 + b.size());
    for (std::size_t j = 0; j < b.size() && i + j < made.size(); ++j) {
      if (b[j] != kImpossible) made[i + j] = std::min(made[i + j], a[i] + b[j]);
    }
  }
  return made;
}

class LeastReserved final : public Embedding {
 public:
  [[nodiscard]] std::optional<Embedded> find(const Network& network,
                                             const ClusterRequest& request,
                                             Budget& budget) override {
    if (network.idle_slots() < request.vms) return std::nullopt;
    const auto& topology = network.topology();
    budget.charge_each(topology.nodes());
    tables_.assign(index(topology.nodes()), {});
    NetworkNode best = -1;
    std::int64_t least = kImpossible;
    const auto by_servers = least_by_servers(network, request);
    for (auto top = topology.servers(); top < topology.nodes() && least > 0; ++top) {
      budget.charge();
      if (network.idle_below(top) < request.vms) continue;
      const auto above = 2 * std::int64_t{levels_between(topology, top)};
      if ((by_servers + above) * request.bandwidth >= least) continue;
      const auto& table = table_of({network, request, budget}, top);
      if (table[index(request.vms)] >= least) continue;
      least = table[index(request.vms)];
      best = top;
    }
    if (best < 0) return std::nullopt;
    Embedded found{best, {}};
    assign({network, request, budget}, best, index(request.vms), found.vms);
    return found;
  }

  [[nodiscard]] bool is_complete() const override { return true; }
  [[nodiscard]] Reached reach(const Network& network, const ClusterRequest& request,
                              Budget& budget) override {
    const auto& topology = network.topology();
    budget.charge_each(topology.nodes());
    tables_.assign(index(topology.nodes()), {});
    Reached most;
    for (auto top = topology.servers(); top < topology.nodes(); ++top) {
      const auto vms = most_of(table_of({network, request, budget}, top), request.vms);
      if (vms > most.vms) most = {vms, top};
    }
    return most;
  }

 private:
  struct Search {
    const Network& network;
    const ClusterRequest& request;
    Budget& budget;
  };

  // What an embedding reserves at least on the links of servers, in the bandwidth of
  // one VM.  A server with up to half of the VMs needs that of each of these; else one
  // has as many as it can, and needs that of the others, as these do.
  [[nodiscard]] static std::int64_t least_by_servers(const Network& network,
                                                     const ClusterRequest& request) {
    auto most = network.topology().most_slots();
    // Bounded: the slots of a server, at most 64.
    while (most > 1 && !network.first_server(most)) --most;
    const std::int64_t vms = request.vms;
    return std::min(vms, 2 * std::max(vms - most, std::int64_t{0}));
  }

  // The links between switches on a route from the top to a server.  VMs that are not
  // all below one child of the top need two such links at each level; the others have
  // been found below that child.
  [[nodiscard]] static std::int32_t levels_between(const Topology& topology,
                                                   NetworkNode top) {
    // The children of a switch of another tree may be servers and switches.
    return topology.fat_tree_parameter() > 0 ? topology.level(top) - 1 : 0;
  }

  // As many VMs as a table has a possible entry for, up to `vms`.
  [[nodiscard]] static std::int32_t most_of(const Costs& table, std::int32_t vms) {
    auto count = std::min(index(vms) + 1, table.size());
    // Bounded: the VMs of one request.
    while (count > 0 && table[count - 1] == kImpossible) --count;
    return static_cast<std::int32_t>(count) - 1;
  }

  // Of the tree below a node, without a link above it.
  const Costs& table_of(const Search& in, NetworkNode node) {
    in.budget.charge();
    auto& table = tables_[index(node)];
    if (!table.empty()) return table;
    if (in.network.topology().is_server(node)) {
      const auto most = std::min(in.network.idle(node), in.request.vms);
      return table = Costs(index(most) + 1, 0);
    }
    Costs all{0};
    in.network.topology().for_each_child(
        node, [&](NetworkNode child, NetworkLink link) {
          in.budget.charge();
          if (in.network.idle_below(child) == 0) return;
          all = sum(all, through(in, child, link), index(in.request.vms), in.budget);
        });
    return tables_[index(node)] = std::move(all);
  }

  // Of the tree below a link, with what is reserved on it.
  Costs through(const Search& in, NetworkNode child, NetworkLink link) {
    Costs costs = table_of(in, child);
    const auto left = in.network.left(link);
    in.budget.charge_each(costs.size());
    for (std::size_t vms = 0; vms < costs.size(); ++vms) {
      const auto need = hose_need(static_cast<std::int64_t>(vms), in.request.vms,
                                  in.request.bandwidth);
      if (costs[vms] == kImpossible) continue;
      costs[vms] = need > left ? kImpossible : costs[vms] + need;
    }
    return costs;
  }

  void assign(const Search& in, NetworkNode node, std::size_t vms,
              std::vector<ServerVms>& to) {
    if (in.network.topology().is_server(node)) {
      to.push_back({node, static_cast<std::int32_t>(vms)});
      return;
    }
    std::vector<NetworkNode> children;
    std::vector<Costs> costs;
    in.network.topology().for_each_child(node,
                                         [&](NetworkNode child, NetworkLink link) {
                                           children.push_back(child);
                                           costs.push_back(through(in, child, link));
                                         });
    std::vector<Costs> behind(children.size() + 1, Costs{0});
    for (auto i = children.size(); i-- > 0;)
      behind[i] = sum(costs[i], behind[i + 1], vms, in.budget);
    for (std::size_t i = 0; i < children.size() && vms > 0; ++i) {
      in.budget.charge_each(1 + vms);
      const auto take = most_that_keeps(costs[i], behind[i + 1], vms, behind[i][vms]);
      if (take > 0) assign(in, children[i], take, to);
      vms -= take;
    }
  }

  static std::size_t most_that_keeps(const Costs& costs, const Costs& behind,
                                     std::size_t vms, std::int64_t least) {
    auto take = std::min(vms, costs.size() - 1);
    // Bounded: the VMs of one request, which assign() charges.
    for (; take > 0; --take) {
      const auto rest = vms - take;
      if (rest >= behind.size()) continue;
      if (costs[take] == kImpossible || behind[rest] == kImpossible) continue;
      if (costs[take] + behind[rest] == least) break;
    }
    return take;
  }

  std::vector<Costs> tables_;  // by node; empty: not yet computed
};

}  // namespace

std::unique_ptr<Embedding> make_least_reserved() {
  return std::make_unique<LeastReserved>();
}

}  // namespace berth
