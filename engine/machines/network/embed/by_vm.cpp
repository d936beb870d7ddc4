#include "engine/machines/network/embed/by_vm.hpp"

#include <algorithm>
#include <vector>

#include "engine/machines/network/embed/occupancy.hpp"

namespace berth {

namespace {

class ByVm final : public Embedding {
 public:
  [[nodiscard]] std::optional<Embedded> find(const Network& network,
                                             const ClusterRequest& request,
                                             Budget& budget) override {
    const auto& topology = network.topology();
    for (auto top = topology.servers(); top < topology.nodes(); ++top) {
      budget.charge();
      if (network.idle_below(top) < request.vms) continue;
      if (walk({network, request, budget}, top) < request.vms) continue;
      Embedded found{top, {}};
      for (auto server = topology.below(top).first; server < topology.below(top).last;
           ++server) {
        const auto vms = vms_[index(server)];
        if (vms > 0) found.vms.push_back({server, vms});
      }
      return found;
    }
    return std::nullopt;
  }

  [[nodiscard]] Reached reach(const Network& network, const ClusterRequest& request,
                              Budget& budget) override {
    const auto& topology = network.topology();
    Reached most;
    for (auto top = topology.servers(); top < topology.nodes(); ++top) {
      const auto vms = walk({network, request, budget}, top);
      if (vms > most.vms) most = {vms, top};
    }
    return most;
  }

 private:
  struct Question {
    const Network& network;
    const ClusterRequest& request;
    Budget& budget;
  };

  // Places VMs below the switch, into vms_; how many.
  std::int32_t walk(const Question& at, NetworkNode top) {
    const auto& [network, request, budget] = at;
    budget.charge_each(network.topology().nodes());
    counts_.assign(index(network.topology().links()), 0);
    vms_.assign(index(network.topology().servers()), 0);
    for (std::int32_t placed = 0; placed < request.vms; ++placed) {
      const auto best = least_occupied(at, top);
      if (!best) return placed;
      ++vms_[index(*best)];
      network.topology().for_each_link(
          top, *best, [&](NetworkLink link) { ++counts_[index(link)]; });
    }
    return request.vms;
  }

  [[nodiscard]] std::optional<NetworkNode> least_occupied(const Question& at,
                                                          NetworkNode top) const {
    const auto& [network, request, budget] = at;
    std::optional<NetworkNode> best;
    Occupancy least;
    const auto below = network.topology().below(top);
    for (auto server = below.first; server < below.last; ++server) {
      budget.charge();
      if (network.idle(server) <= vms_[index(server)]) continue;
      const auto occupancy = with_one_more(network, request, top, server);
      if (!occupancy || (best && !(*occupancy < least))) continue;
      best = server;
      least = *occupancy;
    }
    return best;
  }

  // The largest occupancy of the route; nullopt: one of its links cannot carry it.
  [[nodiscard]] std::optional<Occupancy> with_one_more(const Network& network,
                                                       const ClusterRequest& request,
                                                       NetworkNode top,
                                                       NetworkNode server) const {
    Occupancy largest;
    bool fits = true;
    network.topology().for_each_link(top, server, [&](NetworkLink link) {
      const auto need =
          hose_need(counts_[index(link)] + 1, request.vms, request.bandwidth);
      fits = fits && need <= network.left(link);
      const auto capacity = network.topology().capacity(link);
      largest =
          std::max(largest, Occupancy{capacity - network.left(link) + need, capacity});
    });
    return fits ? std::optional(largest) : std::nullopt;
  }

  std::vector<std::int32_t> counts_;  // VMs by link
  std::vector<std::int32_t> vms_;     // by server
};

}  // namespace

std::unique_ptr<Embedding> make_by_vm() { return std::make_unique<ByVm>(); }

}  // namespace berth
