#include "engine/reserve/plan.hpp"

#include <utility>
#include <vector>

namespace berth {

namespace {

// The first release of a row with which `available` and those before it are enough;
// adds them up to it.  REQUIRES: those of the row together are enough.
std::size_t place_of_enough(const std::vector<Release>& row, std::int64_t size,
                            std::int64_t& available) {
  // Four at a time, as long as they are not enough.
  std::size_t i = 0;
  // Bounded: the jobs of one row, without a call.
  for (; i + 4 <= row.size(); i += 4) {
    const auto freed =
        std::int64_t{row[i].size} + row[i + 1].size + row[i + 2].size + row[i + 3].size;
    if (available + freed >= size) break;
    available += freed;
  }
  // Bounded: the jobs of one row, without a call.
  while ((available += row[i].size) < size) ++i;
  return i;
}

std::optional<Shadow> walk(std::int64_t size, std::int64_t available,
                           const Releases& releases, ShadowTies ties) {
  const auto* row = releases.rows().data();
  const auto* const end = row + releases.rows().size();
  // Bounded: each row of running jobs once, without a call.
  for (; row != end && available + row->size < size; ++row) available += row->size;
  if (row == end) return std::nullopt;
  Releases::Iterator at(row, place_of_enough(row->all, size, available));
  const Time start = at->at;
  if (ties == ShadowTies::kInclusive) {
    // Bounded: each running job once, without a call.
    while (++at != releases.end() && at->at == start) available += at->size;
  }
  return Shadow{start, available - size};
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
