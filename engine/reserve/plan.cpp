#include "engine/reserve/plan.hpp"

#include <span>
#include <utility>

namespace berth {

namespace {

std::optional<Shadow> walk(std::int64_t size, std::int64_t available,
                           std::span<const Release> releases, ShadowTies ties) {
  // Four at a time, as long as they are not enough.
  std::size_t i = 0;
  // Bounded: each running job once, without a call.
  for (; i + 4 <= releases.size(); i += 4) {
    const auto freed = std::int64_t{releases[i].size} + releases[i + 1].size +
                       releases[i + 2].size + releases[i + 3].size;
    if (available + freed >= size) break;
    available += freed;
  }
  // Bounded: each running job once, without a call.
  for (; i < releases.size(); ++i) {
    available += releases[i].size;
    if (available < size) continue;
    const Time start = releases[i].at;
    if (ties == ShadowTies::kInclusive) {
      // Bounded: each running job once, without a call.
      while (++i < releases.size() && releases[i].at == start)
        available += releases[i].size;
    }
    return Shadow{start, available - size};
  }
  return std::nullopt;
}

}  // namespace

void Plan::give_up(const Placement& placement) {
  auto spare_ones = room->processors();
  // Bounded: the processors of one placement.
  for (const auto& part : placement.processors().intervals()) {
    // Bounded: the processors of one placement.
    for (auto number = part.first; number <= part.last; ++number) {
      if (spare_ones.contains(number)) spare_ones.erase(Interval{number, number});
    }
  }
  room = Placement(std::move(spare_ones));
}

std::optional<Shadow> shadow_of(const Demand& demand, std::int64_t idle,
                                const RunningSet& running, Time now, ShadowTies ties) {
  const std::int64_t size = demand.processors();
  if (size <= idle) return Shadow{now, idle - size};
  return walk(size, idle, running.releases(now), ties);
}

}  // namespace berth
