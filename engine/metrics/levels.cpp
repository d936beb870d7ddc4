#include "engine/metrics/levels.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace berth {

namespace {

template <class Do>
void for_each_number(const IntervalSet& set, const Do& act) {
  for (const auto& part : set.intervals()) {
    for (auto number = part.first; number <= part.last; ++number) {
      act(static_cast<std::size_t>(number));
    }
  }
}

}  // namespace

void HeldProcessors::take(JobId job, const Placement& placement) {
  auto& held = jobs_.open(job);
  if (!placement.is_shared()) {
    used_ += held.count = placement.processors().count();
    return;
  }
  held.processors = placement.processors();
  const auto last = held.processors.intervals().back().last;
  if (std::cmp_less_equal(jobs_on_.size(), last)) {
    jobs_on_.resize(static_cast<std::size_t>(last) + 1);
  }
  for_each_number(held.processors, [&](std::size_t number) {
    if (jobs_on_[number]++ == 0) ++used_;
  });
}

void HeldProcessors::release(JobId job) {
  const auto& held = jobs_[job];
  used_ -= held.count;
  for_each_number(held.processors, [&](std::size_t number) {
    if (--jobs_on_[number] == 0) --used_;
  });
  jobs_.close(job);
}

void LevelIntegrals::advance(Time to, const Levels& levels) {
  const Duration span = time_.come_to(to);
  if (span == 0) return;
  totals_.span += span;
  totals_.capacity += Int128{levels.capacity} * span;
  totals_.held += Int128{levels.held} * span;
  totals_.queue += Int128{levels.queue} * span;
  totals_.lost += Int128{levels.lost} * span;
  totals_.work += levels.speed * static_cast<double>(span);
  totals_.longest_queue = std::max(totals_.longest_queue, levels.queue);
}

Duration MeasuredTime::inside(Time from, Time to) const {
  const Time begin = std::max(from, window_.begin);
  const Time end = window_.end ? std::min(to, *window_.end) : to;
  return std::max(Duration{0}, end - begin);
}

}  // namespace berth
