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
  if (refuses(needs)) return Refusal::kBusy;
  auto allowed = map_.idle_processors();
  if (within != nullptr) allowed = common(allowed, *within);
  if (needs.processors > allowed.count()) return Refusal::kBusy;
  return Placement(pick_ == Pick::kLowest ? allowed.take_lowest(needs.processors)
                                          : allowed.take_highest(needs.processors));
}

void Exclusive::take(JobId job, const Needs&, const Placement& placement, Touched&) {
  const auto& processors = std::get<IntervalSet>(placement);
  BERTH_ASSERT(map_.has(processors));
  map_.remove(processors, new_seat(job).share);
  set_idle(map_.idle());
}

std::optional<Refusal> Exclusive::refuses(const Needs& needs) const {
  if (needs.processors > idle()) return Refusal::kBusy;
  return std::nullopt;
}

void Exclusive::seat(JobId job, const Needs& needs, Touched&) {
  auto& share = new_seat(job).share;
  if (pick_ == Pick::kLowest) {
    map_.take_lowest(needs.processors, share);
  } else {
    map_.take_highest(needs.processors, share);
  }
  set_idle(map_.idle());
}

void Exclusive::leave(JobId job, Touched&) {
  const auto& seat = seats_[job];
  map_.give(seat.share);
  set_idle(map_.idle());
  if (!frozen_.empty()) frozen_.erase(job);
  seats_.close(job);
}

void Exclusive::freeze(JobId job, Frozen frozen, Touched& touched) {
  BERTH_ASSERT(seats_.has(job));
  if (frozen == Frozen::kYes) {
    frozen_.insert(job);
  } else {
    frozen_.erase(job);
  }
  touched.push_back(job);
}

double Exclusive::rate(JobId job) const {
  return !frozen_.empty() && frozen_.contains(job) ? 0.0 : 1.0;
}

const Placement& Exclusive::placement(JobId job) const {
  const auto& seat = seats_[job];
  if (seat.placement == nullptr) {
    seat.placement = std::make_unique<Placement>(ProcessorMap::intervals(seat.share));
  }
  return *seat.placement;
}

Exclusive::Seat& Exclusive::new_seat(JobId job) {
  auto& seat = seats_.reopen(job);
  seat.placement.reset();
  return seat;
}

}  // namespace berth
