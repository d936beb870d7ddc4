#include "engine/hosts/exclusive.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth {

namespace {

// The numbers that are in both sets.
IntervalSet common(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet both;
  for (const auto& left : a.intervals()) {
    for (const auto& right : b.intervals()) {
      const auto first = std::max(left.first, right.first);
      const auto last = std::min(left.last, right.last);
      if (first <= last) both.insert(Interval{first, last});
    }
  }
  return both;
}

}  // namespace

Result<Placement, Refusal> Exclusive::choose(const Needs& needs,
                                             const IntervalSet* within) const {
  if (needs.processors > idle_.count()) return Refusal::kBusy;
  IntervalSet allowed = within != nullptr ? common(idle_, *within) : idle_;
  if (needs.processors > allowed.count()) return Refusal::kBusy;
  return Placement(pick_ == Pick::kLowest ? allowed.take_lowest(needs.processors)
                                          : allowed.take_highest(needs.processors));
}

void Exclusive::take(JobId job, const Needs&, const Placement& placement,
                     Touched& touched) {
  idle_.erase(std::get<IntervalSet>(placement));
  const bool is_new = seats_.emplace(index(job), Seat{placement, false}).second;
  BERTH_ASSERT(is_new);
  touched.push_back(job);
}

void Exclusive::leave(JobId job, Touched& touched) {
  const auto seat = seats_.find(index(job));
  BERTH_ASSERT(seat != seats_.end());
  idle_.insert(std::get<IntervalSet>(seat->second.placement));
  seats_.erase(seat);
  touched.push_back(job);
}

void Exclusive::freeze(JobId job, Frozen frozen, Touched& touched) {
  seats_.at(index(job)).frozen = frozen == Frozen::kYes;
  touched.push_back(job);
}

double Exclusive::rate(JobId job) const {
  return seats_.at(index(job)).frozen ? 0.0 : 1.0;
}

const Placement& Exclusive::placement(JobId job) const {
  return seats_.at(index(job)).placement;
}

}  // namespace berth
