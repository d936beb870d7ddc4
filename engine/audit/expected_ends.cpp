#include "engine/audit/expected_ends.hpp"

#include <algorithm>

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

void ExpectedEnds::add_entry() {
  empty_.push_back(static_cast<std::uint32_t>(entries_.size()));
  entries_.emplace_back().entry = empty_.back();
}

std::int64_t ExpectedEnds::expect_anew(Time by) {
  std::int64_t late = 0;
  // A job that is expected never is not expected anew, or this would not end.
  by = std::min(by, kNever - 1);
  for (; any_by(by); ++late) {
    auto& holder = *by_end_.begin();
    by_end_.erase(by_end_.begin());
    late_ += std::int64_t{!is_late(holder.entry)};
    holder.end = by < holder.last
                     ? std::min(holder.last, rule_.expected_end(holder.planned_end, by))
                     : rule_.expected_end(holder.last, by);
    by_end_.insert(holder);
  }
  return late;
}

std::span<const std::uint32_t> ExpectedEnds::first_ends(std::size_t most) {
  order_.clear();
  for (auto at = by_end_.begin(); at != by_end_.end() && order_.size() < most; ++at) {
    order_.push_back(at->entry);
  }
  return order_;
}

}  // namespace berth::audit
