#include "engine/audit/laws/hose_flow.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/edmonds_karp_max_flow.hpp>
#include <map>

namespace berth::audit {

namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Graph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, std::int64_t,
                    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                    boost::property<boost::edge_reverse_t,
                                                    Traits::edge_descriptor>>>>;

class Flow {
 public:
  // Both ways, `capacity` each; or `back` the other way.
  void join(std::size_t a, std::size_t b, std::int64_t capacity, std::int64_t back) {
    const auto there = boost::add_edge(a, b, graph_).first;
    const auto again = boost::add_edge(b, a, graph_).first;
    boost::put(boost::edge_capacity, graph_, there, capacity);
    boost::put(boost::edge_capacity, graph_, again, back);
    boost::put(boost::edge_reverse, graph_, there, again);
    boost::put(boost::edge_reverse, graph_, again, there);
  }
  std::size_t vertex(NetworkNode node) {
    return vertices_.try_emplace(node, vertices_.size() + 2).first->second;
  }
  std::int64_t largest() { return boost::edmonds_karp_max_flow(graph_, 0, 1); }

 private:
  Graph graph_{2};  // the source and the sink
  std::map<NetworkNode, std::size_t> vertices_;
};

}  // namespace

std::int64_t largest_flow(std::span<const ReservedLink> links,
                          std::span<const ServerVms> vms,
                          std::span<const std::int32_t> part, std::int64_t bandwidth) {
  Flow flow;
  for (const auto& [lower, upper, reserved] : links) {
    flow.join(flow.vertex(lower), flow.vertex(upper), reserved, reserved);
  }
  for (std::size_t i = 0; i < vms.size(); ++i) {
    const auto server = flow.vertex(vms[i].server);
    const auto rest = vms[i].vms - part[i];
    if (part[i] > 0) flow.join(0, server, part[i] * bandwidth, 0);
    if (rest > 0) flow.join(server, 1, rest * bandwidth, 0);
  }
  return flow.largest();
}

}  // namespace berth::audit
