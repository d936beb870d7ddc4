#pragma once
// The future under one total order.
//
// Order        by time; at one instant completions, ends of freezes, capacity changes,
//              arrivals, wake-ups (spec: README 1.5), each by job number, then by
//              version.  Ties::kSubmitsFirst puts arrivals first.
// Structure    a heap, and beside it one arrival: they come in order, so the next one
//              alone is known.
//
//   operation   time, n = events in the queue
//   push, pop   O(log n), O(1) for an arrival when no other is in
//   top, size   O(1)
//   drop_if     O(n)
//
// Cancelling costs nothing: the owner keeps a version per subject and drops events of
// older versions when they come up, or all at once where they have become many.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/clock/event.hpp"

namespace berth {

class EventQueue {
 public:
  explicit EventQueue(Ties ties = Ties::kEndsFirst) : ties_(ties) {}

  void push(const Event& event);

  [[nodiscard]] bool empty() const { return heap_.empty() && !has_arrival_; }
  // REQUIRES: not empty.
  [[nodiscard]] Event top() const {
    return event_of(arrival_is_next() ? arrival_ : heap_.front());
  }
  // Removes and returns the first event.  REQUIRES: not empty.
  Event pop();
  // The cancelled ones included.
  [[nodiscard]] std::size_t size() const {
    return heap_.size() + (has_arrival_ ? 1 : 0);
  }
  // Forgets the events, other than the next arrival, for which `is_void(event)` holds.
  template <class IsVoid>
  void drop_if(IsVoid is_void) {
    std::erase_if(heap_, [&](const Entry& entry) { return is_void(event_of(entry)); });
    std::make_heap(heap_.begin(), heap_.end());
  }

 private:
  struct Entry {
    Time at;
    std::uint64_t order;  // at one instant: rank, kind, job number
    std::uint32_t version;

    // Whether it comes later: what a heap whose top is the first event asks.
    friend bool operator<(const Entry& a, const Entry& b) {
      if (a.at != b.at) return a.at > b.at;
      if (a.order != b.order) return a.order > b.order;
      return a.version > b.version;
    }
  };

  static constexpr unsigned kKindBits = 8;
  static constexpr unsigned kSubjectBits = 32;
  [[nodiscard]] static Event event_of(const Entry& entry) {
    return {entry.at, static_cast<EventKind>((entry.order >> kSubjectBits) & 0xFFU),
            static_cast<std::uint32_t>(entry.order), entry.version};
  }
  [[nodiscard]] bool arrival_is_next() const {
    return has_arrival_ && (heap_.empty() || heap_.front() < arrival_);
  }

  Ties ties_;
  bool has_arrival_ = false;
  Entry arrival_{};
  std::vector<Entry> heap_;
};

}  // namespace berth
