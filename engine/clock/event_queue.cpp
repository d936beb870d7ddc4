#include "engine/clock/event_queue.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth {

void EventQueue::push(const Event& event) {
  const bool arrives = event.kind == EventKind::kJobSubmit;
  const bool jumps = arrives && ties_ == Ties::kSubmitsFirst;
  const auto kind = static_cast<std::uint64_t>(event.kind);
  const auto rank = jumps ? 0 : kind + 1;
  const Entry entry{event.at,
                    ((rank << kKindBits | kind) << kSubjectBits) | event.subject,
                    event.version};
  if (arrives && !has_arrival_) {
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
    return event_of(arrival_);
  }
  std::pop_heap(heap_.begin(), heap_.end());
  const Event event = event_of(heap_.back());
  heap_.pop_back();
  return event;
}

}  // namespace berth
