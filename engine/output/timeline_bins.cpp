#include "engine/output/timeline_bins.hpp"

#include <algorithm>

namespace berth {

namespace {

void merge(TimelineBins::Bin& into, const TimelineBins::Bin& from) {
  for (std::size_t i = 0; i < TimelineBins::kLevels; ++i) {
    into.integral[i] += from.integral[i];
    into.maximum[i] = std::max(into.maximum[i], from.maximum[i]);
  }
}

void add(TimelineBins::Bin& bin, const TimelineBins::Values& values, Duration span) {
  for (std::size_t i = 0; i < TimelineBins::kLevels; ++i) {
    bin.integral[i] += Int128{values[i]} * span;
    bin.maximum[i] = std::max(bin.maximum[i], values[i]);
  }
}

}  // namespace

void TimelineBins::advance(Time to, const Values& values) {
  if (!start_) start_ = last_ = to;
  while ((to - *start_ + width_ - 1) / width_ > static_cast<Duration>(kMostBins)) {
    widen();
  }
  while (last_ < to) {
    const auto bin = static_cast<std::size_t>((last_ - *start_) / width_);
    if (bin == bins_.size()) bins_.emplace_back();
    const Time until = std::min(to, *start_ + static_cast<Duration>(bin + 1) * width_);
    add(bins_[bin], values, until - last_);
    last_ = until;
  }
}

Time TimelineBins::from(std::size_t i) const {
  return *start_ + static_cast<Duration>(i) * width_;
}

Time TimelineBins::to(std::size_t i) const { return std::min(from(i + 1), last_); }

void TimelineBins::widen() {
  width_ *= 2;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    if (i % 2 == 0) {
      bins_[i / 2] = bins_[i];
    } else {
      merge(bins_[i / 2], bins_[i]);
    }
  }
  bins_.resize((bins_.size() + 1) / 2);
}

}  // namespace berth
