#pragma once
// A job as the workload describes it.  Constant during a run.
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
  // Two fields in one word, so that a job fills exactly one cache line.
  std::int64_t memory_kib : 63 = kUnknown;  // per processor, as requested
  bool walltime_given : 1 = true;
  std::int32_t size = 1;  // processors, >= 1
  // The labels of the trace, as codes: label_number() is the number (label.hpp).
  std::int32_t user = kUnknown;
  std::int32_t group = kUnknown;
  std::int32_t executable = kUnknown;
  std::int32_t queue_class = kUnknown;  // the trace's queue
  std::int32_t partition = kUnknown;

  // How long the job is planned for (docs/model.md#estimates): never 0, since a profile
  // cannot hold an empty span.
  [[nodiscard]] Duration planned(Duration min_planned) const {
    return std::max(walltime, min_planned);
  }
  [[nodiscard]] Demand demand() const { return Demand(size); }
  // kUnknown if below 0.  REQUIRES: kib < 2^54.
  void set_memory(std::int64_t kib) {
    constexpr auto kBits = (std::int64_t{1} << 54U) - 1;  // the compiler sees it fit
    memory_kib = kib < 0 ? kUnknown : kib & kBits;
  }
};

static_assert(sizeof(Job) == 64, "a workload holds millions of jobs");

// The order (submit, id) in which jobs are numbered.
[[nodiscard]] inline bool comes_first(const Job& a, const Job& b) {
  return a.submit != b.submit ? a.submit < b.submit : a.id < b.id;
}

}  // namespace berth
