#include "engine/expect/virtual_share.hpp"

#include <algorithm>
#include <iterator>

#include "engine/base/time.hpp"

namespace berth {

namespace {

// Beyond what a Time can hold; sums of two of them do not overflow.
constexpr std::int64_t kFarthest = std::int64_t{1} << 61;

}  // namespace

std::int64_t VirtualShare::pour(std::int64_t arrival, std::int64_t size,
                                std::int64_t length) {
  auto work = Int128{size} * length;
  if (work == 0) return arrival;
  for (auto step = begin_at(arrival);; ++step) {
    const auto [from, left] = *step;
    if (from >= kFarthest) return kFarthest;
    const auto taken = std::min(left, size);
    if (taken == 0) continue;  // the last step is never empty for ever
    const auto next = std::next(step);
    const auto wanted = (work + taken - 1) / taken;
    if (next != left_.end() && wanted > next->first - from) {
      work -= Int128{taken} * (next->first - from);
      step->second -= taken;
      step = joined(step);
      continue;
    }
    const auto units =
        static_cast<std::int64_t>(std::min(wanted, Int128{kFarthest - from}));
    const auto rest = static_cast<std::int64_t>(work % taken);
    const bool is_cut = overshoot_ == Overshoot::kExact && rest != 0;
    left_.try_emplace(next, from + units, left);
    if (is_cut) left_[from + units - 1] = left - rest;
    if (!is_cut || units > 1) step->second = left - taken;
    joined(step);
    return from + units;
  }
}

// The step that begins with the arrival; those before it are not needed any more.
VirtualShare::Steps::iterator VirtualShare::begin_at(std::int64_t arrival) {
  const auto behind = left_.upper_bound(arrival);
  const auto left = std::prev(behind)->second;
  left_.erase(left_.begin(), behind);
  return left_.emplace_hint(left_.begin(), arrival, left);
}

// Makes the step one with that before it if both are equal; the step it is in then.
VirtualShare::Steps::iterator VirtualShare::joined(Steps::iterator step) {
  if (step == left_.begin()) return step;
  const auto before = std::prev(step);
  if (before->second != step->second) return step;
  left_.erase(step);
  return before;
}

}  // namespace berth
