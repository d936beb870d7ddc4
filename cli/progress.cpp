#include "cli/progress.hpp"

#include <fmt/format.h>

namespace berth::cli {

namespace {

constexpr std::size_t kLongest = 78;

}  // namespace

void Progress::show(std::string_view label, std::size_t submitted, std::size_t of) {
  const std::lock_guard lock(mutex_);
  const auto percent = of == 0 ? 100 : submitted * 100 / of;
  percents_.insert_or_assign(std::string(label), percent);
  const auto now = Clock::now();
  if (!live_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  std::string line;
  for (const auto& [name, done] : percents_) {
    line += fmt::format("{}{} {} %", line.empty() ? "" : ", ", name, done);
  }
  line = line.substr(0, kLongest);
  wipe();
  err_ << line << std::flush;
  width_ = line.size();
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
