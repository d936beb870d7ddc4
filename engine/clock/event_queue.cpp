#include "engine/clock/event_queue.hpp"

#include <algorithm>
#include <tuple>

#include "engine/base/error.hpp"

namespace berth {

namespace {

std::uint8_t rank_of(EventKind kind, Ties ties) {
  const bool jumps = ties == Ties::kSubmitsFirst && kind == EventKind::kJobSubmit;
  return jumps ? 0 : static_cast<std::uint8_t>(static_cast<std::uint8_t>(kind) + 1);
}

}  // namespace

bool EventQueue::later(const Entry& a, const Entry& b) {
  return std::tie(a.event.at, a.rank, a.event.subject, a.pushed) >
         std::tie(b.event.at, b.rank, b.event.subject, b.pushed);
}

void EventQueue::push(const Event& event) {
  heap_.push_back({event, rank_of(event.kind, ties_), pushed_++});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

Event EventQueue::pop() {
  BERTH_ASSERT(!heap_.empty());
  std::pop_heap(heap_.begin(), heap_.end(), later);
  const Event event = heap_.back().event;
  heap_.pop_back();
  return event;
}

}  // namespace berth
