#include "engine/machines/exclusive/exclusive.hpp"

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

Result<Placement, Refusal> Exclusive::choose(JobId job, const Demand& demand,
                                             const Placement* where) const {
  if (!fits(job, demand)) return Refusal::kBusy;
  auto allowed = map_.idle_processors();
  if (where != nullptr) allowed = common(allowed, where->processors());
  const auto wanted = demand.processors();
  if (wanted > allowed.count()) return Refusal::kBusy;
  return Placement(pick_ == Pick::kLowest ? allowed.take_lowest(wanted)
                                          : allowed.take_highest(wanted));
}

void Exclusive::put(JobId job, const Demand& demand, const Placement* placement,
                    Affected&) {
  auto& share = new_allocation(job).share;
  if (placement != nullptr) {
    const auto& processors = placement->processors();
    BERTH_ASSERT(map_.has(processors));
    map_.remove(processors, share);
  } else if (pick_ == Pick::kLowest) {
    map_.take_lowest(demand.processors(), share);
  } else {
    map_.take_highest(demand.processors(), share);
  }
  set_idle(map_.idle());
}

void Exclusive::leave(JobId job, Affected&) {
  const auto& allocation = allocations_[job];
  map_.give(allocation.share);
  set_idle(map_.idle());
  if (!frozen_.empty()) frozen_.erase(job);
  allocations_.close(job);
}

void Exclusive::freeze(JobId job, Frozen frozen, Affected& affected) {
  BERTH_ASSERT(allocations_.has(job));
  if (frozen == Frozen::kYes) {
    frozen_.insert(job);
  } else {
    frozen_.erase(job);
  }
  affected.push_back(job);
}

double Exclusive::rate(JobId job) const {
  return !frozen_.empty() && frozen_.contains(job) ? 0.0 : 1.0;
}

const Placement& Exclusive::placement(JobId job) const {
  const auto& allocation = allocations_[job];
  if (allocation.placement == nullptr) {
    allocation.placement =
        std::make_unique<Placement>(ProcessorMap::intervals(allocation.share));
  }
  return *allocation.placement;
}

Exclusive::Allocation& Exclusive::new_allocation(JobId job) {
  auto& allocation = allocations_.reopen(job);
  allocation.placement.reset();
  return allocation;
}

}  // namespace berth
