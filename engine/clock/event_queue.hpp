#pragma once
// The future: a heap of events under one total order.
//
// Order        by time; at one instant completions, ends of freezes, capacity changes,
//              arrivals, wake-ups (spec: README 1.5), each by job number; then the
//              order in which they were pushed.  Ties::kSubmitsFirst puts arrivals
//              first.
//
//   operation   time, n = events in the queue
//   push, pop   O(log n)
//   top         O(1)
//
// Cancelling costs nothing: the owner keeps a version per subject and drops events of
// older versions when they come up.

#include <cstddef>
#include <vector>

#include "engine/clock/event.hpp"

namespace berth {

class EventQueue {
 public:
  explicit EventQueue(Ties ties = Ties::kEndsFirst) : ties_(ties) {}

  void push(const Event& event);

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  // REQUIRES: not empty.
  [[nodiscard]] const Event& top() const { return heap_.front().event; }
  // Removes and returns the first event.  REQUIRES: not empty.
  Event pop();

 private:
  struct Entry {
    Event event;
    std::uint8_t rank;
    std::uint64_t pushed;
  };
  static bool later(const Entry& a, const Entry& b);

  Ties ties_;
  std::uint64_t pushed_ = 0;
  std::vector<Entry> heap_;
};

}  // namespace berth
