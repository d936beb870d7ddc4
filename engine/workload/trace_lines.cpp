#include "engine/workload/trace_lines.hpp"

#include <algorithm>
#include <iterator>

#include "engine/base/error.hpp"

namespace berth {

std::int64_t TraceLines::operator[](std::size_t place) const {
  const auto& run = run_of(place);
  return run.line + static_cast<std::int64_t>(place - run.place);
}

void TraceLines::push_back(std::int64_t line) {
  const bool goes_on =
      !runs_.empty() &&
      line - runs_.back().line == static_cast<std::int64_t>(size_ - runs_.back().place);
  if (!goes_on) runs_.push_back({size_, line});
  ++size_;
}

void TraceLines::keep_first(std::size_t count) {
  if (count >= size_) return;
  const auto gone = std::find_if(runs_.begin(), runs_.end(),
                                 [&](const Run& run) { return run.place >= count; });
  runs_.resize(static_cast<std::size_t>(gone - runs_.begin()));
  size_ = count;
}

const TraceLines::Run& TraceLines::run_of(std::size_t place) const {
  BERTH_ASSERT(place < size_);
  const auto behind =
      std::upper_bound(runs_.begin(), runs_.end(), place,
                       [](std::size_t at, const Run& run) { return at < run.place; });
  return *std::prev(behind);
}

}  // namespace berth
