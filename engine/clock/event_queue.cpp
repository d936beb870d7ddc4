#include "engine/clock/event_queue.hpp"

#include "engine/base/error.hpp"

namespace berth {

namespace {

constexpr std::size_t kMostSoon = 32;
constexpr std::size_t kBroughtNearer = 16;

}  // namespace

void EventQueue::push(const Event& event) {
  const Entry entry{event.at, order_of(event)};
  if (event.kind == EventKind::kJobSubmit && arrival_.at == kNever) {
    arrival_ = entry;
  } else if (later_.empty() || soon_.front() < entry) {
    put_soon(entry);
  } else {
    later_.push_back(entry);
    std::push_heap(later_.begin(), later_.end());
  }
}

Event EventQueue::pop() {
  BERTH_ASSERT(!empty());
  if (!is_cancellable()) {
    const Event event = event_of(arrival_);
    arrival_.at = kNever;
    return event;
  }
  const Event event = event_of(soon_.back());
  soon_.pop_back();
  if (soon_.empty()) bring_nearer();
  return event;
}

void EventQueue::put_soon(const Entry& entry) {
  auto at = soon_.size();
  soon_.push_back(entry);
  for (; at > 0 && entry < soon_[at - 1]; --at) soon_[at] = soon_[at - 1];
  soon_[at] = entry;
  if (soon_.size() <= kMostSoon) return;
  later_.push_back(soon_.front());
  std::push_heap(later_.begin(), later_.end());
  soon_.erase(soon_.begin());
}

// REQUIRES: `soon_` is empty.
void EventQueue::bring_nearer() {
  for (std::size_t i = 0; i < kBroughtNearer && !later_.empty(); ++i) {
    soon_.push_back(later_.front());
    std::pop_heap(later_.begin(), later_.end());
    later_.pop_back();
  }
  std::reverse(soon_.begin(), soon_.end());
}

}  // namespace berth
