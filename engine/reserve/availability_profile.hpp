#pragma once
// Free processors over time: a step function from now on, counts only.
//
// Units        Time and Duration in ticks, amounts in processors.
// Invariant    free(t) <= capacity() at every t from start() on.  It is negative where
//              claims exceed the capacity: a job that overruns may hold processors
//              which a reservation holds too.
// Determinism  A function of the calls alone.
//
// Structure    breakpoints in chunks of at most kChunk, or about the square root of
//              their number if that is more.  A chunk holds the least and the most that
//              is free in it, and for which amounts it gained room; the whole has
//              bounds of these amounts.  What is added to all of a chunk longer than
//              kChunk is noted once.  Few breakpoints are one chunk: a sorted array.
//
//   operation           time, n = breakpoints, b = those of a chunk
//   free_at             O(log n)
//   least, earliest     O(log n + n/b + breakpoints of chunks that must be scanned)
//   earlier             O(n/b + breakpoints of chunks where the amount gained room)
//   claim, release      O(log n + b + chunks in the span)
//   move                that of a claim and a release where the two spans differ
//   advance             O(breakpoints passed + n/b)
//   begin_round         O(n)

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/time.hpp"

namespace berth {

// Amounts are held as Amount: a wide one for kinds whose capacity needs it.
template <class Amount>
class ProfileOf {
 public:
  static constexpr std::size_t kChunk = 16;

  // All processors free from `now` on.  `most_in_a_chunk` is for tests.
  // REQUIRES: 0 < capacity, at most what an Amount holds; most_in_a_chunk >= 2.
  ProfileOf(Time now, std::int64_t capacity, std::size_t most_in_a_chunk = kChunk);

  // `amount` processors in use from now until `until`.
  struct Taken {
    Time until;
    std::int64_t amount;
  };
  // Starts again at `now` with these in use and nothing else.
  // REQUIRES: sorted by `until`, each later than `now`; together at most capacity().
  // Cost O(taken).
  void reset(Time now, std::span<const Taken> taken);

  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  [[nodiscard]] Time start() const { return chunks_.front().from; }
  [[nodiscard]] std::size_t breakpoints() const;
  // Parts that a search goes over at most, each with a bounded number of breakpoints.
  [[nodiscard]] std::size_t parts() const { return chunks_.size(); }

  // Processors free at `t`.  REQUIRES: t >= start().
  [[nodiscard]] std::int64_t free_at(Time t) const;
  // The smallest number free anywhere in [from, to).  REQUIRES: start() <= from < to.
  [[nodiscard]] std::int64_t least(Time from, Time to) const;

  // Earliest start >= `not_before` from which `amount` stay free for `length`: either
  // `not_before` or a breakpoint.  nullopt: never, because amount > capacity() or a
  // claim does not end.  REQUIRES: amount > 0, length > 0, not_before >= start().
  [[nodiscard]] std::optional<Time> earliest(std::int64_t amount, Duration length,
                                             Time not_before) const;

  // `amount` processors claimed in [start, start + length).
  struct Claim {
    std::int64_t amount;  // > 0
    Duration length;      // > 0
    Time start;           // >= the profile's start()
  };
  // The earliest start to which the claim could move forward, all others unchanged:
  // start() or a breakpoint; nullopt: none.  Looks only where room was gained.
  // REQUIRES: free >= 0 everywhere; in this round or the one before the claim was made
  // at its earliest start, or asked about.  A search charges one unit.
  [[nodiscard]] std::optional<Time> earlier(const Claim& held, Budget& budget) const;
  // Whether so much gained room anywhere before `before`, in this round or the one
  // before.
  [[nodiscard]] bool has_gained(std::int64_t amount, Time before) const {
    Position at{0, 0};
    const auto needed = static_cast<Amount>(amount);
    return may_have_gained(needed) && find_gain(at, needed, before);
  }
  // The first start >= `from`, but before `before`, from which `amount` stay free for
  // `length` or up to `before`.
  [[nodiscard]] std::optional<Time> earliest_before(std::int64_t amount,
                                                    Duration length, Time from,
                                                    Time before) const;
  // Begins a round: a sequence of questions `earlier`, at most one a claim.
  void begin_round();

  // Takes `amount` out of [from, to), even if less is free.
  void claim(std::int64_t amount, Time from, Time to);
  // Puts `amount` back into [from, to).  REQUIRES: claimed before.
  void release(std::int64_t amount, Time from, Time to);

  // Moves the claim forward to `start`.  REQUIRES: earlier than its own, with room.
  void move(const Claim& held, Time start);

  // Drops what lies before `now`.  REQUIRES: now >= start().
  void advance(Time now);

