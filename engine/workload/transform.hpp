#pragma once
// Transformations of a workload: fewer jobs, repeated jobs, another load.
//
// They keep the order (submit, id), unique ids, and each job's record; findings of the
// reader, lengths, sizes and walltimes stay as they are.
//
// Units        time in ticks; loads as fractions of the machine
// Cost         O(n); O(n log n) if scaling makes submit times equal

#include <cstdint>
#include <optional>

#include "engine/workload/workload.hpp"

namespace berth {

// Keeps the first `count` jobs, or all if there are fewer.  REQUIRES: count >= 0.
void keep_first(Workload& workload, std::int64_t count);

// Keeps the jobs with from <= submit < to, without shifting them.
void keep_window(Workload& workload, Time from, Time to);

// Repeats the workload `copies` times, end to end.  Each copy is shifted against the
// one before by
//   submit   last submit - first submit + the mean gap (one second if that is 0)
//   id       largest id - smallest id + 1
// Throws Error{kInput} if a submit time or an id would be out of range.
// REQUIRES: copies >= 1.
void repeat(Workload& workload, std::int64_t copies);

// sum(size * length) over jobs no wider than the machine, divided by processors * (last
// submit - first submit) of all jobs.  nullopt if that span is 0.
// REQUIRES: processors >= 1.
[[nodiscard]] std::optional<double> offered_load(const Workload& workload,
                                                 std::int32_t processors);

// Multiplies the distance of each submit from the first by `factor`, which divides the
// offered load by it.  Each time is rounded once, so errors do not accumulate.  Throws
// Error{kInput} if a submit time would be out of range.
// REQUIRES: factor is finite and above 0.
void scale_load(Workload& workload, double factor);

// Scales submit times so that offered_load() is `load`.  Throws Error{kInput} if there
// is no load to scale (no span, or no work that fits the machine). REQUIRES: load is
// finite and above 0, processors >= 1.
void reach_load(Workload& workload, std::int32_t processors, double load);

}  // namespace berth
