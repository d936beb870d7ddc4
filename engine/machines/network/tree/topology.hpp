#pragma once
// The servers, switches and links of a network, and which servers lie below a switch.
//
// Every node has a number: servers come first, then the switches by (level, number).
// A server has level 0, a switch above servers alone level 1.  Below every switch lies
// a tree: its children are servers and switches of lower levels, and one route leads
// from it to each server below it.  Servers are numbered so that those below a switch
// are consecutive.
//
// Fat tree     Of parameter k (even), h = k/2: edge switch e = pod * h + i serves the
//              servers e * h + x, aggregation switch a = pod * h + i, core switch
//              c = i * h + m is linked to the aggregation switches of index i of every
//              pod.  All routes are arithmetic; nothing is stored for a link or server.
// Star         One switch, called "edge 0", above all servers.
// Tree         Any rooted tree.  Servers, and switches of one level, are numbered as
//              the tree is walked depth first, children in the order given.
//
// Rates are in kbit/s.  Source: Al-Fares et al. 2008; docs/model.md#network.

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth {

using NetworkNode = std::int32_t;
using NetworkLink = std::int32_t;

// The layers of links, by the level of their lower ends: servers, switches of level 1,
// switches above.
inline constexpr std::size_t kLinkLayers = 3;

// Of a node, a link, a server or a number of VMs.  REQUIRES: number >= 0.
[[nodiscard]] constexpr std::size_t index(std::int32_t number) {
  return static_cast<std::size_t>(number);
}

// Consecutive numbers.
struct NodeRange {
  std::int32_t first;
  std::int32_t last;  // behind the last
  [[nodiscard]] std::int32_t size() const { return last - first; }
};

// Of the links from servers, from edge switches and from aggregation switches upwards.
struct FatTreeRates {
  std::int64_t server;
  std::int64_t edge;
  std::int64_t core;
};

// A node of a rooted tree as given: its parent comes as a number in the list.
struct TreeNode {
  std::string name;
  std::int32_t parent;    // -1: the root
  std::int64_t capacity;  // of the link to the parent
  std::int32_t slots;     // of a server; 0: a switch
};

class Topology {
 public:
  static constexpr std::int32_t kMostLevels = 64;
  using Route = boost::container::small_vector<NetworkLink, 4>;

  // REQUIRES: k even, 2..64; slots 1..64; rates >= 1.
  [[nodiscard]] static Topology fat_tree(std::int32_t k, std::int32_t slots,
                                         const FatTreeRates& rates);
  // REQUIRES: servers >= 1, slots 1..64, rate >= 1.
  [[nodiscard]] static Topology star(std::int32_t servers, std::int32_t slots,
                                     std::int64_t rate);
  // REQUIRES: one root, no cycle, servers are the leaves, at most kMostLevels levels.
  [[nodiscard]] static Topology tree(const std::vector<TreeNode>& nodes);

  [[nodiscard]] std::int32_t servers() const { return servers_; }
  [[nodiscard]] std::int32_t nodes() const { return nodes_; }
  [[nodiscard]] std::int32_t links() const { return links_; }
  // k; 0: it is not a fat tree.
  [[nodiscard]] std::int32_t fat_tree_parameter() const { return 2 * half_; }
  [[nodiscard]] bool is_server(NetworkNode node) const { return node < servers_; }
  // Whether all routes below the node are links of servers alone.
  [[nodiscard]] bool is_lowest(NetworkNode node) const { return node < level_ends_[1]; }

  [[nodiscard]] std::int32_t slots(NetworkNode server) const {
    return first_slot_.empty()
               ? most_slots_
               : first_slot_[index(server) + 1] - first_slot_[index(server)];
  }
  // Slots of the server that has most.
  [[nodiscard]] std::int32_t most_slots() const { return most_slots_; }
  // Slot i of a server is processor first_processor(server) + i.
  [[nodiscard]] std::int32_t first_processor(NetworkNode server) const {
    return first_slot_.empty() ? server * most_slots_ : first_slot_[index(server)];
  }
  [[nodiscard]] std::int32_t processors() const { return first_processor(servers_); }

  // The level of the highest switches.
  [[nodiscard]] std::int32_t levels() const {
    return static_cast<std::int32_t>(level_ends_.size()) - 1;
  }
  // REQUIRES: 1 <= level <= levels().
  [[nodiscard]] NodeRange switches(std::int32_t level) const {
    return {level_ends_[index(level) - 1], level_ends_[index(level)]};
  }
  [[nodiscard]] std::int32_t level(NetworkNode node) const;
  // The servers below a switch; of a server itself alone.
  [[nodiscard]] NodeRange below(NetworkNode node) const {
    if (node < servers_) return {node, node + 1};
    return half_ > 0 ? below_in_fat_tree(node) : below_[index(node - servers_)];
  }
  [[nodiscard]] bool is_below(NetworkNode server, NetworkNode node) const {
    const auto range = below(node);
    return server >= range.first && server < range.last;
  }

  // Calls back with (child, link to it), children by number.
  template <class Call>
  void for_each_child(NetworkNode node, const Call& call) const {
    if (half_ == 0) {
      for (const NetworkNode child : children_[index(node - servers_)])
        call(child, child);
      return;
    }
    const auto first = first_child(node);
    for (std::int32_t i = 0; i < first.count; ++i) {
      call(first.child + i * first.step, first.link + i * first.link_step);
    }
  }
  // Calls back with the links of the route from a node above it down to a server, from
  // the server upwards.  REQUIRES: is_below(server, top).
  template <class Call>
  void for_each_link(NetworkNode top, NetworkNode server, const Call& call) const {
    if (top == server) return;
    call(server);
    for_each_link_above(top, server, call);
  }
  // The same without the link of the server itself, which has the server's number.
  // REQUIRES: top is a switch.
  template <class Call>
  void for_each_link_above(NetworkNode top, NetworkNode server,
                           const Call& call) const {
    const auto edges = level_ends_[1];
    if (top < edges) return;
    if (half_ == 0) {
      for (auto node = parents_[index(server)]; node != top;
           node = parents_[index(node)])
        call(node);
      return;
    }
    const auto edge = server / half_;
    const auto index_of_top =
        top < level_ends_[2] ? (top - edges) % half_ : (top - level_ends_[2]) / half_;
    call(servers_ + edge * half_ + index_of_top);
    if (top < level_ends_[2]) return;
    const auto aggregation = edge / half_ * half_ + index_of_top;
    call(2 * servers_ + aggregation * half_ + (top - level_ends_[2]) % half_);
  }
  [[nodiscard]] Route route(NetworkNode top, NetworkNode server) const {
    Route links;
    for_each_link(top, server, [&](NetworkLink link) { links.push_back(link); });
    return links;
  }

  [[nodiscard]] std::int64_t capacity(NetworkLink link) const {
    if (half_ == 0) return capacities_[index(link)];
    return link < servers_       ? rates_.server
           : link < 2 * servers_ ? rates_.edge
                                 : rates_.core;
  }

  [[nodiscard]] std::size_t layer(NetworkLink link) const {
    const auto layer = half_ > 0 ? link / servers_ : std::min(level(link), 2);
    return index(layer);
  }

  // "server 3", "edge 0", "aggregation 4", "core 2"; of a switch of a tree "node NAME".
  // Valid while the topology lives.
  [[nodiscard]] std::string_view name(NetworkNode node) const {
    return names_[index(node)];
  }

  // The lower and the upper end of a link.
  [[nodiscard]] std::pair<NetworkNode, NetworkNode> ends(NetworkLink link) const;

  // Groups are numbered as their switches: a set of servers below one or more switches,
  // of which idle slots are counted.
  [[nodiscard]] std::int32_t groups() const;
  [[nodiscard]] std::int32_t group(NetworkNode top) const {
    const auto number = top - servers_;
    if (half_ == 0) return number;
    const auto edges = level_ends_[1] - servers_;
    if (top < level_ends_[1]) return number;
    return top < level_ends_[2] ? edges + (number - edges) / half_ : edges + 2 * half_;
  }
  // The switches above the servers of a group.
  [[nodiscard]] NodeRange switches_of(std::int32_t group) const {
    if (half_ == 0) return {servers_ + group, servers_ + group + 1};
    const auto edges = 2 * half_ * half_;
    if (group < edges) return {servers_ + group, servers_ + group + 1};
    if (group == edges + 2 * half_) return {level_ends_[2], level_ends_[3]};
    const auto first = level_ends_[1] + (group - edges) * half_;
    return {first, first + half_};
  }
  // The servers from this one up to the number returned belong to the same groups.
  [[nodiscard]] NetworkNode end_beside(NetworkNode server) const {
    return half_ == 0 ? ends_beside_[index(server)] : (server / half_ + 1) * half_;
  }
  // Calls back with every group that the server belongs to.
  template <class Call>
  void for_each_group(NetworkNode server, const Call& call) const {
    if (half_ == 0) {
      for (auto node = parents_[index(server)]; node >= 0;
           node = parents_[index(node)]) {
        call(node - servers_);
      }
      return;
    }
    const auto edge = server / half_;
    const auto edges = 2 * half_ * half_;
    call(edge);
    call(edges + edge / half_);
    call(edges + 2 * half_);
  }

 private:
  struct Children {
    NetworkNode child;
    std::int32_t step;
    NetworkLink link;
    std::int32_t link_step;
    std::int32_t count;
  };

  [[nodiscard]] NodeRange below_in_fat_tree(NetworkNode node) const {
    const auto number = node - servers_;
    const auto edges = 2 * half_ * half_;
    if (number < edges) return {number * half_, (number + 1) * half_};
    if (number >= 2 * edges) return {0, servers_};
    const auto pod = (number - edges) / half_;
    return {pod * half_ * half_, (pod + 1) * half_ * half_};
  }
  [[nodiscard]] Children first_child(NetworkNode node) const;
  void name_nodes(const std::vector<std::string_view>& kinds);

  std::int32_t servers_ = 0;
  std::int32_t nodes_ = 0;
  std::int32_t links_ = 0;
  std::int32_t most_slots_ = 0;
  std::int32_t half_ = 0;  // k/2; 0: not a fat tree
  FatTreeRates rates_{};
  std::vector<std::int32_t> level_ends_;  // numbers of nodes up to each level
  std::vector<std::string> names_;
  // Of stars and trees; a link has the number of its lower end.
  std::vector<std::int32_t> first_slot_;
  std::vector<std::int64_t> capacities_;
  std::vector<NetworkNode> parents_;                // -1: the root
  std::vector<NetworkNode> ends_beside_;            // by server
  std::vector<NodeRange> below_;                    // by switch
  std::vector<std::vector<NetworkNode>> children_;  // by switch
};

}  // namespace berth
