#include "engine/reserve/availability_profile.hpp"

#include <algorithm>
#include <iterator>

#include "engine/base/error.hpp"

namespace berth {

AvailabilityProfile::AvailabilityProfile(Time now, std::int64_t capacity,
                                         std::size_t most_in_a_chunk)
    : capacity_(capacity),
      most_in_a_chunk_(most_in_a_chunk),
      chunks_{{now, 0, capacity, capacity, {{now, capacity}}}} {
  BERTH_ASSERT(capacity > 0 && most_in_a_chunk >= 2);
}

void AvailabilityProfile::reset(Time now, std::span<const Taken> taken) {
  chunks_.erase(std::next(chunks_.begin()), chunks_.end());
  auto& chunk = chunks_.front();
  auto free = capacity_;
  for (const auto& each : taken) free -= each.amount;
  BERTH_ASSERT(free >= 0);
  chunk.from = now;
  chunk.more = 0;
  chunk.least = free;
  chunk.most = capacity_;
  chunk.steps.assign(1, {now, free});
  for (const auto& [until, amount] : taken) {
    free += amount;
    if (chunk.steps.back().from == until) {
      chunk.steps.back().free = free;
    } else if (until != kNever) {
      chunk.steps.push_back({until, free});
    }
  }
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
  auto least = capacity_;
  auto [number, step] = step_at(from);
  for (; number < chunks_.size() && chunks_[number].from < to; ++number, step = 0) {
    const auto& chunk = chunks_[number];
    const bool is_whole = step == 0 && chunk.steps.back().from < to;
    if (is_whole && chunks_.size() > 1) {
      least = std::min(least, chunk.least);
      continue;
    }
    for (; step < chunk.steps.size() && chunk.steps[step].from < to; ++step) {
      least = std::min(least, chunk.steps[step].free + chunk.more);
    }
  }
  return least;
}

std::optional<Time> AvailabilityProfile::search(const Forward& asked) const {
  BERTH_ASSERT(asked.amount > 0 && asked.length > 0);
  for (auto at = step_at(asked.from); find_room(at, asked.amount, asked.before);) {
    const Time begin = std::max(asked.from, chunks_[at.chunk].steps[at.step].from);
    if (begin >= asked.before) break;
    const Time end = std::min(after(begin, asked.length), asked.held);
    if (has_room_until(at, asked.amount, end)) return begin;
  }
  return std::nullopt;
}

// Goes on to the first step with room; false: none begins before `before`.
bool AvailabilityProfile::find_room(Position& at, std::int64_t amount,
                                    Time before) const {
  for (; at.chunk < chunks_.size(); ++at.chunk, at.step = 0) {
    const auto& chunk = chunks_[at.chunk];
    if (chunk.from >= before) return false;
    if (chunk.most < amount) continue;
    const auto needed = amount - chunk.more;
    for (; at.step < chunk.steps.size(); ++at.step) {
      if (chunk.steps[at.step].free >= needed) return true;
    }
  }
  return false;
}

// Goes on to the first step without room; true: none begins before `end`.
bool AvailabilityProfile::has_room_until(Position& at, std::int64_t amount,
                                         Time end) const {
  for (; at.chunk < chunks_.size(); ++at.chunk, at.step = 0) {
    const auto& chunk = chunks_[at.chunk];
    if (chunk.from >= end) return true;
    if (chunk.least >= amount) continue;
    const auto needed = amount - chunk.more;
    for (; at.step < chunk.steps.size(); ++at.step) {
      const auto& step = chunk.steps[at.step];
      if (step.free < needed) return step.from >= end;
    }
  }
  return true;
}

void AvailabilityProfile::claim(std::int64_t amount, Time from, Time to) {
  add(-amount, from, to);
}

void AvailabilityProfile::release(std::int64_t amount, Time from, Time to) {
  add(amount, from, to);
}

void AvailabilityProfile::advance(Time now) {
  const auto [number, step] = step_at(now);
  chunks_.erase(chunks_.begin(), std::next(chunks_.begin(), std::ptrdiff_t(number)));
  auto& chunk = chunks_.front();
  chunk.from = now;
  auto& steps = chunk.steps;
  if (step > 0) {
    steps.erase(steps.begin(), std::next(steps.begin(), std::ptrdiff_t(step)));
    measure(chunk);
  }
  steps.front().from = now;
}

AvailabilityProfile::Position AvailabilityProfile::step_at(Time t) const {
  BERTH_ASSERT(t >= start());
  if (t == start()) return {0, 0};
  const auto starts_later = [](Time time, const auto& it) { return time < it.from; };
  auto chunk = std::prev(chunks_.end());
  if (chunks_.size() > 1) {
    chunk =
        std::prev(std::upper_bound(chunks_.begin(), chunks_.end(), t, starts_later));
  }
  const auto& steps = chunk->steps;
  const auto step = std::upper_bound(steps.begin(), steps.end(), t, starts_later);
  return {static_cast<std::size_t>(chunk - chunks_.begin()),
          static_cast<std::size_t>(step - steps.begin()) - 1};
}

// Makes a step that begins at `t` if there is none; the chunk it is in.
std::size_t AvailabilityProfile::split(Time t) {
  const auto number = step_at(t).chunk;
  auto& steps = chunks_[number].steps;
  (void)split_steps(steps, t);
  if (steps.size() <= most_in_a_chunk_) return number;
  halve(number);
  return t < chunks_[number + 1].from ? number : number + 1;
}

// The number of the step that begins at `t`, made if there is none.
// REQUIRES: t is not before the first.
std::size_t AvailabilityProfile::split_steps(std::vector<Step>& steps, Time t) {
  const auto at =
      std::lower_bound(steps.begin(), steps.end(), t,
                       [](const Step& step, Time time) { return step.from < time; });
  const auto number = static_cast<std::size_t>(at - steps.begin());
  if (at == steps.end() || at->from != t) {
    steps.insert(at, {t, std::prev(at)->free});
  }
  return number;
}

void AvailabilityProfile::halve(std::size_t number) {
  auto& lower = chunks_[number];
  const auto middle =
      std::next(lower.steps.begin(), std::ptrdiff_t(lower.steps.size() / 2));
  Chunk upper{middle->from, lower.more, 0, 0, {middle, lower.steps.end()}};
  lower.steps.erase(middle, lower.steps.end());
  measure(lower);
  measure(upper);
  chunks_.insert(std::next(chunks_.begin(), std::ptrdiff_t(number) + 1),
                 std::move(upper));
}

void AvailabilityProfile::add(std::int64_t amount, Time from, Time to) {
  if (from >= to) return;
  BERTH_ASSERT(from >= start());
  if (chunks_.size() == 1) return add_to_only_chunk(amount, from, to);
  if (to != kNever) (void)split(to);
  auto number = split(from);
  for (; number < chunks_.size() && chunks_[number].from < to; ++number) {
    add_inside(amount, number, from, to);
  }
  if (to != kNever) join(to);
  join(from);
}

// Its bounds are let out, not measured: nobody passes over the only chunk.
void AvailabilityProfile::add_to_only_chunk(std::int64_t amount, Time from, Time to) {
  auto& chunk = chunks_.front();
  auto& steps = chunk.steps;
  const auto first = split_steps(steps, from);
  const auto last = to == kNever ? steps.size() : split_steps(steps, to);
  for (auto step = first; step < last; ++step) {
    const auto free = (steps[step].free += amount) + chunk.more;
    BERTH_ASSERT(0 <= free && free <= capacity_);
    chunk.least = std::min(chunk.least, free);
    chunk.most = std::max(chunk.most, free);
  }
  const auto drop_if_level = [&steps](std::size_t step) {
    const bool is_level =
        step > 0 && step < steps.size() && steps[step].free == steps[step - 1].free;
    if (is_level) steps.erase(std::next(steps.begin(), std::ptrdiff_t(step)));
  };
  drop_if_level(last);
  drop_if_level(first);
  if (steps.size() > most_in_a_chunk_) halve(0);
}

void AvailabilityProfile::add_inside(std::int64_t amount, std::size_t number, Time from,
                                     Time to) {
  auto& chunk = chunks_[number];
  if (from <= chunk.from && chunk.steps.back().from < to) {
    chunk.more += amount;
    chunk.least += amount;
    chunk.most += amount;
  } else {
    for (auto& step : chunk.steps) {
      if (from <= step.from && step.from < to) step.free += amount;
    }
    measure(chunk);
  }
  BERTH_ASSERT(0 <= chunk.least && chunk.most <= capacity_);
}

// Drops the breakpoint at `t` if nothing changes there.
void AvailabilityProfile::join(Time t) {
  const auto at = step_at(t);
  auto& [number, step] = at;
  auto& steps = chunks_[number].steps;
  if (steps[step].from != t || (number == 0 && step == 0)) return;
  const Position before =
      step > 0 ? Position{number, step - 1}
               : Position{number - 1, chunks_[number - 1].steps.size() - 1};
  if (free(at) != free(before)) return;
  steps.erase(std::next(steps.begin(), std::ptrdiff_t(step)));
  if (steps.empty()) {
    chunks_.erase(std::next(chunks_.begin(), std::ptrdiff_t(number)));
  } else if (step == 0) {
    chunks_[number].from = steps.front().from;
    measure(chunks_[number]);
  }
}

void AvailabilityProfile::measure(Chunk& chunk) const {
  auto least = chunk.steps.front().free;
  auto most = least;
  for (const auto& step : chunk.steps) {
    least = std::min(least, step.free);
    most = std::max(most, step.free);
  }
  chunk.least = least + chunk.more;
  chunk.most = most + chunk.more;
}

}  // namespace berth
