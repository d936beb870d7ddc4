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
// Structure    breakpoints in chunks of at most 128; a chunk knows the least and the
// most
//              that is free in it, and a claim over the whole of it is one addition.
//              Few breakpoints are one chunk: a sorted array.
//
//   operation           time, n = breakpoints, b = 128
//   free_at             O(log n)
//   least, earliest     O(log n + n/b + breakpoints of chunks that must be looked into)
//   claim, release      O(log n + b + n/b)
//   advance             O(breakpoints passed + n/b)

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/time.hpp"

namespace berth {

class AvailabilityProfile {
 public:
  static constexpr std::size_t kChunk = 32;

  // Every processor free from `now` on.  `most_in_a_chunk` is for tests.
  // REQUIRES: capacity > 0, most_in_a_chunk >= 2.
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
                                             Time not_before) const {
    return search({amount, length, not_before, kNever, kNever});
  }

  // What somebody asks who holds `amount` in [held, held + length) already.
  struct Forward {
    std::int64_t amount;  // > 0
    Duration length;      // > 0
    Time from;            // >= start()
    Time before;          // the latest answer lies before this instant
    Time held;
  };
  // The earliest start in [from, before) to which the holder could move, everything
  // else left as it is; nullopt if there is none.  Like `earliest`, `from` or a
  // breakpoint.  It reads only: nobody lets go to find out.
  [[nodiscard]] std::optional<Time> earlier(const Forward& asked) const {
    return search(asked);
  }

  // Takes `amount` out of [from, to).  REQUIRES: least(from, to) >= amount.
  void claim(std::int64_t amount, Time from, Time to);
  // Puts `amount` back into [from, to).  REQUIRES: claimed before.
  void release(std::int64_t amount, Time from, Time to);

  // Forgets what lies before `now`.  REQUIRES: now >= start().
  void advance(Time now);

 private:
  struct Step {
    Time from;
    std::int64_t free;  // until the next step, less the chunk's `more`
  };
  struct Chunk {
    Time from;                // of its first step
    std::int64_t more = 0;    // to be added to every step
    std::int64_t least = 0;   // no step has less, `more` included ...
    std::int64_t most = 0;    // ... and none more
    std::vector<Step> steps;  // never empty
  };
  struct Position {
    std::size_t chunk;
    std::size_t step;
  };

  [[nodiscard]] std::optional<Time> search(const Forward& asked) const;
  bool find_room(Position& at, std::int64_t amount, Time before) const;
  bool has_room_until(Position& at, std::int64_t amount, Time end) const;
  [[nodiscard]] Position step_at(Time t) const;
  [[nodiscard]] std::int64_t free(Position at) const {
    return chunks_[at.chunk].steps[at.step].free + chunks_[at.chunk].more;
  }
  std::size_t split(Time t);
  static std::size_t split_steps(std::vector<Step>& steps, Time t);
  void halve(std::size_t chunk);
  void add(std::int64_t amount, Time from, Time to);
  void add_to_only_chunk(std::int64_t amount, Time from, Time to);
  void add_inside(std::int64_t amount, std::size_t chunk, Time from, Time to);
  void join(Time t);
  void measure(Chunk& chunk) const;

  std::int64_t capacity_;
  std::size_t most_in_a_chunk_;
  std::vector<Chunk> chunks_;  // by time; neighbouring steps differ in what is free
};

}  // namespace berth
