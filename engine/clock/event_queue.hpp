#pragma once
// Pending events in one total order (docs/model.md#events).
//
// Order        by time; at one instant by kind (see EventKind), then by job number,
//              then by version.  Ties::kSubmitsFirst puts arrivals first.
// Structure    the next few events in a sorted row, the others in a heap, 16 bytes an
//              event.  One arrival is kept apart: arrivals are pushed in order, one at
//              a time, and need no search.
//
//   operation     time, n = events in the queue
//   push, pop     O(log n); O(1) for an arrival if no other is in
//   top, next_at  O(1)
//   any_of        O(n)
//   drop_if       O(n)
//
// Cancelling costs nothing: the owner keeps a version per subject and drops events of
// older versions when they come up, or all at once when there are too many.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/clock/event.hpp"

namespace berth {

class EventQueue {
 public:
  explicit EventQueue(Ties ties = Ties::kEndsFirst) : ties_(ties) {}

  // REQUIRES: before kNever; a version below 2^kVersionBits.
  void push(const Event& event) {
    const Entry entry{event.at, order_of(event)};
    if (event.kind == EventKind::kJobSubmit && arrival_.at == kNever) {
      arrival_ = entry;
    } else {
      put(entry);
    }
  }

  [[nodiscard]] bool empty() const { return soon_count_ == 0 && arrival_.at == kNever; }
  // Time of the first event; kNever if there is none.
  [[nodiscard]] Time next_at() const { return std::min(arrival_.at, soonest().at); }
  // Whether the first event may have been cancelled; arrivals never are.
  [[nodiscard]] bool is_cancellable() const { return arrival_ < soonest(); }
  // REQUIRES: not empty.
  [[nodiscard]] Event top() const {
    return event_of(is_cancellable() ? soonest() : arrival_);
  }
  // Removes and returns the first event.  REQUIRES: not empty.
  Event pop() {
    BERTH_ASSERT(!empty());
    if (!is_cancellable()) {
      const Event event = event_of(arrival_);
      arrival_ = kNothing;
      return event;
    }
    const Event event = event_of(soonest());
    if (--soon_count_ == 0) refill();
    return event;
  }
  // Removes the first event and calls arrives(job number) for an arrival, else
  // happens(event).  The branch is unpredictable, so both cases are handled inline.
  // REQUIRES: not empty.
  template <class Arrives, class Happens>
  void pop_to(const Arrives& arrives, const Happens& happens) {
    BERTH_ASSERT(!empty());
    if (!is_cancellable()) {
      const auto job = event_of(arrival_).subject;
      arrival_ = kNothing;
      return arrives(job);
    }
    const Event event = event_of(soonest());
    if (--soon_count_ == 0) refill();
    happens(event);
  }
  // Cancelled events included.
  [[nodiscard]] std::size_t size() const {
    return soon_count_ + later_.size() + (arrival_.at == kNever ? 0 : 1);
  }
  // Whether holds(event) is true of any event, cancelled ones included.  O(n).
  template <class Holds>
  [[nodiscard]] bool any_of(const Holds& holds) const {
    const auto holds_entry = [&](const Entry& it) { return holds(event_of(it)); };
    const auto last = soon_.begin() + static_cast<std::ptrdiff_t>(soon_count_) + 1;
    return (arrival_.at != kNever && holds_entry(arrival_)) ||
           std::any_of(soon_.begin() + 1, last, holds_entry) ||
           std::any_of(later_.begin(), later_.end(), holds_entry);
  }
  // Removes the events, other than the next arrival, for which is_void(event) holds.
  template <class IsVoid>
  void drop_if(IsVoid is_void) {
    const auto is_void_entry = [&](const Entry& it) { return is_void(event_of(it)); };
    const auto last = soon_.begin() + static_cast<std::ptrdiff_t>(soon_count_) + 1;
    const auto kept = std::remove_if(soon_.begin() + 1, last, is_void_entry);
    soon_count_ = static_cast<std::size_t>(kept - soon_.begin()) - 1;
    std::erase_if(later_, is_void_entry);
    std::make_heap(later_.begin(), later_.end());
    if (soon_count_ == 0) refill();
  }

 private:
  struct Entry {
    Time at;
    std::uint64_t order;  // at one instant: rank, job number, version

    // By descending order of time, so that the first event is the greatest.
    friend bool operator<(const Entry& a, const Entry& b) {
      return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
  };

  static constexpr unsigned kSubjectBits = 32;
  static constexpr unsigned kRankAt = kSubjectBits + kVersionBits;
  static_assert(kRankAt <= 61, "a rank is at most 5");

  // Arrivals that come first have rank 0, every other event 1 + its kind.
  [[nodiscard]] std::uint64_t order_of(const Event& event) const {
    const bool is_first =
        event.kind == EventKind::kJobSubmit && ties_ == Ties::kSubmitsFirst;
    const std::uint64_t rank =
        is_first ? 0 : static_cast<std::uint64_t>(event.kind) + 1;
    return rank << kRankAt | std::uint64_t{event.subject} << kVersionBits |
           event.version;
  }
  [[nodiscard]] static Event event_of(const Entry& entry) {
    const auto rank = entry.order >> kRankAt;
    const auto version = entry.order & ((std::uint64_t{1} << kVersionBits) - 1);
    return {entry.at,
            rank == 0 ? EventKind::kJobSubmit : static_cast<EventKind>(rank - 1),
            static_cast<std::uint32_t>(entry.order >> kVersionBits),
            static_cast<std::uint32_t>(version)};
  }

  static constexpr std::size_t kMostSoon = 32;

  static constexpr Entry kNothing{kNever, ~std::uint64_t{0}};

  // kNothing if there is none.
  [[nodiscard]] const Entry& soonest() const { return soon_[soon_count_]; }
  // By value: a store-forwarding stall costs more than the copy.
  void put(Entry entry);
  void put_later(Entry entry);
  void spill_last();
  void refill();

  Ties ties_;
  Entry arrival_ = kNothing;
  // [1, soon_count_]: the first event is the last entry; empty only if `later_` is.
  // Entry 0 is kNothing, which comes behind every event, so that soonest() needs no
  // branch.
  std::array<Entry, kMostSoon + 2> soon_{{kNothing}};
  std::size_t soon_count_ = 0;
  std::vector<Entry> later_;  // a heap, all of it behind `soon_`
};

}  // namespace berth
