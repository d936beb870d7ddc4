#pragma once
// Which processors a host has.

#include <cstdint>
#include <vector>

#include "engine/base/interval_set.hpp"
#include "engine/hosts/kinds.hpp"

namespace berth {

// The hosts of a machine, each as the range of its processors: of a pool every
// processor.
[[nodiscard]] inline std::vector<Interval> host_ranges(std::int32_t processors,
                                                       const Resources& resources) {
  std::vector<Interval> hosts;
  if (resources.hosts.empty()) {
    hosts.reserve(static_cast<std::size_t>(processors));
    for (std::int32_t i = 0; i < processors; ++i) hosts.push_back({i, i});
    return hosts;
  }
  std::int32_t first = 0;
  for (const auto& group : resources.hosts) {
    for (std::int32_t i = 0; i < group.count; ++i, first += group.processors) {
      hosts.push_back({first, first + group.processors - 1});
    }
  }
  return hosts;
}

}  // namespace berth
