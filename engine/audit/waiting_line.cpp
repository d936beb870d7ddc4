#include "engine/audit/waiting_line.hpp"

#include <algorithm>

namespace berth::audit {

void WaitingLine::join_heap(const Member& member) {
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
  const Member* const in_line = line_.empty() ? nullptr : &line_[first_];
  const Member* const other = first_of_heap();
  if (in_line == nullptr || other == nullptr) return in_line ? in_line : other;
  return comes_first(*in_line, *other) ? in_line : other;
}

bool WaitingLine::leave_line(JobId job, double key) {
  if (line_.empty()) return false;
  const auto at = search(job, key);
  if (at >= line_.size() || line_[at].job != job || is_out(line_[at])) return false;
  cross_out(at);
  return true;
}

std::size_t WaitingLine::search(JobId job, double key) const {
  const auto found =
      std::lower_bound(std::next(line_.begin(), static_cast<std::ptrdiff_t>(first_)),
                       line_.end(), Member{key, job, 0}, comes_first);
  return static_cast<std::size_t>(found - line_.begin());
}

void WaitingLine::sweep() {
  std::erase_if(line_, is_out);
  first_ = out_ = 0;
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
