#include "engine/embed/frame.hpp"

#include <algorithm>
#include <cmath>

#include "engine/base/error.hpp"

namespace berth {

namespace {

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

class Frame final : public Embedding {
 public:
  explicit Frame(FrameSettings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] std::optional<Embedded> find(const Network& network,
                                             const ClusterRequest& request) override {
    if (network.idle_slots() < request.vms) return std::nullopt;
    if (settings_.whole_server_first) {
      if (auto found = whole_server(network, request)) return found;
    }
    begin(network, request);
    const auto levels = network.topology().levels();
    const auto lowest = settings_.scope == Scope::kCoreOnly ? levels : 1;
    for (auto level = lowest; level <= levels; ++level) {
      const auto [first, last] = network.topology().switches(level);
      for (auto top = first; top < last; ++top) {
        if (network.idle_below(top) < request.vms) continue;
        if (walk(network, request, top) == request.vms) return Embedded{top, chosen_};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::int32_t most(const Network& network,
                                  const ClusterRequest& request) override {
    begin(network, request);
    std::int32_t most = 0;
    const auto levels = network.topology().levels();
    const auto lowest = settings_.scope == Scope::kCoreOnly ? levels : 1;
    for (auto top = network.topology().switches(lowest).first;
         top < network.topology().nodes(); ++top) {
      most = std::max(most, walk(network, request, top));
    }
    return most;
  }

 private:
  static std::optional<Embedded> whole_server(const Network& network,
                                              const ClusterRequest& request) {
    const auto& topology = network.topology();
    if (request.vms > topology.most_slots()) return std::nullopt;
    if (topology.fat_tree_parameter() == 0) {
      return whole_server_of(network, request, {0, topology.servers()});
    }
    // All servers are below edge switches, in the order of both.
    const auto [first, last] = topology.switches(1);
    for (auto edge = first; edge < last; ++edge) {
      if (network.idle_below(edge) < request.vms) continue;
      if (auto found = whole_server_of(network, request, topology.below(edge))) {
        return found;
      }
    }
    return std::nullopt;
  }

  static std::optional<Embedded> whole_server_of(const Network& network,
                                                 const ClusterRequest& request,
                                                 NodeRange among) {
    for (auto server = among.first; server < among.last; ++server) {
      if (network.idle(server) >= request.vms) {
        return Embedded{server, {{server, request.vms}}};
      }
    }
    return std::nullopt;
  }

  void begin(const Network& network, const ClusterRequest& request) {
    sums_.resize(index(network.topology().links()));
    sorted_ = {0, 0};
    rank_.assign(index(network.topology().most_slots()) + 1, 0);
    if (settings_.slot_order) settings_.slot_order(network, request, rank_);
  }

  // Servers below with idle slots, in order.
  void sort(const Network& network, const ClusterRequest& request, NodeRange below) {
    if (sorted_.first == below.first && sorted_.last == below.last) return;
    sorted_ = below;
    order_.clear();
    for (auto server = below.first; server < below.last; ++server) {
      if (network.idle(server) > 0) order_.push_back(server);
    }
    if (settings_.server_weights) {
      weights_.resize(order_.size());
      settings_.server_weights(request, order_, weights_);
      weighted_.clear();
      for (std::size_t i = 0; i < order_.size(); ++i) {
        weighted_.emplace_back(-weights_[i], order_[i]);
      }
      std::sort(weighted_.begin(), weighted_.end());
      std::transform(weighted_.begin(), weighted_.end(), order_.begin(),
                     [](const auto& each) { return each.second; });
    } else if (settings_.slot_order) {
      std::sort(order_.begin(), order_.end(), [&](NetworkNode a, NetworkNode b) {
        const auto rank_a = rank_[index(network.idle(a))];
        const auto rank_b = rank_[index(network.idle(b))];
        return rank_a != rank_b ? rank_a < rank_b : a < b;
      });
    }
  }

  // Places VMs below the switch, into chosen_; how many.
  std::int32_t walk(const Network& network, const ClusterRequest& request,
                    NetworkNode top) {
    sort(network, request, network.topology().below(top));
    chosen_.clear();
    std::int32_t left = request.vms;
    for (const auto server : order_) {
      const auto count = fill(network, request, {top, server}, left);
      if (count == 0) continue;
      add(network, request, {top, server}, count);
      chosen_.push_back({server, count});
      left -= count;
      if (left == 0) break;
    }
    for (const auto link : touched_) sums_[index(link)] = 0;
    touched_.clear();
    return request.vms - left;
  }

  struct Way {
    NetworkNode top;
    NetworkNode server;
  };

  std::int32_t fill(const Network& network, const ClusterRequest& request,
                    const Way& way, std::int32_t left) {
    const auto idle = network.idle(way.server);
    const auto most = std::min(idle, left);
    const auto route = network.topology().route(way.top, way.server);
    if (settings_.fill == Fill::kLargest) {
      auto count = most;
      while (count > 0 && !fits(network, request, route, count)) --count;
      return count;
    }
    const bool is_whole = settings_.fill == Fill::kWholeOrCountUp &&
                          left == request.vms && idle >= request.vms;
    if (is_whole) return request.vms;
    std::int32_t count = 0;
    while (count < most && fits(network, request, route, count + 1)) ++count;
    return count;
  }

  [[nodiscard]] bool fits(const Network& network, const ClusterRequest& request,
                          const Topology::Route& route, std::int32_t count) const {
    return std::all_of(route.begin(), route.end(), [&](NetworkLink link) {
      const auto sum = sums_[index(link)];
      const auto need = network.hose() == Hose::kSubtree
                            ? hose_need(sum + count, request.vms, request.bandwidth)
                            : sum + hose_need(count, request.vms, request.bandwidth);
      return need <= network.left(link);
    });
  }

  void add(const Network& network, const ClusterRequest& request, const Way& way,
           std::int32_t count) {
    const auto amount = network.hose() == Hose::kSubtree
                            ? std::int64_t{count}
                            : hose_need(count, request.vms, request.bandwidth);
    network.topology().for_each_link(way.top, way.server, [&](NetworkLink link) {
      if (sums_[index(link)] == 0) touched_.push_back(link);
      sums_[index(link)] += amount;
    });
  }

  FrameSettings settings_;
  std::vector<std::int32_t> rank_;  // by idle slots
  // The servers of `sorted_`, in order.
  NodeRange sorted_{};
  std::vector<NetworkNode> order_;
  std::vector<double> weights_;
  std::vector<std::pair<double, NetworkNode>> weighted_;
  // Of the walk at hand: VMs, or needs, by link; all 0 between walks.
  std::vector<std::int64_t> sums_;
  std::vector<NetworkLink> touched_;
  std::vector<ServerVms> chosen_;
};

}  // namespace

std::unique_ptr<Embedding> make_frame(FrameSettings settings) {
  return std::make_unique<Frame>(std::move(settings));
}

}  // namespace berth
