#pragma once
// A line on standard error that says how far a run has come.

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

namespace berth::cli {

// Nothing is shown in the first second, then at most ten times a second.  Messages go
// through it as well, so that they never stand in the middle of that line.
// Threads  Any.
class Progress {
 public:
  // Not `live`: messages only.
  Progress(std::ostream& err, bool live) : err_(err), live_(live) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::string_view label, std::size_t submitted, std::size_t of);
  // One line, written whole.
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
  std::size_t width_ = 0;  // of what stands on the line
};

}  // namespace berth::cli
