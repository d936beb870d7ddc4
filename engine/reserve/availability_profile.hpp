#pragma once
// How many processors are free at every instant from now on.
//
// A step function of time: free(t) changes only at breakpoints.  It counts processors
// and never names them.
//
// Units        Time and Duration in ticks, counts in processors.
// Invariant    0 <= free(t) <= capacity() at every t from start() on.
// Determinism  No randomness, no clock: same calls, same answers.
//
// Structure    breakpoints in chunks of at most kChunk; a chunk knows the least and the
//              most that is free in it, and for which amounts something got free.
//              Few breakpoints are one chunk: a sorted array.
//
//   operation           time, n = breakpoints, b = kChunk
//   free_at             O(log n)
//   least, earliest     O(log n + n/b + breakpoints of chunks that must be looked into)
//   earlier             O(n/b + breakpoints of chunks where the amount gained)
//   claim, release      O(log n + b + breakpoints in the span)
//   move                that of a claim and a release where the two spans differ
//   advance             O(breakpoints passed + n/b)
//   begin_round         O(n)

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/time.hpp"

namespace berth {

class AvailabilityProfile {
 public:
  static constexpr std::size_t kChunk = 16;

  // Every processor free from `now` on.  `most_in_a_chunk` is for tests.
  // REQUIRES: 0 < capacity < 2^31, most_in_a_chunk >= 2.
  AvailabilityProfile(Time now, std::int64_t capacity,
                      std::size_t most_in_a_chunk = kChunk);

  // `amount` taken until `until`.
  struct Taken {
    Time until;
    std::int64_t amount;
  };
  // Begins anew at `now` with these taken and nothing else.
  // REQUIRES: by `until`, each after `now`; together at most capacity().
  // Cost O(taken).
  void reset(Time now, std::span<const Taken> taken);

  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  [[nodiscard]] Time start() const { return chunks_.front().from; }
  [[nodiscard]] std::size_t breakpoints() const;

  // Processors free at `t`.  REQUIRES: t >= start().
  [[nodiscard]] std::int64_t free_at(Time t) const;
  // The smallest number free anywhere in [from, to).  REQUIRES: start() <= from < to.
  [[nodiscard]] std::int64_t least(Time from, Time to) const;

  // Earliest start >= `not_before` at which `amount` stay free for `length`.
  // The answer is `not_before` itself or a breakpoint, never a point between.
  // nullopt means "never": amount > capacity(), or claims without an end are in the
  // way. REQUIRES: amount > 0, length > 0, not_before >= start().
  [[nodiscard]] std::optional<Time> earliest(std::int64_t amount, Duration length,
                                             Time not_before) const;

  // Somebody who holds `amount` in [held, held + length) already.
  struct Holder {
    std::int64_t amount;  // > 0
    Duration length;      // > 0
    Time held;            // >= start()
  };
  // The earliest start before `held` to which the holder could move, everything else
  // left as it is; nullopt if there is none.  start() or a breakpoint.  It reads only:
  // nobody lets go to find out.
  // REQUIRES: the holder took the earliest start there was, or asked, in this round or
  // the one before; so only what got free since can be an answer.
  [[nodiscard]] std::optional<Time> earlier(const Holder& asked) const;
  // From here on everybody asks `earlier` once more.
  void begin_round();

  // Takes `amount` out of [from, to).  REQUIRES: least(from, to) >= amount.
  void claim(std::int64_t amount, Time from, Time to);
  // Puts `amount` back into [from, to).  REQUIRES: claimed before.
  void release(std::int64_t amount, Time from, Time to);

  // The holder goes to `start`.  REQUIRES: start < held, and there is room.
  void move(const Holder& holder, Time start);

  // Forgets what lies before `now`.  REQUIRES: now >= start().
  void advance(Time now);

 private:
  // Of what is free, what got so (and was not taken again) since a round began is
  // counted as gained: whoever needs no more than was free all the time gained nothing.
  struct Step {
    Time from;
    std::int32_t free;    // until the next step
    std::int32_t gained;  // since the round before this one began
    std::int32_t lately;  // since this round began
    // Both at once: what would be left over is not negative, and less than gained.
    [[nodiscard]] bool gained_for(std::int32_t amount) const {
      return static_cast<std::uint32_t>(free - amount) <
             static_cast<std::uint32_t>(gained);
    }
  };
  struct Chunk {
    Time from;  // of its first step
    // No step has less nor more.
    std::int32_t least = 0;
    std::int32_t most = 0;
    // Nobody who needs another amount than these gained anything.
    std::int32_t gain_least = 0;
    std::int32_t gain_most = 0;
    std::vector<Step> steps;  // never empty
  };
  struct Position {
    std::size_t chunk;
    std::size_t step;
  };

  bool find_room(Position& at, std::int32_t amount) const;
  bool find_gain(Position& at, std::int32_t amount, Time before) const;
  bool has_room_until(Position& at, std::int32_t amount, Time end) const;
  [[nodiscard]] Time room_begins(Position at, std::int32_t amount) const;
  [[nodiscard]] Position step_at(Time t) const;
  [[nodiscard]] Time begin(Position at) const {
    return chunks_[at.chunk].steps[at.step].from;
  }
  [[nodiscard]] std::int32_t free(Position at) const {
    return chunks_[at.chunk].steps[at.step].free;
  }
  [[nodiscard]] Time end_of(std::size_t chunk) const {
    return chunk + 1 < chunks_.size() ? chunks_[chunk + 1].from : kNever;
  }
  static std::size_t split(std::vector<Step>& steps, Time t);
  void halve(std::size_t chunk);
  void halve_if_full(std::size_t chunk) {
    const bool is_full = chunk < chunks_.size() &&  // or dropped
                         chunks_[chunk].steps.size() > most_in_a_chunk_;
    if (is_full) halve(chunk);
  }
  void add(std::int32_t amount, Time from, Time to);
  void add_inside(std::int32_t amount, Position first, std::size_t last);
  void join(Position at);
  static void let_out(Chunk& chunk, const Step& step);
  static void measure(Chunk& chunk);

  std::int64_t capacity_;
  std::size_t most_in_a_chunk_;
  std::vector<Chunk> chunks_;  // by time; neighbouring steps differ in what is free
};

}  // namespace berth
