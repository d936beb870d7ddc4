#include "engine/machines/network/embed/adaba.hpp"

#include <algorithm>

namespace berth {

void rank_by_adaba(const Network& network, const ClusterRequest& request,
                   std::span<std::int32_t> rank) {
  // The weight of `a` falls with the distance of `a` from the peak, which is
  // peak / largest.
  const auto largest = std::max<std::int64_t>(1, request.largest);
  const auto peak = network.topology().most_slots() * request.bandwidth;
  const auto last = static_cast<std::int64_t>(rank.size()) - 1;
  auto below = std::min(peak / largest, last);
  auto above = below + 1;
  // Bounded: the slots of a server, at most 64.
  for (std::int32_t next = 0; below >= 1 || above <= last; ++next) {
    const auto nearer = 2 * peak - (below + above) * largest;  // > 0: above
    const bool takes_below = above > last || (below >= 1 && nearer <= 0);
    const bool takes_above = below < 1 || (above <= last && nearer >= 0);
    if (takes_below) rank[static_cast<std::size_t>(below--)] = next;
    if (takes_above) rank[static_cast<std::size_t>(above++)] = next;
  }
}

}  // namespace berth
