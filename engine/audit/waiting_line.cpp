#include "engine/audit/waiting_line.hpp"

#include <algorithm>

namespace berth::audit {

void WaitingLine::add_to_heap(Member member) {
  if (heap_.size() > kMostInHeap + 2 * in_heap_.size()) clear_heap();
  in_heap_.insert(member.job, member);
  heap_.push_back(member);
  std::push_heap(heap_.begin(), heap_.end(), comes_last);
}

void WaitingLine::find_and_leave(JobId job, double key) {
  const auto begin = line_.begin();
  const auto at =
      std::lower_bound(begin + first_, begin + length_, Member{key, job, 0}, comes_first);
  if (at != begin + length_ && at->job == job && !has_left(*at)) {
    mark_left(static_cast<std::uint32_t>(at - begin));
  } else if (in_heap_.contains(job)) {
    (void)in_heap_.take(job);
  }
}

const WaitingLine::Member* WaitingLine::head_of_both() {
  const Member* const in_line = length_ == 0 ? nullptr : &line_[first_];
  const Member* const in_heap = head_of_heap();
  if (in_line == nullptr || in_heap == nullptr) return in_line ? in_line : in_heap;
  return comes_first(*in_line, *in_heap) ? in_line : in_heap;
}

void WaitingLine::lengthen() {
  line_.resize(std::max<std::size_t>(64, 2 * line_.size()));
}

// If enough jobs left before the first member, only those are removed: then all hints
// stay valid.
void WaitingLine::clear_line() {
  const auto begin = line_.begin();
  if (4 * first_ > length_) {
    std::copy(begin + first_, begin + length_, begin);
    length_ -= first_;
    left_ -= first_;
    first_hint_ += first_;
  } else {
    const auto end = std::remove_if(begin, begin + length_, has_left);
    length_ = static_cast<std::uint32_t>(end - begin);
    left_ = 0;
  }
  first_ = 0;
}

bool WaitingLine::is_in_heap(const Member& member) const {
  const auto* now = in_heap_.find(member.job);
  return now != nullptr && *now == member;
}

// A job that left and joined again with the same key is in the heap more than once.
void WaitingLine::clear_heap() {
  std::erase_if(heap_, [this](const Member& member) { return !is_in_heap(member); });
  std::sort(heap_.begin(), heap_.end(), comes_first);
  heap_.erase(std::unique(heap_.begin(), heap_.end()), heap_.end());
  std::make_heap(heap_.begin(), heap_.end(), comes_last);
}

const WaitingLine::Member* WaitingLine::head_of_heap() {
  while (!heap_.empty() && !is_in_heap(heap_.front())) {
    std::pop_heap(heap_.begin(), heap_.end(), comes_last);
    heap_.pop_back();
  }
  return heap_.empty() ? nullptr : &heap_.front();
}

}  // namespace berth::audit
