#include "engine/workload/formats/zone_rules.hpp"

#include <algorithm>
#include <cstddef>

namespace berth {

LocalInstant ZoneRules::instant_of(std::int64_t local) const {
  constexpr std::int64_t kDay = 86'400;
  const auto after = [](std::int64_t at, const Change& change) {
    return at < change.at;
  };
  const auto from =
      std::upper_bound(changes_.begin(), changes_.end(), local - kDay, after);
  auto offset = from == changes_.begin() ? first_ : std::prev(from)->offset;
  // Bounded: the changes within two days.
  for (auto change = from; change != changes_.end() && change->at <= local + kDay;
       ++change) {
    const bool was_before = local - offset < change->at;
    const bool is_behind = local - change->offset >= change->at;
    if (was_before) {
      return {local - offset,
              is_behind ? LocalInstant::Kind::kTwice : LocalInstant::Kind::kOnce};
    }
    if (!is_behind) return {local - offset, LocalInstant::Kind::kMissing};
    offset = change->offset;
  }
  return {local - offset, LocalInstant::Kind::kOnce};
}

}  // namespace berth
