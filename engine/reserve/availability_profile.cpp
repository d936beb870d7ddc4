#include "engine/reserve/availability_profile.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/base/error.hpp"

// Bounded in this file: each function passes the parts of one profile at most once,
// and the owner of a profile charges its parts for each search.

namespace berth {

template <class Amount>
ProfileOf<Amount>::ProfileOf(Time now, std::int64_t capacity,
                             std::size_t most_in_a_chunk)
    : capacity_(capacity),
      least_noted_(most_in_a_chunk),
      most_in_a_chunk_(most_in_a_chunk),
      chunks_(1) {
  BERTH_ASSERT(capacity > 0 && most_in_a_chunk >= 2);
  BERTH_ASSERT(capacity <= std::numeric_limits<Amount>::max());
  reset(now, {});
}

template <class Amount>
void ProfileOf<Amount>::reset(Time now, std::span<const Taken> taken) {
  chunks_.erase(std::next(chunks_.begin()), chunks_.end());
  most_in_a_chunk_ = least_noted_;
  auto& chunk = chunks_.front();
  chunk.added = chunk.floor = 0;
  auto free = capacity_;
  for (const auto& each : taken) free -= each.amount;
  BERTH_ASSERT(free >= 0);
  chunk.from = now;
  chunk.steps.assign(1, {now, Amount(free), 0, 0});
  for (const auto& [until, amount] : taken) {
    free += amount;
    if (chunk.steps.back().from == until) {
      chunk.steps.back().free = Amount(free);
    } else if (until != kNever) {
      chunk.steps.push_back({until, Amount(free), 0, 0});
    }
  }
  if (chunk.steps.size() <= most_in_a_chunk_) return compute_bounds(chunk);
  cut(std::exchange(chunk.steps, {}));
}

// Into chunks that have room for more.
template <class Amount>
void ProfileOf<Amount>::cut(std::vector<Step> steps) {
  const auto all = static_cast<double>(steps.size());
  while (2 * all > 4 * std::pow(static_cast<double>(most_in_a_chunk_), 2)) {
    most_in_a_chunk_ *= 2;
  }
  chunks_.clear();
  const auto each = static_cast<std::ptrdiff_t>(most_in_a_chunk_ / 2);
  for (auto at = steps.begin(); at != steps.end();) {
    const auto until = steps.end() - at <= each ? steps.end() : at + each;
    chunks_.push_back({at->from, {}, 0, {at, until}});
    compute_bounds(chunks_.back());
    at = until;
  }
}

// So that there are about as many chunks as steps in one.
template <class Amount>
void ProfileOf<Amount>::lengthen_chunks() {
  if (chunks_.size() > 4 * most_in_a_chunk_) most_in_a_chunk_ *= 2;
}

template <class Amount>
void ProfileOf<Amount>::Chunk::write_noted() {
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = step(i);
  added = floor = 0;
}

template <class Amount>
std::size_t ProfileOf<Amount>::breakpoints() const {
  std::size_t count = 0;
  for (const auto& chunk : chunks_) count += chunk.steps.size();
  return count;
}

template <class Amount>
std::int64_t ProfileOf<Amount>::free_at(Time t) const {
  return free(step_at(t));
}

template <class Amount>
std::int64_t ProfileOf<Amount>::least(Time from, Time to) const {
  auto least = static_cast<Amount>(capacity_);
  auto [number, step] = step_at(from);
  for (; number < chunks_.size() && chunks_[number].from < to; ++number, step = 0) {
    const auto& chunk = chunks_[number];
    if (chunk.bounds.least >= least) continue;
    for (; step < chunk.steps.size() && chunk.steps[step].from < to; ++step) {
      least = std::min(least, chunk.free(step));
    }
  }
  return least;
}

template <class Amount>
std::optional<Time> ProfileOf<Amount>::earliest(std::int64_t amount, Duration length,
                                                Time not_before) const {
  BERTH_ASSERT(amount > 0 && length > 0);
  if (amount > capacity_) return std::nullopt;
  const auto needed = static_cast<Amount>(amount);
  for (auto at = step_at(not_before); find_room(at, needed);) {
    const Time start = std::max(not_before, begin(at));
    if (has_room_until(at, needed, after(start, length))) return start;
  }
  return std::nullopt;
}

// A claim that can move forward now could not before.  So its new span contains a step
// that gained room for it, and only the room around such steps is searched.
template <class Amount>
std::optional<Time> ProfileOf<Amount>::earlier(const Claim& held,
                                               Budget& budget) const {
  BERTH_ASSERT(held.amount > 0 && held.length > 0);
  const auto needed = static_cast<Amount>(held.amount);
  if (!may_have_gained(needed)) return std::nullopt;
  budget.charge();
  for (Position at{0, 0}; find_gain(at, needed, held.start);) {
    const Time start = room_begins(at, needed);
    const Time end = std::min(after(start, held.length), held.start);
    if (has_room_until(at, needed, end)) return start;
  }
  return std::nullopt;
}

template <class Amount>
std::optional<Time> ProfileOf<Amount>::earliest_before(std::int64_t amount,
                                                       Duration length, Time from,
                                                       Time before) const {
  const auto needed = static_cast<Amount>(amount);
  if (amount > capacity_) return std::nullopt;
  for (auto at = step_at(from); find_room(at, needed);) {
    const Time start = std::max(from, begin(at));
    if (start >= before) return std::nullopt;
    const Time end = std::min(after(start, length), before);
    if (has_room_until(at, needed, end)) return start;
  }
  return std::nullopt;
}

template <class Amount>
void ProfileOf<Amount>::begin_round() {
  gain_least_ = std::numeric_limits<Amount>::max();
  gain_most_ = 0;
  for (auto& chunk : chunks_) {
    chunk.settle();
    Bounds bounds;
    for (auto& step : chunk.steps) {
      step.gained = std::exchange(step.gained_now, 0);
      bounds.widen(step);
    }
    chunk.bounds = bounds;
    chunk.widened = 0;
    note_gains(bounds);
  }
}

// Advances to the first step with room; false: none.
template <class Amount>
bool ProfileOf<Amount>::find_room(Position& at, Amount amount) const {
  for (; at.chunk < chunks_.size(); ++at.chunk, at.step = 0) {
    const auto& chunk = chunks_[at.chunk];
    if (chunk.bounds.most < amount) continue;
    const auto needed = static_cast<Amount>(amount - chunk.added);
    for (; at.step < chunk.steps.size(); ++at.step) {
      if (chunk.steps[at.step].free >= needed) return true;
    }
  }
  return false;
}

// Advances to the first step that gained room; false: none begins before `before`.
template <class Amount>
bool ProfileOf<Amount>::find_gain(Position& at, Amount amount, Time before) const {
  for (; at.chunk < chunks_.size(); ++at.chunk, at.step = 0) {
    const auto& chunk = chunks_[at.chunk];
    if (chunk.from >= before) return false;
    if (amount < chunk.bounds.gain_least || chunk.bounds.gain_most < amount) continue;
    at.step = chunk.find_gain(at.step, amount);
    if (at.step < chunk.steps.size()) return begin(at) < before;
  }
  return false;
}

// Where the room around this step begins.
template <class Amount>
Time ProfileOf<Amount>::room_begins(Position at, Amount amount) const {
  for (;; at.step = chunks_[--at.chunk].steps.size()) {
    const auto& chunk = chunks_[at.chunk];
    for (; at.step > 0; --at.step) {
      if (chunk.free(at.step - 1) < amount) return chunk.steps[at.step].from;
    }
    if (at.chunk == 0) return chunk.from;
    const auto& before = chunks_[at.chunk - 1];
    if (before.free(before.steps.size() - 1) < amount) return chunk.from;
  }
}

// Advances to the first step without room; true: none begins before `end`.
template <class Amount>
bool ProfileOf<Amount>::has_room_until(Position& at, Amount amount, Time end) const {
  for (; at.chunk < chunks_.size(); ++at.chunk, at.step = 0) {
    const auto& chunk = chunks_[at.chunk];
    if (chunk.from >= end) return true;
    if (chunk.bounds.least >= amount) continue;
    const auto needed = static_cast<Amount>(amount - chunk.added);
    for (; at.step < chunk.steps.size(); ++at.step) {
      const auto& step = chunk.steps[at.step];
      if (step.free < needed) return step.from >= end;
    }
  }
  return true;
}

template <class Amount>
void ProfileOf<Amount>::claim(std::int64_t amount, Time from, Time to) {
  add(static_cast<Amount>(-amount), from, to);
}

template <class Amount>
void ProfileOf<Amount>::release(std::int64_t amount, Time from, Time to) {
  add(static_cast<Amount>(amount), from, to);
}

template <class Amount>
void ProfileOf<Amount>::move(const Claim& held, Time start) {
  const Time until = after(start, held.length);
  claim(held.amount, start, std::min(until, held.start));
  release(held.amount, std::max(until, held.start), after(held.start, held.length));
}

template <class Amount>
void ProfileOf<Amount>::advance(Time now) {
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

template <class Amount>
typename ProfileOf<Amount>::Position ProfileOf<Amount>::step_at(Time t) const {
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
template <class Amount>
std::size_t ProfileOf<Amount>::chunk_at(Time t) const {
  if (t < end_of(0)) return 0;
  const auto behind =
      std::upper_bound(chunks_.begin(), chunks_.end(), t,
                       [](Time time, const Chunk& chunk) { return time < chunk.from; });
  return static_cast<std::size_t>(behind - chunks_.begin()) - 1;
}

// The number of the step that begins at `t`, made if there is none; `number` is that of
// a step at or before it.
template <class Amount>
std::size_t ProfileOf<Amount>::split(std::vector<Step>& steps, std::size_t number,
                                     Time t) {
  while (number < steps.size() && steps[number].from < t) ++number;
  if (number == steps.size() || steps[number].from != t) {
    Step second = steps[number - 1];
    second.from = t;
    steps.insert(std::next(steps.begin(), std::ptrdiff_t(number)), second);
  }
  return number;
}

template <class Amount>
void ProfileOf<Amount>::halve(std::size_t number) {
  auto& lower = chunks_[number];
  lower.settle();
  const auto middle =
      std::next(lower.steps.begin(), std::ptrdiff_t(lower.steps.size() / 2));
  Chunk upper{middle->from, {}, 0, {middle, lower.steps.end()}};
  lower.steps.erase(middle, lower.steps.end());
  compute_bounds(lower);
  compute_bounds(upper);
  chunks_.insert(std::next(chunks_.begin(), std::ptrdiff_t(number) + 1),
                 std::move(upper));
  lengthen_chunks();
}

template <class Amount>
void ProfileOf<Amount>::add(Amount amount, Time from, Time to) {
  if (from >= to) return;
  BERTH_ASSERT(from >= start());
  const auto chunk = chunk_at(from);
  chunks_[chunk].settle();
  const Position first{chunk, split(chunks_[chunk].steps, 0, from)};
  auto at = first;
  for (; end_of(at.chunk) < to; ++at.chunk, at.step = 0) {
    add_inside(amount, at, chunks_[at.chunk].steps.size());
  }
  const bool ends_inside = to < end_of(at.chunk);
  if (ends_inside) chunks_[at.chunk].settle();
  auto& steps = chunks_[at.chunk].steps;
  const auto last = ends_inside ? split(steps, at.step, to) : steps.size();
  add_inside(amount, at, last);
  join(ends_inside ? Position{at.chunk, last} : Position{at.chunk + 1, 0});
  if (at.chunk != first.chunk) halve_if_full(at.chunk);
  join(first);
  halve_if_full(first.chunk);
}

// Adds to the steps [first, last) of one chunk.  Bounds are widened, and made tight
// again after as many times as the chunk has room for steps.  A claim gains no room, so
// it lowers the least alone.
template <class Amount>
void ProfileOf<Amount>::add_inside(Amount amount, Position first, std::size_t last) {
  auto& chunk = chunks_[first.chunk];
  const bool is_whole = first.step == 0 && last == chunk.steps.size();
  if (is_whole && last > least_noted_) return add_to_all(amount, chunk);
  chunk.settle();
  const std::span steps(&chunk.steps[first.step], last - first.step);
  if (amount < 0) {
    auto least = chunk.bounds.least;
    for (auto& step : steps) {
      step.add(amount);
      least = std::min(least, step.free);
    }
    chunk.bounds.least = least;
  } else {
    auto bounds = chunk.bounds;
    for (auto& step : steps) {
      step.add(amount);
      bounds.widen(step);
    }
    chunk.bounds = bounds;
    note_gains(bounds);
  }
  if (++chunk.widened > most_in_a_chunk_) compute_bounds(chunk);
  BERTH_ASSERT(chunk.bounds.most <= capacity_);
}

// Steps that had not gained have gained from what was free on.
template <class Amount>
void ProfileOf<Amount>::add_to_all(Amount amount, Chunk& chunk) {
  auto& bounds = chunk.bounds;
  if (amount > 0) {
    bounds.gain_least = std::min(bounds.gain_least, Amount(bounds.least + 1));
    const auto most = std::int64_t{bounds.most} + amount;
    bounds.most = bounds.gain_most = static_cast<Amount>(std::min(most, capacity_));
    note_gains(bounds);
  } else {
    bounds.most += amount;
  }
  bounds.least += amount;
  chunk.added += amount;
  chunk.floor = std::max(Amount{0}, Amount(chunk.floor + amount));
  if (++chunk.widened > most_in_a_chunk_) {
    chunk.settle();
    compute_bounds(chunk);
  }
}

// Drops the breakpoint that this step begins with if nothing changes there.
template <class Amount>
void ProfileOf<Amount>::join(Position at) {
  const auto [number, step] = at;
  if (number == chunks_.size() || step == chunks_[number].steps.size()) return;
  if (number == 0 && step == 0) return;
  const auto before = step > 0
                          ? Position{number, step - 1}
                          : Position{number - 1, chunks_[number - 1].steps.size() - 1};
  if (free(at) == free(before)) drop(at);
}

// The step before lasts as long as both.
template <class Amount>
void ProfileOf<Amount>::drop(Position at) {
  const auto [number, step] = at;
  auto& chunk = chunks_[number];
  auto& before = step > 0 ? chunk : chunks_[number - 1];
  chunk.settle();
  before.settle();
  auto& steps = chunk.steps;
  auto& joined = step > 0 ? steps[step - 1] : before.steps.back();
  joined.gained = std::max(joined.gained, steps[step].gained);
  joined.gained_now = std::max(joined.gained_now, steps[step].gained_now);
  before.bounds.widen(joined);
  steps.erase(std::next(steps.begin(), std::ptrdiff_t(step)));
  if (steps.empty()) {
    chunks_.erase(std::next(chunks_.begin(), std::ptrdiff_t(number)));
  } else if (step == 0) {
    chunk.from = steps.front().from;
    compute_bounds(chunk);
  }
}

template <class Amount>
void ProfileOf<Amount>::compute_bounds(Chunk& chunk) {
  Bounds bounds;
  for (const auto& step : chunk.steps) bounds.widen(step);
  chunk.bounds = bounds;
  chunk.widened = 0;
}

template class ProfileOf<std::int32_t>;
template class ProfileOf<std::int64_t>;

}  // namespace berth
