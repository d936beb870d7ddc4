#include "engine/machines/network/hose_flow.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace berth::audit {

namespace {

// What is offered and what is wanted at a node, from below its link upwards.
class FlowTree {
 public:
  // REQUIRES: no node has two links upwards, and they make no circle.
  void join(const ReservedLink& link) {
    const auto lower = vertex(link.lower);
    const auto upper = vertex(link.upper);
    nodes_[lower].upper = upper;
    nodes_[lower].capacity = link.reserved;
    ++nodes_[upper].open;
  }
  void add(NetworkNode node, std::int64_t offered, std::int64_t wanted) {
    auto& at = nodes_[vertex(node)];
    at.offered += offered;
    at.wanted += wanted;
  }

  // A unit that could go on upwards while another comes down instead would meet it at
  // this node: so what both sides below a node can exchange there is exchanged there,
  // and one of them has nothing left for the links above.
  [[nodiscard]] std::int64_t largest() {
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].open == 0) ready.push_back(i);
    }
    std::int64_t flow = 0;
    while (!ready.empty()) {
      const auto& node = nodes_[ready.back()];
      ready.pop_back();
      const auto here = std::min(node.offered, node.wanted);
      flow += here;
      if (node.upper == kNone) continue;
      auto& upper = nodes_[node.upper];
      upper.offered += std::min(node.offered - here, node.capacity);
      upper.wanted += std::min(node.wanted - here, node.capacity);
      if (--upper.open == 0) ready.push_back(node.upper);
    }
    return flow;
  }

 private:
  static constexpr auto kNone = ~std::size_t{0};
  struct FlowNode {
    std::size_t upper = kNone;
    std::int64_t capacity = 0;  // of the link upwards, each way
    std::int64_t offered = 0;
    std::int64_t wanted = 0;
    std::size_t open = 0;  // nodes below that are not yet added up
  };

  std::size_t vertex(NetworkNode node) {
    const auto [at, is_new] = numbers_.try_emplace(node, nodes_.size());
    if (is_new) nodes_.emplace_back();
    return at->second;
  }

  std::vector<FlowNode> nodes_;
  std::unordered_map<NetworkNode, std::size_t> numbers_;  // looked up only
};

}  // namespace

std::int64_t largest_flow(std::span<const ReservedLink> links,
                          std::span<const ServerVms> vms,
                          std::span<const std::int32_t> part, std::int64_t bandwidth) {
  FlowTree tree;
  for (const auto& link : links) tree.join(link);
  for (std::size_t i = 0; i < vms.size(); ++i) {
    tree.add(vms[i].server, part[i] * bandwidth, (vms[i].vms - part[i]) * bandwidth);
  }
  return tree.largest();
}

}  // namespace berth::audit
