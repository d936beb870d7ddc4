#pragma once
// Networks for tests, and what embeddings do on them, as text.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/error.hpp"
#include "engine/machines/network/embed/embedding.hpp"

namespace berth::test {

constexpr std::int64_t kMbit = 1000;

// Without limits.
inline Budget budget;

inline std::shared_ptr<const Topology> a_fat_tree(std::int32_t k, std::int32_t slots,
                                                  std::int64_t rate = 1000) {
  return std::make_shared<Topology>(
      Topology::fat_tree(k, slots, {rate * kMbit, rate * kMbit, rate * kMbit}));
}
inline std::shared_ptr<const Topology> a_star(std::int32_t servers, std::int32_t slots,
                                              std::int64_t rate) {
  return std::make_shared<Topology>(Topology::star(servers, slots, rate * kMbit));
}

inline std::unique_ptr<Embedding> an_embedding(std::string_view name,
                                               const EmbeddingSettings& settings = {}) {
  const auto* record = find_embedding(name);
  BERTH_ASSERT(record != nullptr);
  return record->make(settings);
}

// A network with clusters on it, and an embedding that remembers the largest request.
class Tenants {
 public:
  Tenants(std::shared_ptr<const Topology> topology, std::string_view embedding,
          Hose hose = Hose::kSubtree, const EmbeddingSettings& settings = {})
      : network_(std::move(topology), hose),
        embedding_(an_embedding(embedding, settings)) {}

  [[nodiscard]] Network& network() { return network_; }
  void seen(std::int64_t bandwidth) {
    largest_ = std::max(largest_, bandwidth * kMbit);
  }

  // Where it would go: "edge 0; 0:8 1:1 (1000)"; "rejected".
  [[nodiscard]] std::string ask(std::int32_t vms, std::int64_t bandwidth) {
    seen(bandwidth);
    const ClusterRequest request{vms, bandwidth * kMbit, largest_};
    const auto found = embedding_->find(network_, request, budget);
    return found ? text(network_.placement(request, *found)) : "rejected";
  }
  // The same, and it goes there as `name`.
  std::string put(std::string name, std::int32_t vms, std::int64_t bandwidth) {
    const auto where = ask(vms, bandwidth);
    if (where == "rejected") return where;
    const ClusterRequest request{vms, bandwidth * kMbit, largest_};
    const auto found = embedding_->find(network_, request, budget);
    const auto placement = network_.placement(request, *found);
    network_.take(request, placement);
    held_.emplace_back(std::move(name), request, placement);
    return where;
  }
  void give(std::string_view name) {
    const auto at = std::find_if(held_.begin(), held_.end(), [&](const auto& each) {
      return std::get<0>(each) == name;
    });
    BERTH_ASSERT(at != held_.end());
    network_.give(std::get<1>(*at), std::get<2>(*at));
    held_.erase(at);
  }
  // On all links together, in Mb/s.
  [[nodiscard]] std::int64_t reserved() const {
    std::int64_t sum = 0;
    for (const auto& each : held_) sum += cluster_of(std::get<2>(each)).reserved;
    return sum / kMbit;
  }

 private:
  static std::string text(const Placement& made) {
    const auto& placement = cluster_of(made);
    std::string vms;
    for (const auto& each : placement.vms) {
      vms += fmt::format(" {}:{}", each.server, each.vms);
    }
    const auto reserved = placement.reserved / kMbit;
    return fmt::format("{};{}{}", placement.name, vms,
                       reserved > 0 ? fmt::format(" ({})", reserved) : "");
  }

  Network network_;
  std::unique_ptr<Embedding> embedding_;
  std::int64_t largest_ = 0;
  std::vector<std::tuple<std::string, ClusterRequest, Placement>> held_;
};

// What is idle of one server of a star, and left of its link.
struct ServerLoad {
  std::int32_t idle;
  std::int64_t left;
};

// A star, named "node star", in the state wanted.  Where a link is in use, one VM of a
// cluster of two is on its server and the other one on a server behind all of these,
// which is then full.  A server has `slots` slots, and one more if all should be idle
// while its link is in use.
inline Tenants a_loaded_star(const std::vector<ServerLoad>& loads, std::int32_t slots,
                             std::int64_t rate, std::string_view embedding) {
  std::vector<TreeNode> nodes{{"star", -1, 0, 0}};
  std::int32_t full = 0;
  for (const auto& load : loads) {
    const bool in_use = load.left < rate;
    const bool needs_one = in_use && load.idle == slots;
    nodes.push_back({"", 0, rate * kMbit, slots + (needs_one ? 1 : 0)});
    full += in_use ? 1 : 0;
  }
  nodes.resize(nodes.size() + static_cast<std::size_t>(full),
               TreeNode{"", 0, rate * kMbit, 1});
  const auto topology = std::make_shared<Topology>(Topology::tree(nodes));
  Tenants made(topology, embedding);
  auto& network = made.network();
  const auto top = topology->servers();
  auto next_full = static_cast<NetworkNode>(loads.size());
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const auto server = static_cast<NetworkNode>(i);
    if (loads[i].left < rate) {
      const ClusterRequest two{2, (rate - loads[i].left) * kMbit};
      network.take(two, network.placement(two, {top, {{server, 1}, {next_full++, 1}}}));
    }
    const auto more = network.idle(server) - loads[i].idle;
    if (more == 0) continue;
    const ClusterRequest rest{more, 0};
    network.take(rest, network.placement(rest, {server, {{server, more}}}));
  }
  return made;
}

}  // namespace berth::test
