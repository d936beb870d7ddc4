#pragma once
// What was asked: one line of a workload.  Nothing here changes during a run.
//
// `length` is the true run time on dedicated resources and is hidden from policies;
// `walltime` is the user's estimate.  Where a trace has no walltime the reader puts the
// length there and clears `walltime_given`.

#include <algorithm>
#include <compare>
#include <cstdint>

#include "engine/base/demand.hpp"
#include "engine/base/time.hpp"

namespace berth {

inline constexpr std::int32_t kUnknown = -1;

struct Job {
  std::int64_t id = 0;  // the trace's own number, unique in a workload
  Time submit = 0;
  Duration length = 0;    // >= 0
  Duration walltime = 0;  // >= 0
  // Two fields in one word: a job fills a cache line, and a million of them 64 MB.
  std::int64_t memory_kib : 63 = kUnknown;  // per processor, as requested
  bool walltime_given : 1 = true;
  std::int32_t size = 1;  // processors, >= 1
  std::int32_t user = kUnknown;
  std::int32_t group = kUnknown;
  std::int32_t executable = kUnknown;
  std::int32_t queue_class = kUnknown;  // the trace's queue number
  std::int32_t partition = kUnknown;

  // A zero-length plan breaks availability profiles (spec: A-BF-1).
  [[nodiscard]] Duration planned(Duration min_planned) const {
    return std::max(walltime, min_planned);
  }
  [[nodiscard]] Demand demand() const { return Demand(size); }
};

static_assert(sizeof(Job) == 64, "runs hold millions of jobs");

// The order (submit, id) in which jobs are numbered.
[[nodiscard]] inline bool comes_first(const Job& a, const Job& b) {
  return a.submit != b.submit ? a.submit < b.submit : a.id < b.id;
}

}  // namespace berth
