#include "engine/clock/event_queue.hpp"

namespace berth {

namespace {

constexpr std::size_t kRefill = 16;

}  // namespace

void EventQueue::put(Entry entry) {
  if (!later_.empty() && !(soon_[1] < entry)) return put_later(entry);
  auto at = ++soon_count_;
  for (; entry < soon_[at - 1]; --at) soon_[at] = soon_[at - 1];
  soon_[at] = entry;
  if (soon_count_ > kMostSoon) spill_last();
}

void EventQueue::put_later(Entry entry) {
  later_.push_back(entry);
  std::push_heap(later_.begin(), later_.end());
}

void EventQueue::spill_last() {
  put_later(soon_[1]);
  --soon_count_;
  std::copy_n(soon_.begin() + 2, soon_count_, soon_.begin() + 1);
}

// REQUIRES: `soon_` is empty.
void EventQueue::refill() {
  while (soon_count_ < kRefill && !later_.empty()) {
    soon_[++soon_count_] = later_.front();
    std::pop_heap(later_.begin(), later_.end());
    later_.pop_back();
  }
  std::reverse(soon_.begin() + 1,
               soon_.begin() + static_cast<std::ptrdiff_t>(soon_count_) + 1);
}

}  // namespace berth
