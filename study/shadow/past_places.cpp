#include "study/shadow/past_places.hpp"

namespace berth::study {

void PastPlaces::hold(const IntervalSet& where, Time since) {
  for (const auto& interval : where.intervals()) {
    for (auto each = interval.first; each <= interval.last; ++each) {
      held_from_[static_cast<std::size_t>(each)] = since;
    }
  }
}

std::optional<IntervalSet> PastPlaces::take(const std::vector<NodePart>& parts,
                                            const PastSpan& span) {
  std::vector<std::int32_t> chosen;
  for (const auto& part : parts) {
    auto left = part.count;
    for (auto each = part.first; each < part.end && left > 0; ++each) {
      const auto at = static_cast<std::size_t>(each);
      if (free_from_[at] > span.start || held_from_[at] < span.end) continue;
      chosen.push_back(each);
      --left;
    }
    if (left > 0) return std::nullopt;
  }
  IntervalSet where;
  for (const auto each : chosen) {
    free_from_[static_cast<std::size_t>(each)] = span.end;
    where.insert(Interval{each, each});
  }
  return where;
}

}  // namespace berth::study
