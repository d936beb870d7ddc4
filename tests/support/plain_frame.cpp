#include "tests/support/plain_frame.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace berth::test {

namespace {

using Counts = std::map<NetworkLink, std::int64_t>;  // VMs, or needs, by link

bool fits(const Network& network, const ClusterRequest& request,
          const Topology::Route& route, const Counts& counts, std::int32_t vms) {
  return std::all_of(route.begin(), route.end(), [&](NetworkLink link) {
    const auto at = counts.find(link);
    const auto sum = at == counts.end() ? 0 : at->second;
    const auto need = network.hose() == Hose::kSubtree
                          ? hose_need(sum + vms, request.vms, request.bandwidth)
                          : sum + hose_need(vms, request.vms, request.bandwidth);
    return need <= network.left(link);
  });
}

std::int32_t fill_of(const PlainFrame& frame, const Network& network,
                     const ClusterRequest& request, const Topology::Route& route,
                     const Counts& counts, std::int32_t idle, std::int32_t left) {
  const auto top = std::min(idle, left);
  if (frame.fill == Fill::kLargest) {
    for (auto vms = top; vms > 0; --vms) {
      if (fits(network, request, route, counts, vms)) return vms;
    }
    return 0;
  }
  const bool is_whole =
      frame.fill == Fill::kWholeOrCountUp && left == request.vms && idle >= request.vms;
  if (is_whole) return request.vms;
  std::int32_t vms = 0;
  while (vms < top && fits(network, request, route, counts, vms + 1)) ++vms;
  return vms;
}

std::vector<NetworkNode> servers_in_order(const PlainFrame& frame,
                                          const Network& network,
                                          const ClusterRequest& request,
                                          NodeRange below) {
  std::vector<std::pair<std::int64_t, NetworkNode>> sorted;
  for (auto server = below.first; server < below.last; ++server) {
    if (network.idle(server) == 0) continue;
    sorted.emplace_back(frame.order ? frame.order(network, request, server) : 0,
                        server);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<NetworkNode> servers;
  for (const auto& each : sorted) servers.push_back(each.second);
  return servers;
}

std::optional<Embedded> try_switch(const PlainFrame& frame, const Network& network,
                                   const ClusterRequest& request, NetworkNode top) {
  const auto below = network.topology().below(top);
  std::int64_t idle = 0;
  for (auto server = below.first; server < below.last; ++server) {
    idle += network.idle(server);
  }
  if (idle < request.vms) return std::nullopt;
  Embedded found{top, {}};
  Counts counts;
  auto left = request.vms;
  for (const auto server : servers_in_order(frame, network, request, below)) {
    if (left == 0) break;
    const auto route = network.topology().route(top, server);
    const auto vms =
        fill_of(frame, network, request, route, counts, network.idle(server), left);
    if (vms == 0) continue;
    const auto amount = network.hose() == Hose::kSubtree
                            ? std::int64_t{vms}
                            : hose_need(vms, request.vms, request.bandwidth);
    for (const auto link : route) counts[link] += amount;
    found.vms.push_back({server, vms});
    left -= vms;
  }
  return left == 0 ? std::optional(found) : std::nullopt;
}

}  // namespace

std::optional<Embedded> PlainFrame::find(const Network& network,
                                         const ClusterRequest& request) const {
  const auto& topology = network.topology();
  if (whole_server_first) {
    for (NetworkNode server = 0; server < topology.servers(); ++server) {
      if (network.idle(server) >= request.vms) {
        return Embedded{server, {{server, request.vms}}};
      }
    }
  }
  auto level = scope == Scope::kCoreOnly ? topology.levels() : 1;
  for (; level <= topology.levels(); ++level) {
    const auto [first, last] = topology.switches(level);
    for (auto top = first; top < last; ++top) {
      if (auto found = try_switch(*this, network, request, top)) return found;
    }
  }
  return std::nullopt;
}

PlainFrame plain_frame(std::string_view embedding) {
  PlainFrame frame;
  frame.whole_server_first = embedding == "oktopus";
  if (embedding == "adaba") {
    frame.order = [](const Network& network, const ClusterRequest& request,
                     NetworkNode server) {
      const std::int64_t idle = network.idle(server);
      const std::int64_t slots = network.topology().most_slots();
      return request.largest * idle * idle - 2 * slots * request.bandwidth * idle;
    };
  }
  if (embedding == "best_fit" || embedding == "best_fit_anywhere") {
    frame.order = [](const Network& network, const ClusterRequest&,
                     NetworkNode server) { return std::int64_t{network.idle(server)}; };
  }
  if (embedding == "best_fit_anywhere") {
    frame.fill = Fill::kWholeOrCountUp;
    frame.scope = Scope::kCoreOnly;
  }
  if (embedding == "oktopus_counting") frame.fill = Fill::kCountUp;
  return frame;
}

}  // namespace berth::test
