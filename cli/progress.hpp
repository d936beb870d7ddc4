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

// "37 %, 12000 jobs/s, 2 m left: easy 40 %, fcfs 34 %".  The line appears after one
// second and is rewritten at most ten times a second.  Messages are written through
// this class as well, so that they do not break the line.
//
// Threads      Any.
class Progress {
 public:
  // Unless `live`, only messages are written.
  Progress(std::ostream& err, bool live) : err_(err), live_(live) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // What is counted ("jobs"), and how many labels there will be, all of equal size.
  void expect(std::string_view what, std::size_t labels);
  // So much of a label is done.
  void show(std::string_view label, std::size_t done, std::size_t of);
  // Writes one line.
  void message(std::string_view line);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  struct Part {
    std::size_t done = 0;
    std::size_t of = 0;
  };
  void wipe();
  [[nodiscard]] std::string line(Clock::time_point now) const;

  std::ostream& err_;
  bool live_;
  std::mutex mutex_;
  std::string what_ = "jobs";
  std::size_t labels_ = 1;
  std::map<std::string, Part, std::less<>> parts_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + std::chrono::seconds(1);
  std::size_t width_ = 0;  // of the line on the terminal
};

}  // namespace berth::cli
