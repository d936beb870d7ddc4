#include "bench/vector_profile.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth::bench {

VectorProfile::VectorProfile(Time now, std::int64_t capacity)
    : capacity_(capacity), steps_{{now, capacity}} {
  BERTH_ASSERT(capacity > 0);
}

std::int64_t VectorProfile::free_at(Time t) const { return steps_[step_at(t)].free; }

std::int64_t VectorProfile::least(Time from, Time to) const {
  std::int64_t least = capacity_;
  for (auto step = step_at(from); step < steps_.size() && steps_[step].from < to;
       ++step) {
    least = std::min(least, steps_[step].free);
  }
  return least;
}

std::optional<Time> VectorProfile::earliest(std::int64_t amount, Duration length,
                                            Time not_before) const {
  BERTH_ASSERT(amount > 0 && length > 0);
  std::optional<Time> begin;  // of the run of steps with room that ends here
  for (auto step = step_at(not_before); step < steps_.size(); ++step) {
    if (begin && steps_[step].from - *begin >= length) return begin;
    if (steps_[step].free < amount) {
      begin.reset();
    } else if (!begin) {
      begin = std::max(not_before, steps_[step].from);
    }
  }
  return begin;
}

void VectorProfile::claim(std::int64_t amount, Time from, Time to) {
  add(-amount, from, to);
}

void VectorProfile::release(std::int64_t amount, Time from, Time to) {
  add(amount, from, to);
}

void VectorProfile::advance(Time now) {
  const auto step = step_at(now);
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(step));
  steps_.front().from = now;
}

std::size_t VectorProfile::step_at(Time t) const {
  BERTH_ASSERT(t >= start());
  const auto at =
      std::upper_bound(steps_.begin(), steps_.end(), t,
                       [](Time time, const Step& s) { return time < s.from; });
  return static_cast<std::size_t>(at - steps_.begin()) - 1;
}

// The step that begins at `t`, made if there is none.
std::size_t VectorProfile::split(Time t) {
  const auto step = step_at(t);
  if (steps_[step].from == t) return step;
  const Step second{t, steps_[step].free};
  steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(step) + 1, second);
  return step + 1;
}

void VectorProfile::add(std::int64_t amount, Time from, Time to) {
  if (from >= to) return;
  const auto first = split(from);
  const auto last = to == kNever ? steps_.size() : split(to);
  for (auto step = first; step < last; ++step) {
    steps_[step].free += amount;
    BERTH_ASSERT(0 <= steps_[step].free && steps_[step].free <= capacity_);
  }
  if (last < steps_.size()) join(last);
  join(first);
}

// Drops the breakpoint of this step if nothing changes there.
void VectorProfile::join(std::size_t step) {
  if (step == 0 || steps_[step].free != steps_[step - 1].free) return;
  steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(step));
}

}  // namespace berth::bench
