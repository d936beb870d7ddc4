#include "engine/clock/event_queue.hpp"

namespace berth {

namespace {

constexpr std::size_t kBroughtNearer = 16;

}  // namespace

void EventQueue::put(Entry entry) {
  if (!later_.empty() && !(soon_[1] < entry)) return put_later(entry);
  auto at = ++soon_count_;
  for (; entry < soon_[at - 1]; --at) soon_[at] = soon_[at - 1];
  soon_[at] = entry;
  if (soon_count_ > kMostSoon) put_last_off();
}

void EventQueue::put_later(Entry entry) {
  later_.push_back(entry);
  std::push_heap(later_.begin(), later_.end());
}

void EventQueue::put_last_off() {
  put_later(soon_[1]);
  --soon_count_;
  std::copy_n(soon_.begin() + 2, soon_count_, soon_.begin() + 1);
}

// REQUIRES: nothing is in `soon_`.
void EventQueue::bring_nearer() {
  while (soon_count_ < kBroughtNearer && !later_.empty()) {
    soon_[++soon_count_] = later_.front();
    std::pop_heap(later_.begin(), later_.end());
    later_.pop_back();
  }
  std::reverse(soon_.begin() + 1,
               soon_.begin() + static_cast<std::ptrdiff_t>(soon_count_) + 1);
}

}  // namespace berth