 private:
  // `gained` counts the free processors that became free, and were not claimed again,
  // since a round began.  A claim of at most free - gained already fitted before.
  struct Step {
    Time from;
    Amount free;        // until the next step
    Amount gained;      // since the previous round began
    Amount gained_now;  // since this round began
    void add(Amount amount) {
      free += amount;
      gained = std::max(Amount{0}, gained + amount);
      gained_now = std::max(Amount{0}, gained_now + amount);
    }
    // Whether `amount` fits now and did not before: 0 <= free - amount < gained.
    [[nodiscard]] bool gained_for(Amount amount) const {
      using Whole = std::make_unsigned_t<Amount>;
      return static_cast<Whole>(free - amount) < static_cast<Whole>(gained);
    }
  };
  // What a chunk is searched by; they may be too wide.  At first those of no step.
  struct Bounds {
    Amount least = std::numeric_limits<Amount>::max();  // of what is free
    Amount most = 0;
    // Only amounts from gain_least to gain_most can have gained room.
    Amount gain_least = std::numeric_limits<Amount>::max();
    Amount gain_most = 0;
    void widen(const Step& step) {
      least = std::min(least, step.free);
      most = std::max(most, step.free);
      if (step.gained == 0) return;
      gain_least = std::min(gain_least, Amount(step.free - step.gained + 1));
      gain_most = std::max(gain_most, step.free);
    }
  };
  struct Chunk {
    Time from;  // of its first step
    Bounds bounds;
    std::size_t widened = 0;  // times since the bounds were tight
    std::vector<Step> steps;  // never empty; to be read with what is noted below
    // Noted for all steps: `free` is more by this, and the gains are by as much, but
    // not below the floor.
    Amount added = 0;
    Amount floor = 0;
    [[nodiscard]] Amount free(std::size_t step) const {
      return steps[step].free + added;
    }
    [[nodiscard]] Amount gain(Amount gained) const {
      return std::max(floor, Amount(gained + added));
    }
    // The step with what is noted.
    [[nodiscard]] Step step(std::size_t number) const {
      const auto& it = steps[number];
      return {it.from, it.free + added, gain(it.gained), gain(it.gained_now)};
    }
    [[nodiscard]] bool has_noted() const { return added != 0 || floor != 0; }
    // The first step from this one on that gained room for the amount; the number of
    // steps if there is none.
    [[nodiscard]] std::size_t find_gain(std::size_t number, Amount amount) const {
      if (has_noted()) {
        // Bounded: the steps of one chunk.
        while (number < steps.size() && !step(number).gained_for(amount)) ++number;
      } else {
        // Bounded: the steps of one chunk.
        while (number < steps.size() && !steps[number].gained_for(amount)) ++number;
      }
      return number;
    }
    // Writes what is noted into the steps.
    void settle() {
      if (has_noted()) write_noted();
    }
    void write_noted();
  };
  struct Position {
    std::size_t chunk;
    std::size_t step;
  };

  [[nodiscard]] bool may_have_gained(Amount amount) const {
    return gain_least_ <= amount && amount <= gain_most_;
  }
  bool find_room(Position& at, Amount amount) const;
  bool find_gain(Position& at, Amount amount, Time before) const;
  bool has_room_until(Position& at, Amount amount, Time end) const;
  [[nodiscard]] Time room_begins(Position at, Amount amount) const;
  [[nodiscard]] Position step_at(Time t) const;
  [[nodiscard]] std::size_t chunk_at(Time t) const;
  [[nodiscard]] Time begin(Position at) const {
    return chunks_[at.chunk].steps[at.step].from;
  }
  [[nodiscard]] Amount free(Position at) const {
    return chunks_[at.chunk].free(at.step);
  }
  [[nodiscard]] Time end_of(std::size_t chunk) const {
    return chunk + 1 < chunks_.size() ? chunks_[chunk + 1].from : kNever;
  }
  static std::size_t split(std::vector<Step>& steps, std::size_t number, Time t);
  void halve(std::size_t chunk);
  void halve_if_full(std::size_t chunk) {
    const bool is_full = chunk < chunks_.size() &&  // or dropped
                         chunks_[chunk].steps.size() > most_in_a_chunk_;
    if (is_full) halve(chunk);
  }
  void add(Amount amount, Time from, Time to);
  void add_inside(Amount amount, Position first, std::size_t last);
  void add_to_all(Amount amount, Chunk& chunk);
  void cut(std::vector<Step> steps);
  void lengthen_chunks();
  void join(Position at);
  [[gnu::noinline]] void drop(Position at);
  void note_gains(const Bounds& bounds) {
    gain_least_ = std::min(gain_least_, bounds.gain_least);
    gain_most_ = std::max(gain_most_, bounds.gain_most);
  }
  static void compute_bounds(Chunk& chunk);

  std::int64_t capacity_;
  std::size_t least_noted_;  // longer chunks note what is added to all of their steps
  std::size_t most_in_a_chunk_;
  std::vector<Chunk> chunks_;  // by time; neighbouring steps differ in what is free
  // Only amounts in between can have gained room in any chunk.
  Amount gain_least_ = 0;
  Amount gain_most_ = 0;
};

extern template class ProfileOf<std::int32_t>;
extern template class ProfileOf<std::int64_t>;

using AvailabilityProfile = ProfileOf<std::int32_t>;

}  // namespace berth
