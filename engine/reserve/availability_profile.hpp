#pragma once
// Free processors over time: a step function from now on, counts only.
//
// Units        Time and Duration in ticks, amounts in processors.
// Invariant    free(t) <= capacity() at every t from start() on.  It is negative where
//              claims exceed the capacity: a job that overruns may hold processors
//              which a reservation holds too.
// Determinism  A function of the calls alone.
//
// Structure    a tree whose leaves hold the breakpoints, at most kChunk each; the list
//              at its top has at most 16 kChunk parts, one below it at most kChunk. Few
//              breakpoints are one leaf, up to some thousands a list of leaves: a
//              sorted array in chunks.  A part knows the least and the most that is
//              free in it, and which amounts gained room there; of the leaves of a long
//              list these bounds are tight, but for the amounts once a claim is noted.
//              What is added to all of a part is noted in it, and moves down once a
//              part of it is changed; of leaves, claims alone are noted.
//
//   operation           time, n = breakpoints, or how many there have been since reset
//   free_at             O(log n)
//   least, earliest     O(log n), once more for each leaf that bounds do not rule out;
//                       room that lasts longer than three leaves is not sought in one
//                       between two that lack it
//   earlier             that of earliest, over leaves where the amount gained room
//   claim, release      O(log n)
//   move                that of a claim and a release where the two spans differ
//   advance             O(log n + breakpoints passed)
//   begin_round         O(1): the parts at the top

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/time.hpp"
#include "engine/reserve/profile_step.hpp"

namespace berth {

// Amounts are held as Amount: a wide one for kinds whose capacity needs it.
template <class Amount>
class ProfileOf {
 public:
  static constexpr std::size_t kChunk = 16;

  // All processors free from `now` on.  `most_in_a_part` is for tests.
  // REQUIRES: 0 < capacity, at most what an Amount holds; most_in_a_part >= 2.
  ProfileOf(Time now, std::int64_t capacity, std::size_t most_in_a_part = kChunk);

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
  [[nodiscard]] Time start() const { return parts_.front().from; }
  [[nodiscard]] std::size_t breakpoints() const { return breakpoints_in(parts_); }
  // Parts that a search goes over before it finds room, each of bounded size; those in
  // which room ends too early are further ones.
  [[nodiscard]] std::size_t parts() const;

  // Processors free at `t`.  REQUIRES: t >= start().
  [[nodiscard]] std::int64_t free_at(Time t) const;
  // The smallest number free anywhere in [from, to).  REQUIRES: start() <= from < to.
  [[nodiscard]] std::int64_t least(Time from, Time to) const;

  // Earliest start >= `not_before` from which `amount` stay free for `length`: either
  // `not_before` or a breakpoint.  nullopt: never, because amount > capacity() or a
  // claim does not end.  REQUIRES: amount > 0, length > 0, not_before >= start().
  [[nodiscard]] std::optional<Time> earliest(std::int64_t amount, Duration length,
                                             Time not_before) const {
    return earliest_before(amount, length, not_before, kNever);
  }

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
  [[nodiscard]] bool has_gained(std::int64_t amount, Time before) const;
  // The first start >= `from`, but before `before`, from which `amount` stay free for
  // `length` or up to `before`.
  [[nodiscard]] std::optional<Time> earliest_before(std::int64_t amount,
                                                    Duration length, Time from,
                                                    Time before) const;
  // Begins a round: a sequence of questions `earlier`, at most one a claim.
  void begin_round();

  // Takes `amount` out of [from, to), even if less is free.
  void claim(std::int64_t amount, Time from, Time to) {
    add({static_cast<Amount>(-amount), from, to});
  }
  // Puts `amount` back into [from, to).  REQUIRES: claimed before.
  void release(std::int64_t amount, Time from, Time to) {
    add({static_cast<Amount>(amount), from, to});
  }

  // Moves the claim forward to `start`.  REQUIRES: earlier than its own, with room.
  void move(const Claim& held, Time start);

  // Drops what lies before `now`.  REQUIRES: now >= start().
  void advance(Time now);

