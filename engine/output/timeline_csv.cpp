#include "engine/output/timeline_csv.hpp"

#include <fmt/compile.h>

#include <algorithm>
#include <iterator>
#include <string>

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

void append_level(std::string& text, double mean, double maximum) {
  fmt::format_to(std::back_inserter(text), FMT_COMPILE(",{},{}"), AsRatio{mean},
                 AsRatio{maximum});
}

// Whether the bins i - 1 and i, which exist, have the same levels and width.
bool are_same(const TimelineBins& bins, std::size_t i) {
  const auto& before = bins.bins()[i - 1];
  const auto& bin = bins.bins()[i];
  return bin.integral == before.integral && bin.maximum == before.maximum &&
         bins.to(i) - bins.from(i) == bins.to(i - 1) - bins.from(i - 1);
}

}  // namespace

void TimelineBins::advance(Time to, const Values& values) {
  if (!start_) start_ = last_ = end_ = to;
  if (last_ == to) return;
  if (to <= end_) {
    add(bins_.back(), values, to - last_);
    last_ = to;
    return;
  }
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
  end_ = from(bins_.size());
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
  std::string levels;  // text of a bin; in short runs most are as the one before
  for (std::size_t i = 0; i < common().bins().size(); ++i) {
    if (!is_as_before(i)) print_levels(i, levels);
    print_span(text, common().from(i), common().to(i));
    text.append(levels);
  }
  text.flush();
}

bool TimelineCsv::is_as_before(std::size_t bin) const {
  return bin > 0 && are_same(common(), bin) &&
         std::all_of(of_machine().begin(), of_machine().end(),
                     [&](const TimelineBins& bins) { return are_same(bins, bin); });
}

void TimelineCsv::print_levels(std::size_t i, std::string& text) const {
  text.clear();
  const auto span = static_cast<double>(common().to(i) - common().from(i));
  const auto& bin = common().bins()[i];
  for (std::size_t level = 0; level < TimelineBins::kLevels; ++level) {
    const double mean = static_cast<double>(bin.integral[level]) / span;
    append_level(text, mean, static_cast<double>(bin.maximum[level]));
  }
  for (std::size_t level = 0; level < of_machine().size(); ++level) {
    const auto& own = of_machine()[level].bins()[i];
    append_level(text, static_cast<double>(own.integral[0]) / span / unit(level),
                 static_cast<double>(own.maximum[0]) / unit(level));
  }
  text += '\n';
}

void LevelBins::held_until(Time to) {
  bins_.advance(to, {queue(), idle(), used()});
  for (std::size_t i = 0; i < further_.size(); ++i) {
    further_[i].advance(to, {further()[i]});
  }
}

}  // namespace berth
