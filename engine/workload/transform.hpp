#pragma once
// Another workload made from the jobs of one: fewer, repeated, denser.
//
// The order (submit, id), unique ids and the records that go with the jobs are kept;
// what was read, left out and repaired stays as the reader counted it.  Lengths, sizes
// and walltimes never change.
//
// Units   Time in ticks; loads are fractions of the machine.
// Cost    O(n), and O(n log n) where scaling makes submit times equal.
// Source  Loads: spec, metrics.md 8.

#include <cstdint>
#include <optional>

#include "engine/workload/workload.hpp"

namespace berth {

// The first `count` jobs; all of them if there are fewer.  REQUIRES: count >= 0.
void keep_first(Workload& workload, std::int64_t count);

// The jobs with from <= submit < to.  Nothing is shifted.
void keep_window(Workload& workload, Time from, Time to);

// `copies` of the workload end to end.  Each copy is shifted against the one before by
//   submit   last submit - first submit + the mean gap between submits (to the tick);
//            one second instead of a mean gap of 0
//   id       largest id - smallest id + 1
// so that its first job comes one mean gap after the last of the copy before.
// Throws Error{kInput} if a submit time would be out of range, or an id.
// REQUIRES: copies >= 1.
void repeat(Workload& workload, std::int64_t copies);

// Work offered by the jobs that fit on the machine over what the machine could do:
// sum(size * length) / (processors * (last submit - first submit)); the span is that of
// all jobs.  nullopt if there is no span.  REQUIRES: processors >= 1.
[[nodiscard]] std::optional<double> offered_load(const Workload& workload,
                                                 std::int32_t processors);

// Multiplies the time from the first submit to every other by `factor`; the offered
// load is divided by it.  Each time is rounded once, so no error adds up. Throws
// Error{kInput} if a submit time would be out of range. REQUIRES: factor is finite and
// above 0.
void scale_load(Workload& workload, double factor);

// Scales so that offered_load() becomes `load`.  Throws Error{kInput} if the workload
// has no load to scale: no span, or no job with work that fits. REQUIRES: load is
// finite and above 0, processors >= 1.
void reach_load(Workload& workload, std::int32_t processors, double load);

}  // namespace berth
