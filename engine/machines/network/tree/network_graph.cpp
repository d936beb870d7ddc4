#include "engine/machines/network/tree/network_graph.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>

namespace berth {

namespace {

using Adjacency =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                          boost::no_property,
                          boost::property<boost::edge_index_t, NetworkLink>>;
using Vertex = boost::graph_traits<Adjacency>::vertex_descriptor;

Vertex vertex(NetworkNode node) { return static_cast<Vertex>(node); }

// The three layers of links, each numbered from the lower switch.
void add_fat_tree(Adjacency& graph, std::int32_t k) {
  const auto h = k / 2;
  const auto servers = k * h * h;
  const auto edge = [&](std::int32_t e) { return vertex(servers + e); };
  const auto aggregation = [&](std::int32_t a) { return vertex(servers + k * h + a); };
  const auto core = [&](std::int32_t c) { return vertex(servers + 2 * k * h + c); };
  NetworkLink number = 0;
  for (std::int32_t s = 0; s < servers; ++s) {
    boost::add_edge(vertex(s), edge(s / h), {number++}, graph);
  }
  for (std::int32_t e = 0; e < k * h; ++e) {
    for (std::int32_t i = 0; i < h; ++i) {
      boost::add_edge(edge(e), aggregation(e / h * h + i), {number++}, graph);
    }
  }
  for (std::int32_t a = 0; a < k * h; ++a) {
    for (std::int32_t m = 0; m < h; ++m) {
      boost::add_edge(aggregation(a), core(a % h * h + m), {number++}, graph);
    }
  }
}

}  // namespace

struct NetworkGraph::Graph {
  Adjacency links;
};

NetworkGraph::NetworkGraph(const Topology& topology)
    : topology_(&topology),
      graph_(std::make_unique<Graph>(
          Graph{Adjacency(static_cast<std::size_t>(topology.nodes()))})) {
  if (topology.fat_tree_parameter() > 0) {
    add_fat_tree(graph_->links, topology.fat_tree_parameter());
    return;
  }
  for (auto node = topology.servers(); node < topology.nodes(); ++node) {
    topology.for_each_child(node, [&](NetworkNode child, NetworkLink link) {
      boost::add_edge(vertex(node), vertex(child), {link}, graph_->links);
    });
  }
}

NetworkGraph::~NetworkGraph() = default;
NetworkGraph::NetworkGraph(NetworkGraph&&) noexcept = default;
NetworkGraph& NetworkGraph::operator=(NetworkGraph&&) noexcept = default;

std::vector<std::int32_t> NetworkGraph::distances(NetworkNode from) const {
  std::vector<std::int32_t> found(boost::num_vertices(graph_->links), 0);
  boost::breadth_first_search(
      graph_->links, vertex(from),
      boost::visitor(boost::make_bfs_visitor(
          boost::record_distances(found.data(), boost::on_tree_edge()))));
  return found;
}

std::optional<NetworkLink> NetworkGraph::link(NetworkNode a, NetworkNode b) const {
  const auto [edge, exists] = boost::edge(vertex(a), vertex(b), graph_->links);
  if (!exists) return std::nullopt;
  return boost::get(boost::edge_index, graph_->links, edge);
}

std::optional<Topology::Route> NetworkGraph::way_up(NetworkNode server,
                                                    NetworkNode top) const {
  if (server == top) return Topology::Route{};
  if (const auto last = link(server, top)) return Topology::Route{*last};
  const auto level = topology_->level(server);
  const auto [first, end] = boost::out_edges(vertex(server), graph_->links);
  for (auto at = first; at != end; ++at) {
    const auto next = static_cast<NetworkNode>(boost::target(*at, graph_->links));
    if (topology_->level(next) <= level ||
        topology_->level(next) >= topology_->level(top)) {
      continue;
    }
    if (auto rest = way_up(next, top)) {
      rest->insert(rest->begin(), boost::get(boost::edge_index, graph_->links, *at));
      return rest;
    }
  }
  return std::nullopt;
}

}  // namespace berth
