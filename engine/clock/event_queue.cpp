#include "engine/clock/event_queue.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth {

namespace {

std::uint64_t order_of(const Event& event, Ties ties) {
  const bool jumps = ties == Ties::kSubmitsFirst && event.kind == EventKind::kJobSubmit;
  const auto rank = jumps ? 0U : static_cast<unsigned>(event.kind) + 1U;
  return (std::uint64_t{rank} << 32U) | event.subject;
}

}  // namespace

void EventQueue::push(const Event& event) {
  const Entry entry{event, order_of(event, ties_)};
  if (event.kind == EventKind::kJobSubmit && !has_arrival_) {
    arrival_ = entry;
    has_arrival_ = true;
    return;
  }
  heap_.push_back(entry);
  std::push_heap(heap_.begin(), heap_.end());
}

Event EventQueue::pop() {
  BERTH_ASSERT(!empty());
  if (arrival_is_next()) {
    has_arrival_ = false;
    return arrival_.event;
  }
  std::pop_heap(heap_.begin(), heap_.end());
  const Event event = heap_.back().event;
  heap_.pop_back();
  return event;
}

}  // namespace berth