 private:
  using Note = profile::Note<Amount>;
  using Step = profile::Step<Amount>;
  using Bounds = profile::Bounds<Amount>;
  static constexpr Note kNothing{};
  static constexpr std::size_t kShort = 8;  // parts of a short list
  // A part is a leaf with steps, or has parts, all of the same height.
  struct Part {
    Time from;  // of its first step
    Bounds bounds{};
    Note note{};              // is to be written to all that is in it
    std::size_t widened = 0;  // times since the bounds were tight
    std::vector<Step> steps{};
    std::vector<Part> parts{};
    [[nodiscard]] bool is_leaf() const { return parts.empty(); }
    [[nodiscard]] bool is_empty() const { return steps.empty() && parts.empty(); }
    [[nodiscard]] const Step* end() const { return steps.data() + steps.size(); }
    [[nodiscard]] Amount first_free() const {
      return note.added + (is_leaf() ? steps.front().free : parts.front().first_free());
    }
    [[nodiscard]] Amount last_free() const {
      return note.added + (is_leaf() ? steps.back().free : parts.back().last_free());
    }
  };
  using Parts = std::vector<Part>;
  struct Change {
    Amount amount;
    Time from;
    Time to;
  };
  struct Search;
  struct RoomSeeker;
  struct GainSeeker;

  template <class Seeker>
  bool find(Search& search, const Seeker& seeker, const Parts& parts,
            const Note& above) const;
  // It is kept apart because few searches need it: those of a large profile.
  template <class Seeker>
  [[gnu::noinline]] bool find_below(Search& search, const Seeker& seeker,
                                    const Part& part, const Note& above) const;
  template <class Seeker>
  bool find_in_leaf(Search& search, const Seeker& seeker, const Part& leaf,
                    const Note& above) const;
  static bool is_too_short(const Search& search, const Part* part, const Parts& parts,
                           Amount needed);
  [[nodiscard]] Time room_begins(const Part& leaf, const Step* step, Amount needed,
                                 Amount amount) const;
  static std::optional<Time> room_ended(const Parts& parts, Time before, Amount amount);
  static Amount least_in(const Parts& parts, Time from, Time to, Amount limit);
  static std::size_t breakpoints_in(const Parts& parts);
  static std::size_t part_at(const Parts& parts, Time t);
  static std::size_t step_at(const std::vector<Step>& steps, Time t);
  static std::size_t split(std::vector<Step>& steps, std::size_t number, Time t);

  void add(const Change& change);
  void add_within(const Change& change, Parts& parts, Time end, Bounds& above);
  void add_to(const Change& change, Part& part, Time end);
  void add_in_leaf(const Change& change, Part& leaf, Time end);
  void add_to_steps(Amount amount, Part& leaf, std::span<Step> steps);
  void note(const Note& note, Part& part) {
    part.bounds.add(note, capacity_);
    part.note.append(note);
  }
  void settle(Part& part) {
    if (!part.note.is_empty) write_note(part);
  }
  void write_note(Part& part);
  void join(Parts& parts, std::size_t number);
  static void drop_if_same(std::vector<Step>& steps, std::size_t number) {
    if (steps[number].free != steps[number - 1].free) return;
    steps[number - 1].join(steps[number]);
    steps.erase(std::next(steps.begin(), std::ptrdiff_t(number)));
  }
  Step drop_first(Part& part);
  void widen_last(Part& part, const Step& dropped);
  void drop_before(Time now, Parts& parts);
  void halve_if_full(Parts& parts, std::size_t number) {
    if (number >= parts.size()) return;  // dropped
    const auto& part = parts[number];
    const bool is_full =
        part.steps.size() > most_in_a_part_ || part.parts.size() > most_in_a_part_;
    if (is_full) halve(parts, number);
  }
  void halve(Parts& parts, std::size_t number);
  void cut(std::vector<Step> steps);
  void raise();
  void lower();
  [[nodiscard]] bool keeps_tight(const Part& part) const {
    return part.is_leaf() && parts_.size() > kShort;
  }
  void note_widened(Part& part) {
    if (++part.widened > (keeps_tight(part) ? 0 : most_in_a_part_))
      compute_bounds(part);
  }
  void compute_bounds(Part& part);

  std::int64_t capacity_;
  std::size_t most_in_a_part_;  // steps, or parts
  Parts parts_;                 // by time; neighbouring steps differ in what is free
  Bounds bounds_;               // of all of them; only the gains are read
  std::size_t since_ = 0;       // which of the two is when the round before began
};

extern template class ProfileOf<std::int32_t>;
extern template class ProfileOf<std::int64_t>;

using AvailabilityProfile = ProfileOf<std::int32_t>;

}  // namespace berth
