#include "engine/reserve/availability_profile.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/base/error.hpp"

namespace berth {

AvailabilityProfile::AvailabilityProfile(Time now, std::int64_t capacity,
                                         std::size_t most_in_a_chunk)
    : capacity_(capacity), most_in_a_chunk_(most_in_a_chunk), chunks_(1) {
  BERTH_ASSERT(capacity > 0 && most_in_a_chunk >= 2);
  BERTH_ASSERT(capacity <= std::numeric_limits<std::int32_t>::max());
  reset(now, {});
}

void AvailabilityProfile::reset(Time now, std::span<const Taken> taken) {
  chunks_.erase(std::next(chunks_.begin()), chunks_.end());
  auto& chunk = chunks_.front();
  auto free = capacity_;
  for (const auto& each : taken) free -= each.amount;
  BERTH_ASSERT(free >= 0);
  chunk.from = now;
  chunk.steps.assign(1, {now, std::int32_t(free), 0, 0});
  for (const auto& [until, amount] : taken) {
    free += amount;
    if (chunk.steps.back().from == until) {
      chunk.steps.back().free = std::int32_t(free);
    } else if (until != kNever) {
      chunk.steps.push_back({until, std::int32_t(free), 0, 0});
    }
  }
  compute_bounds(chunk);
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    while (chunks_[i].steps.size() > most_in_a_chunk_) halve(i);
  }
}

std::size_t AvailabilityProfile::breakpoints() const {
  std::size_t count = 0;
  for (const auto& chunk : chunks_) count += chunk.steps.size();
  return count;
}

std::int64_t AvailabilityProfile::free_at(Time t) const { return free(step_at(t)); }

std::int64_t AvailabilityProfile::least(Time from, Time to) const {
  auto least = static_cast<std::int32_t>(capacity_);
  auto [number, step] = step_at(from);
  for (; number < chunks_.size() && chunks_[number].from < to; ++number, step = 0) {
    const auto& chunk = chunks_[number];
    if (chunk.least >= least) continue;
    for (; step < chunk.steps.size() && chunk.steps[step].from < to; ++step) {
      least = std::min(least, chunk.steps[step].free);
    }
  }
  return least;
}

std::optional<Time> AvailabilityProfile::earliest(std::int64_t amount, Duration length,
                                                  Time not_before) const {
  BERTH_ASSERT(amount > 0 && length > 0);
  if (amount > capacity_) return std::nullopt;
  const auto needed = static_cast<std::int32_t>(amount);
  for (auto at = step_at(not_before); find_room(at, needed);) {
    const Time start = std::max(not_before, begin(at));
    if (has_room_until(at, needed, after(start, length))) return start;
  }
  return std::nullopt;
}

// A claim that can move forward now could not before.  So its new span contains a step
// that gained room for it, and only the room around such steps is searched.
std::optional<Time> AvailabilityProfile::earlier(const Claim& held) const {
  BERTH_ASSERT(held.amount > 0 && held.length > 0);
  const auto needed = static_cast<std::int32_t>(held.amount);
  for (Position at{0, 0}; find_gain(at, needed, held.start);) {
    const Time start = room_begins(at, needed);
    const Time end = std::min(after(start, held.length), held.start);
    if (has_room_until(at, needed, end)) return start;
  }
  return std::nullopt;
}

void AvailabilityProfile::begin_round() {
  for (auto& chunk : chunks_) {
    for (auto& step : chunk.steps) step.gained = std::exchange(step.gained_now, 0);
    compute_bounds(chunk);
  }
}

// Advances to the first step with room; false: none.
bool AvailabilityProfile::find_room(Position& at, std::int32_t amount) const {
  for (; at.chunk < chunks_.size(); ++at.chunk, at.step = 0) {
    const auto& chunk = chunks_[at.chunk];
    if (chunk.most < amount) continue;
    for (; at.step < chunk.steps.size(); ++at.step) {
      if (chunk.steps[at.step].free >= amount) return true;
    }
  }
  return false;
}

