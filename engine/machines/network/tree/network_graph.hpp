#pragma once
// A network as a graph of servers and switches, independent of the arithmetic of
// Topology: it checks routes, and gives the auditor its own.

#include <memory>
#include <optional>
#include <vector>

#include "engine/machines/network/tree/topology.hpp"

namespace berth {

class NetworkGraph {
 public:
  // Of a fat tree from its definition, of other networks from their children.
  // The topology outlives the graph.
  explicit NetworkGraph(const Topology& topology);
  ~NetworkGraph();
  NetworkGraph(NetworkGraph&&) noexcept;
  NetworkGraph& operator=(NetworkGraph&&) noexcept;

  // Links from a node to every other one, by breadth-first search.
  [[nodiscard]] std::vector<std::int32_t> distances(NetworkNode from) const;
  // The link between two nodes; nullopt: they are not neighbours.
  [[nodiscard]] std::optional<NetworkLink> link(NetworkNode a, NetworkNode b) const;
  // The links on the way from a server upwards to `top`, found by trying every higher
  // neighbour; nullopt: there is none.
  [[nodiscard]] std::optional<Topology::Route> way_up(NetworkNode server,
                                                      NetworkNode top) const;

 private:
  struct Graph;
  const Topology* topology_;
  std::unique_ptr<Graph> graph_;
};

}  // namespace berth
