#pragma once
// A line on standard error with the percentages of the runs in progress.

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

namespace berth::cli {

// The line appears after one second and is rewritten at most ten times a second.
// Messages are written through this class as well, so that they do not break the line.
//
// Threads      Any.
class Progress {
 public:
  // Unless `live`, only messages are written.
  Progress(std::ostream& err, bool live) : err_(err), live_(live) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::string_view label, std::size_t submitted, std::size_t of);
  // Writes one line.
  void message(std::string_view line);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void wipe();

  std::ostream& err_;
  bool live_;
  std::mutex mutex_;
  std::map<std::string, std::size_t, std::less<>> percents_;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
  std::size_t width_ = 0;  // of the line on the terminal
};

}  // namespace berth::cli