// Advances to the first step that gained room; false: none begins before `before`.
bool AvailabilityProfile::find_gain(Position& at, std::int32_t amount,
                                    Time before) const {
  for (; at.chunk < chunks_.size(); ++at.chunk, at.step = 0) {
    const auto& chunk = chunks_[at.chunk];
    if (chunk.from >= before) return false;
    if (amount < chunk.gain_least || chunk.gain_most < amount) continue;
    for (; at.step < chunk.steps.size(); ++at.step) {
      const auto& step = chunk.steps[at.step];
      if (step.gained_for(amount)) return step.from < before;
    }
  }
  return false;
}

// Where the room around this step begins.
Time AvailabilityProfile::room_begins(Position at, std::int32_t amount) const {
  for (;; at.step = chunks_[--at.chunk].steps.size()) {
    const auto& chunk = chunks_[at.chunk];
    for (; at.step > 0; --at.step) {
      if (chunk.steps[at.step - 1].free < amount) return chunk.steps[at.step].from;
    }
    if (at.chunk == 0 || chunks_[at.chunk - 1].steps.back().free < amount) {
      return chunk.from;
    }
  }
}

// Advances to the first step without room; true: none begins before `end`.
bool AvailabilityProfile::has_room_until(Position& at, std::int32_t amount,
                                         Time end) const {
  for (; at.chunk < chunks_.size(); ++at.chunk, at.step = 0) {
    const auto& chunk = chunks_[at.chunk];
    if (chunk.from >= end) return true;
    if (chunk.least >= amount) continue;
    for (; at.step < chunk.steps.size(); ++at.step) {
      const auto& step = chunk.steps[at.step];
      if (step.free < amount) return step.from >= end;
    }
  }
  return true;
}

void AvailabilityProfile::claim(std::int64_t amount, Time from, Time to) {
  add(static_cast<std::int32_t>(-amount), from, to);
}

void AvailabilityProfile::release(std::int64_t amount, Time from, Time to) {
  add(static_cast<std::int32_t>(amount), from, to);
}

void AvailabilityProfile::move(const Claim& held, Time start) {
  const Time until = after(start, held.length);
  claim(held.amount, start, std::min(until, held.start));
  release(held.amount, std::max(until, held.start), after(held.start, held.length));
}

void AvailabilityProfile::advance(Time now) {
  const auto [number, step] = step_at(now);
  chunks_.erase(chunks_.begin(), std::next(chunks_.begin(), std::ptrdiff_t(number)));
  auto& chunk = chunks_.front();
  chunk.from = now;
  auto& steps = chunk.steps;
  if (step > 0) {
    steps.erase(steps.begin(), std::next(steps.begin(), std::ptrdiff_t(step)));
  }
  steps.front().from = now;
}

AvailabilityProfile::Position AvailabilityProfile::step_at(Time t) const {
  BERTH_ASSERT(t >= start());
  if (t == start()) return {0, 0};
  const auto chunk = chunk_at(t);
  const auto& steps = chunks_[chunk].steps;
  const auto behind =
      std::upper_bound(steps.begin(), steps.end(), t,
                       [](Time time, const Step& step) { return time < step.from; });
  return {chunk, static_cast<std::size_t>(behind - steps.begin()) - 1};
}

// REQUIRES: t is not before the first.
std::size_t AvailabilityProfile::chunk_at(Time t) const {
  if (chunks_.size() == 1) return 0;
  const auto behind =
      std::upper_bound(chunks_.begin(), chunks_.end(), t,
                       [](Time time, const Chunk& chunk) { return time < chunk.from; });
  return static_cast<std::size_t>(behind - chunks_.begin()) - 1;
}

// The number of the step that begins at `t`, made if there is none.
// REQUIRES: t is not before the first.
std::size_t AvailabilityProfile::split(std::vector<Step>& steps, Time t) {
  if (t == steps.front().from) return 0;
  const auto at =
      std::lower_bound(steps.begin(), steps.end(), t,
                       [](const Step& step, Time time) { return step.from < time; });
  const auto number = static_cast<std::size_t>(at - steps.begin());
  if (at == steps.end() || at->from != t) {
    Step second = *std::prev(at);
    second.from = t;
    steps.insert(at, second);
  }
  return number;
}

