#include "engine/audit/expected_ends.hpp"

namespace berth::audit {

Time Overruns::expected_end(Time planned_end, Time now) const {
  if (now < planned_end) return planned_end;
  const Duration over = now - planned_end;
  if (growth <= 1) return after(planned_end, over - over % grace + grace);
  Duration step = grace;
  while (step <= over) {
    if (step > kNever / growth) return kNever;
    step *= growth;
  }
  return after(planned_end, step);
}

void ExpectedEnds::add_slot() {
  order_.push_back(static_cast<std::uint32_t>(slots_.size()));
  slots_.push_back(kEmpty);
}

bool ExpectedEnds::any_late() const {
  return std::any_of(slots_.begin(), slots_.end(), [](const Holder& each) {
    return each.end != each.planned_end;
  });
}

// Sorts only if there are many new jobs.
bool ExpectedEnds::find_any_by(Time by) {
  if (used_ - sorted_ > kFew) sort();
  while (first_ < sorted_ && slots_[order_[first_]].size == 0) ++first_;
  earliest_ = first_ < used_ ? slots_[order_[first_]].end : kNever;
  for (auto i = sorted_; i < used_; ++i) {
    earliest_ = std::min(earliest_, slots_[order_[i]].end);
  }
  return earliest_ <= by;
}

// Late jobs go behind the sorted ones, as if they had just started.
std::int64_t ExpectedEnds::expect_anew(Time by) {
  sort();
  std::size_t late = 0;
  for (; late < used_ && slots_[order_[late]].end <= by; ++late) {
    auto& holder = slots_[order_[late]];
    holder.end = rule_.expected_end(holder.planned_end, by);
  }
  const auto begin = order_.begin();
  std::rotate(begin, begin + static_cast<std::ptrdiff_t>(late),
              begin + static_cast<std::ptrdiff_t>(used_));
  sorted_ = used_ - late;
  (void)find_any_by(by);
  return static_cast<std::int64_t>(late);
}

void ExpectedEnds::sort() {
  const auto newcomers = sorted_;
  sorted_ = compact(0, 0, newcomers);
  used_ = compact(sorted_, newcomers, used_);
  first_ = empty_ = 0;
  if (used_ - sorted_ > kFew) {
    std::sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(used_),
              [this](std::uint32_t a, std::uint32_t b) {
                return slots_[a].end < slots_[b].end;
              });
    sorted_ = used_;
  }
  while (sorted_ < used_) insert_sorted(sorted_++);
}

// Moves held slots before empty ones and keeps their order; between `kept` and `from`
// all are empty.  The new number of kept slots.  Without a branch, which could not be
// predicted.
std::size_t ExpectedEnds::compact(std::size_t kept, std::size_t from, std::size_t to) {
  for (auto i = from; i < to; ++i) {
    const auto slot = order_[i];
    order_[i] = order_[kept];
    order_[kept] = slot;
    kept += std::size_t{slots_[slot].size != 0};
  }
  return kept;
}

// REQUIRES: all slots before `at` are sorted.
void ExpectedEnds::insert_sorted(std::size_t at) {
  const auto slot = order_[at];
  const Time end = slots_[slot].end;
  for (; at > 0 && slots_[order_[at - 1]].end > end; --at) {
    order_[at] = order_[at - 1];
  }
  order_[at] = slot;
}

}  // namespace berth::audit
