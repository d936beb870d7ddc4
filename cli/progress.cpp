#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/duration_text.hpp"

namespace berth::cli {

namespace {

constexpr std::size_t kLongest = 78;

}  // namespace

void Progress::expect(std::string_view what, std::size_t labels) {
  const std::lock_guard lock(mutex_);
  what_ = what;
  labels_ = labels;
}

void Progress::show(std::string_view label, std::size_t done, std::size_t of) {
  const std::lock_guard lock(mutex_);
  parts_.insert_or_assign(std::string(label), Part{done, of});
  const auto now = Clock::now();
  if (!live_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  const auto text = line(now).substr(0, kLongest);
  wipe();
  err_ << text << std::flush;
  width_ = text.size();
}

std::string Progress::line(Clock::time_point now) const {
  double done = 0;
  double of = 0;
  for (const auto& [label, part] : parts_) {
    done += static_cast<double>(part.done);
    of += static_cast<double>(part.of);
  }
  // Those that have not begun are as large as the others.
  const auto known = static_cast<double>(parts_.size());
  of *= std::max(1.0, static_cast<double>(labels_) / known);
  const std::chrono::duration<double> took = now - begin_;
  const double rate = done / std::max(1e-9, took.count());
  auto text = fmt::format("{:.0f} %, {:.3g} {}/s", of > 0 ? 100 * done / of : 100.0,
                          rate, what_);
  if (rate > 0 && of > done) {
    text += fmt::format(", {} left", human_time(std::ceil((of - done) / rate)));
  }
  std::string_view between = ": ";
  for (const auto& [label, part] : parts_) {
    const auto share = part.of == 0 ? 100 : part.done * 100 / part.of;
    text += labels_ == 1
                ? fmt::format("{}{} of {} {}", between, part.done, part.of, label)
                : fmt::format("{}{} {} %", between, label, share);
    between = ", ";
  }
  return text;
}

void Progress::message(std::string_view line) {
  const std::lock_guard lock(mutex_);
  wipe();
  err_ << line << '\n' << std::flush;
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  wipe();
  err_ << std::flush;
}

void Progress::wipe() {
  if (width_ > 0) err_ << '\r' << std::string(width_, ' ') << '\r';
  width_ = 0;
}

}  // namespace berth::cli
