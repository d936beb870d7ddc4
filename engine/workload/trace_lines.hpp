#pragma once
// Where jobs stand in their trace: a line number for each, in the order of the jobs.
//
// Structure    runs of jobs on consecutive lines, as nearly all of a trace are
// Memory       16 bytes a run, as for jobs
//
//   operation         time, r = runs
//   push_back         O(1)
//   operator[]        O(log r)

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "engine/base/long_array.hpp"

namespace berth {

class TraceLines {
 public:
  TraceLines() = default;
  TraceLines(std::initializer_list<std::int64_t> lines) {
    for (const auto line : lines) push_back(line);
  }
  // Equal numbers make equal runs.
  friend bool operator==(const TraceLines&, const TraceLines&) = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  // REQUIRES: place < size().
  [[nodiscard]] std::int64_t operator[](std::size_t place) const;

  void push_back(std::int64_t line);
  void clear() { keep_first(0); }
  // Forgets all but so many of the first.
  void keep_first(std::size_t count);

 private:
  struct Run {
    friend bool operator==(const Run&, const Run&) = default;

    std::size_t place;  // of its first job
    std::int64_t line;  // of that one
  };
  // REQUIRES: place < size().
  [[nodiscard]] const Run& run_of(std::size_t place) const;

  LongArray<Run> runs_;
  std::size_t size_ = 0;
};

}  // namespace berth
