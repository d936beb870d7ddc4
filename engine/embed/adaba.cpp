#include "engine/embed/adaba.hpp"

#include <algorithm>
#include <vector>

namespace berth {

void rank_by_adaba(const Network& network, const ClusterRequest& request,
                   std::span<std::int32_t> rank) {
  const std::int64_t slots = network.topology().most_slots();
  const auto largest = std::max<std::int64_t>(1, request.largest);
  std::vector<std::pair<std::int64_t, std::size_t>> weights;
  for (std::size_t idle = 1; idle < rank.size(); ++idle) {
    const auto a = static_cast<std::int64_t>(idle);
    weights.emplace_back(largest * a * a - 2 * slots * request.bandwidth * a, idle);
  }
  std::sort(weights.begin(), weights.end());
  std::int32_t next = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (i > 0 && weights[i].first != weights[i - 1].first) ++next;
    rank[weights[i].second] = next;
  }
}

}  // namespace berth
