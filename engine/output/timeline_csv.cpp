#include "engine/output/timeline_csv.hpp"

#include <algorithm>

#include "engine/output/buffered_text.hpp"
#include "engine/output/number_text.hpp"

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

void print_span(BufferedText& text, Time from, Time to) {
  text.print(FMT_COMPILE("{},{}"), InSeconds{from}, InSeconds{to});
}

void print_level(BufferedText& text, double mean, double maximum) {
  text.print(FMT_COMPILE(",{},{}"), AsRatio{mean}, AsRatio{maximum});
}

}  // namespace

void TimelineBins::advance(Time to, const Values& values) {
  if (!start_) start_ = last_ = to;
  while ((to - *start_ + width_ - 1) / width_ > static_cast<Duration>(most_)) {
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

void TimelineCsv::finish(Time at) {
  LevelWatch::finish(at);
  BufferedText text(sink_);
  text.append("from,to,queue_mean,queue_max,idle_mean,idle_max,used_mean,used_max");
  for (const auto& name : names()) text.print(",{0}_mean,{0}_max", name);
  text.append("\n");
  for (std::size_t i = 0; i < common().bins().size(); ++i) {
    print_span(text, common().from(i), common().to(i));
    const auto span = static_cast<double>(common().to(i) - common().from(i));
    const auto& bin = common().bins()[i];
    for (std::size_t level = 0; level < TimelineBins::kLevels; ++level) {
      const double mean = static_cast<double>(bin.integral[level]) / span;
      print_level(text, mean, static_cast<double>(bin.maximum[level]));
    }
    for (std::size_t level = 0; level < of_machine().size(); ++level) {
      const auto& own = of_machine()[level].bins()[i];
      print_level(text, static_cast<double>(own.integral[0]) / span / unit(level),
                  static_cast<double>(own.maximum[0]) / unit(level));
    }
    text.append("\n");
  }
  text.flush();
}

void LevelBins::held_until(Time to) {
  bins_.advance(to, {queue(), idle(), used()});
  for (std::size_t i = 0; i < further_.size(); ++i) {
    further_[i].advance(to, {further()[i]});
  }
}

}  // namespace berth
