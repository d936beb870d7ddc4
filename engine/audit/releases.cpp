#include "engine/audit/releases.hpp"

namespace berth::audit {

void Releases::add_slot() {
  order_.push_back(static_cast<std::uint32_t>(slots_.size()));
  slots_.push_back(kNobody);
}

// Newcomers are put in order only if there are many.
bool Releases::find_any_by(Time by) {
  if (used_ - sorted_ > kFew) put_in_order();
  while (first_ < sorted_ && slots_[order_[first_]].size == 0) ++first_;
  first_end_ = first_ < used_ ? slots_[order_[first_]].planned_end : kNever;
  for (auto i = sorted_; i < used_; ++i) {
    first_end_ = std::min(first_end_, slots_[order_[i]].planned_end);
  }
  return first_end_ <= by;
}

void Releases::put_in_order() {
  const auto newcomers = sorted_;
  sorted_ = sift(0, 0, newcomers);
  used_ = sift(sorted_, newcomers, used_);
  first_ = gone_ = 0;
  if (used_ - sorted_ > kFew) {
    std::sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(used_),
              [this](std::uint32_t a, std::uint32_t b) {
                return slots_[a].planned_end < slots_[b].planned_end;
              });
    sorted_ = used_;
  }
  while (sorted_ < used_) place_newcomer(sorted_++);
}

// Who still holds goes in front of who does not, in the order as it is; behind the
// `kept` there is nobody up to `from`.  The new number of kept.  No branch, for who is
// gone cannot be foreseen.
std::size_t Releases::sift(std::size_t kept, std::size_t from, std::size_t to) {
  for (auto i = from; i < to; ++i) {
    const auto slot = order_[i];
    order_[i] = order_[kept];
    order_[kept] = slot;
    kept += std::size_t{slots_[slot].size != 0};
  }
  return kept;
}

// REQUIRES: all before are in order.
void Releases::place_newcomer(std::size_t at) {
  const auto slot = order_[at];
  const Time end = slots_[slot].planned_end;
  for (; at > 0 && slots_[order_[at - 1]].planned_end > end; --at) {
    order_[at] = order_[at - 1];
  }
  order_[at] = slot;
}

}  // namespace berth::audit
