#include "engine/machines/network/tree/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/base/error.hpp"

namespace berth {

namespace {

// A tree as it is walked depth first.
class TreeWalk {
 public:
  explicit TreeWalk(const std::vector<TreeNode>& nodes)
      : nodes_(nodes), children_(nodes.size()), heights_(nodes.size(), 0) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].parent < 0) root_ = i;
      if (nodes[i].parent >= 0) {
        children_[static_cast<std::size_t>(nodes[i].parent)].push_back(i);
      }
    }
    order_.reserve(nodes.size());
    std::vector<std::size_t> open{root_};
    while (!open.empty()) {
      const auto at = open.back();
      open.pop_back();
      order_.push_back(at);
      open.insert(open.end(), children_[at].rbegin(), children_[at].rend());
    }
    for (std::size_t i = order_.size(); i-- > 0;) {
      const auto at = order_[i];
      if (at == root_) continue;
      auto& above = heights_[static_cast<std::size_t>(nodes_[at].parent)];
      above = std::max(above, heights_[at] + 1);
    }
  }

  // Servers first, then switches by height, each in the order of the walk.
  [[nodiscard]] std::vector<std::size_t> numbered() const {
    auto order = order_;
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return heights_[a] < heights_[b];
    });
    return order;
  }
  [[nodiscard]] std::int32_t height(std::size_t at) const { return heights_[at]; }
  [[nodiscard]] const std::vector<std::size_t>& children(std::size_t at) const {
    return children_[at];
  }

 private:
  const std::vector<TreeNode>& nodes_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::int32_t> heights_;
  std::vector<std::size_t> order_;
  std::size_t root_ = 0;
};

}  // namespace

Topology Topology::fat_tree(std::int32_t k, std::int32_t slots,
                            const FatTreeRates& rates) {
  BERTH_ASSERT(k >= 2 && k <= 64 && k % 2 == 0 && slots >= 1 && slots <= 64);
  Topology made;
  const auto half = k / 2;
  const auto edges = k * half;
  made.half_ = half;
  made.servers_ = edges * half;
  made.links_ = 3 * made.servers_;
  made.most_slots_ = slots;
  made.rates_ = rates;
  made.level_ends_ = {made.servers_, made.servers_ + edges, made.servers_ + 2 * edges,
                      made.servers_ + 2 * edges + half * half};
  made.nodes_ = made.level_ends_.back();
  made.name_nodes({"server", "edge", "aggregation", "core"});
  return made;
}

Topology Topology::star(std::int32_t servers, std::int32_t slots, std::int64_t rate) {
  std::vector<TreeNode> nodes{{"edge 0", -1, 0, 0}};
  nodes.resize(static_cast<std::size_t>(servers) + 1, TreeNode{"", 0, rate, slots});
  auto made = tree(nodes);
  made.names_.back() = "edge 0";
  return made;
}

Topology Topology::tree(const std::vector<TreeNode>& nodes) {
  const TreeWalk walk(nodes);
  const auto order = walk.numbered();
  std::vector<NetworkNode> number(nodes.size());
  Topology made;
  made.nodes_ = static_cast<std::int32_t>(nodes.size());
  made.links_ = made.nodes_ - 1;
  made.first_slot_.push_back(0);
  made.parents_.resize(nodes.size());
  made.capacities_.resize(nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto at = order[i];
    const auto& node = nodes[at];
    number[at] = static_cast<NetworkNode>(i);
    made.capacities_[i] = node.capacity;
    const auto height = index(walk.height(at));
    if (made.level_ends_.size() <= height) made.level_ends_.resize(height + 1);
    made.level_ends_[height] = static_cast<NetworkNode>(i) + 1;
    made.names_.push_back(height == 0 ? fmt::format("server {}", i)
                                      : fmt::format("node {}", node.name));
    if (height > 0) continue;
    made.first_slot_.push_back(made.first_slot_.back() + node.slots);
    made.most_slots_ = std::max(made.most_slots_, node.slots);
  }
  made.servers_ = made.level_ends_.front();
  const auto switches = index(made.nodes_ - made.servers_);
  made.below_.resize(switches, NodeRange{made.servers_, 0});
  made.children_.resize(switches);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto parent = nodes[order[i]].parent;
    made.parents_[i] = parent < 0 ? -1 : number[index(parent)];
    if (i < index(made.servers_)) continue;
    auto& children = made.children_[i - index(made.servers_)];
    for (const auto child : walk.children(order[i])) children.push_back(number[child]);
  }
  made.ends_beside_.resize(index(made.servers_), made.servers_);
  for (auto server = made.servers_ - 2; server >= 0; --server) {
    const bool is_beside =
        made.parents_[index(server)] == made.parents_[index(server + 1)];
    made.ends_beside_[index(server)] =
        is_beside ? made.ends_beside_[index(server + 1)] : server + 1;
  }
  for (NetworkNode server = 0; server < made.servers_; ++server) {
    made.for_each_group(server, [&](std::int32_t group) {
      auto& below = made.below_[index(group)];
      below.first = std::min(below.first, server);
      below.last = std::max(below.last, server + 1);
    });
  }
  return made;
}

std::int32_t Topology::level(NetworkNode node) const {
  const auto at = std::upper_bound(level_ends_.begin(), level_ends_.end(), node);
  return static_cast<std::int32_t>(at - level_ends_.begin());
}

std::pair<NetworkNode, NetworkNode> Topology::ends(NetworkLink link) const {
  if (half_ == 0) return {link, parents_[index(link)]};
  if (link < servers_) return {link, servers_ + link / half_};
  const auto number = (link - servers_) % servers_;  // in its layer
  const auto lower = number / half_;
  const auto port = number % half_;
  if (link < 2 * servers_) {
    return {servers_ + lower, level_ends_[1] + lower / half_ * half_ + port};
  }
  return {level_ends_[1] + lower, level_ends_[2] + lower % half_ * half_ + port};
}

std::int32_t Topology::groups() const {
  if (half_ == 0) return nodes_ - servers_;
  return 2 * half_ * half_ + 2 * half_ + 1;
}

Topology::Children Topology::first_child(NetworkNode node) const {
  const auto edges = level_ends_[1];
  const auto aggregations = level_ends_[2];
  if (node < edges) {
    const auto first = (node - servers_) * half_;
    return {first, 1, first, 1, half_};
  }
  if (node < aggregations) {
    const auto number = node - edges;
    const auto first_edge = number / half_ * half_;
    return {servers_ + first_edge, 1, servers_ + first_edge * half_ + number % half_,
            half_, half_};
  }
  const auto number = node - aggregations;
  const auto i = number / half_;
  return {edges + i, half_, 2 * servers_ + i * half_ + number % half_, half_ * half_,
          2 * half_};
}

void Topology::name_nodes(const std::vector<std::string_view>& kinds) {
  names_.reserve(index(nodes_));
  std::int32_t first = 0;
  for (std::size_t level = 0; level < kinds.size(); ++level) {
    for (auto node = first; node < level_ends_[level]; ++node) {
      names_.push_back(fmt::format("{} {}", kinds[level], node - first));
    }
    first = level_ends_[level];
  }
}

}  // namespace berth
