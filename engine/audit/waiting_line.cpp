#include "engine/audit/waiting_line.hpp"

#include <algorithm>

namespace berth::audit {

void WaitingLine::join_heap(Member member) {
  if (heap_.size() > kFew + 2 * others_.size()) sweep_heap();
  others_.insert(member.job, member);
  heap_.push_back(member);
  std::push_heap(heap_.begin(), heap_.end(), stands_behind);
}

void WaitingLine::leave_both(JobId job, double key) {
  if (!leave_line(job, key)) leave_heap(job);
}

void WaitingLine::leave_heap(JobId job) {
  if (others_.contains(job)) (void)others_.take(job);
}

const WaitingLine::Member* WaitingLine::head_of_both() {
  const Member* const in_line = length_ == 0 ? nullptr : &line_[first_];
  const Member* const other = first_of_heap();
  if (in_line == nullptr || other == nullptr) return in_line ? in_line : other;
  return comes_first(*in_line, *other) ? in_line : other;
}

bool WaitingLine::leave_line(JobId job, double key) {
  const auto at = search(job, key);
  if (at >= length_ || line_[at].job != job || is_out(line_[at])) return false;
  cross_out(at);
  return true;
}

std::uint32_t WaitingLine::search(JobId job, double key) const {
  const auto begin = line_.begin();
  const auto found = std::lower_bound(begin + first_, begin + length_,
                                      Member{key, job, 0}, comes_first);
  return static_cast<std::uint32_t>(found - begin);
}

void WaitingLine::lengthen() {
  line_.resize(std::max<std::size_t>(64, 2 * line_.size()));
}

// Those before the first go where that is enough: then all hints stay good.
void WaitingLine::sweep() {
  const auto begin = line_.begin();
  if (4 * first_ > length_) {
    std::copy(begin + first_, begin + length_, begin);
    length_ -= first_;
    out_ -= first_;
    first_hint_ += first_;
  } else {
    const auto end = std::remove_if(begin, begin + length_, is_out);
    length_ = static_cast<std::uint32_t>(end - begin);
    out_ = 0;
  }
  first_ = 0;
}

bool WaitingLine::waits(const Member& member) const {
  const auto* now = others_.find(member.job);
  return now != nullptr && *now == member;
}

// Whoever came back as he was is in more than once.
void WaitingLine::sweep_heap() {
  std::erase_if(heap_, [this](const Member& member) { return !waits(member); });
  std::sort(heap_.begin(), heap_.end(), comes_first);
  heap_.erase(std::unique(heap_.begin(), heap_.end()), heap_.end());
  std::make_heap(heap_.begin(), heap_.end(), stands_behind);
}

const WaitingLine::Member* WaitingLine::first_of_heap() {
  while (!heap_.empty() && !waits(heap_.front())) {
    std::pop_heap(heap_.begin(), heap_.end(), stands_behind);
    heap_.pop_back();
  }
  return heap_.empty() ? nullptr : &heap_.front();
}

}  // namespace berth::audit