void AvailabilityProfile::halve(std::size_t number) {
  auto& lower = chunks_[number];
  const auto middle =
      std::next(lower.steps.begin(), std::ptrdiff_t(lower.steps.size() / 2));
  Chunk upper{middle->from, 0, 0, 0, 0, 0, {middle, lower.steps.end()}};
  lower.steps.erase(middle, lower.steps.end());
  compute_bounds(lower);
  compute_bounds(upper);
  chunks_.insert(std::next(chunks_.begin(), std::ptrdiff_t(number) + 1),
                 std::move(upper));
}

void AvailabilityProfile::add(std::int32_t amount, Time from, Time to) {
  if (from >= to) return;
  BERTH_ASSERT(from >= start());
  const auto chunk = chunk_at(from);
  const Position first{chunk, split(chunks_[chunk].steps, from)};
  auto at = first;
  for (; end_of(at.chunk) < to; ++at.chunk, at.step = 0) {
    add_inside(amount, at, chunks_[at.chunk].steps.size());
  }
  const bool ends_inside = to < end_of(at.chunk);
  auto& steps = chunks_[at.chunk].steps;
  const auto last = ends_inside ? split(steps, to) : steps.size();
  add_inside(amount, at, last);
  join(ends_inside ? Position{at.chunk, last} : Position{at.chunk + 1, 0});
  if (at.chunk != first.chunk) halve_if_full(at.chunk);
  join(first);
  halve_if_full(first.chunk);
}

// Adds to the steps [first, last) of one chunk.  Bounds are widened, and made tight
// again after as many times as the chunk has room for steps.
void AvailabilityProfile::add_inside(std::int32_t amount, Position first,
                                     std::size_t last) {
  auto& chunk = chunks_[first.chunk];
  for (auto number = first.step; number < last; ++number) {
    auto& step = chunk.steps[number];
    step.free += amount;
    step.gained = std::max(0, step.gained + amount);
    step.gained_now = std::max(0, step.gained_now + amount);
    widen(chunk, step);
  }
  if (++chunk.widened > most_in_a_chunk_) compute_bounds(chunk);
  BERTH_ASSERT(chunk.most <= capacity_);
}

// Drops the breakpoint that this step begins with if nothing changes there.
void AvailabilityProfile::join(Position at) {
  const auto [number, step] = at;
  if (number == chunks_.size() || step == chunks_[number].steps.size()) return;
  if (number == 0 && step == 0) return;
  auto& chunk = chunks_[number];
  auto& before = step > 0 ? chunk : chunks_[number - 1];
  auto& steps = chunk.steps;
  auto& joined = step > 0 ? steps[step - 1] : before.steps.back();
  if (steps[step].free != joined.free) return;
  joined.gained = std::max(joined.gained, steps[step].gained);
  joined.gained_now = std::max(joined.gained_now, steps[step].gained_now);
  widen(before, joined);
  steps.erase(std::next(steps.begin(), std::ptrdiff_t(step)));
  if (steps.empty()) {
    chunks_.erase(std::next(chunks_.begin(), std::ptrdiff_t(number)));
  } else if (step == 0) {
    chunk.from = steps.front().from;
    compute_bounds(chunk);
  }
}

void AvailabilityProfile::widen(Chunk& chunk, const Step& step) {
  chunk.least = std::min(chunk.least, step.free);
  chunk.most = std::max(chunk.most, step.free);
  if (step.gained == 0) return;
  chunk.gain_least = std::min(chunk.gain_least, step.free - step.gained + 1);
  chunk.gain_most = std::max(chunk.gain_most, step.free);
}

void AvailabilityProfile::compute_bounds(Chunk& chunk) {
  chunk.least = chunk.gain_least = std::numeric_limits<std::int32_t>::max();
  chunk.most = chunk.gain_most = 0;
  chunk.widened = 0;
  for (const auto& step : chunk.steps) widen(chunk, step);
}

}  // namespace berth
