#pragma once
// Transformations of a workload: fewer jobs, repeated jobs, another load, and other
// draws of the same log.
//
// They keep the order (submit, id), unique ids, and each job's record; findings of the
// reader, lengths, sizes and walltimes stay as they are.
//
// Units        time in ticks; loads as fractions of the machine
// Cost         O(n); O(n log n) if scaling makes submit times equal; one unit for each
//              job and pass

#include <cstdint>
#include <optional>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// Keeps the first `count` jobs, or all if there are fewer.  REQUIRES: count >= 0.
void keep_first(Workload& workload, std::int64_t count);

// Keeps the jobs with from <= submit < to, without shifting them.
void keep_window(Workload& workload, Time from, Time to, Budget& budget);

// Keeps the jobs of at most this length.
void keep_up_to(Workload& workload, Duration longest, Budget& budget);

// Repeats the workload `copies` times, end to end.  Each copy is shifted against the
// one before by
//   submit   last submit - first submit + the mean gap (one second if that is 0)
//   id       largest id - smallest id + 1
// Throws Error{kInput} if a submit time or an id would be out of range.
// REQUIRES: copies >= 1.
void repeat(Workload& workload, std::int64_t copies, Budget& budget);

// sum(size * length) over jobs of at most `widest` processes, by default one for each
// processor, divided by processors * (last submit - first submit) of all jobs.  nullopt
// if that span is 0.
// REQUIRES: processors >= 1.
[[nodiscard]] std::optional<double> offered_load(
    const Workload& workload, std::int32_t processors, Budget& budget,
    std::optional<std::int32_t> widest = {});

// Multiplies the distance of each submit from the first by `factor`, which divides the
// offered load by it.  Each time is rounded once, so errors do not accumulate.  Throws
// Error{kInput} if a submit time would be out of range.
// REQUIRES: factor is finite and above 0.
void scale_load(Workload& workload, double factor, Budget& budget);

// Scales submit times so that offered_load() is `load`.  Throws Error{kInput} if there
// is no load to scale (no span, or no work that fits the machine).
// REQUIRES: load is finite and above 0, processors >= 1.
void reach_load(Workload& workload, std::int32_t processors, double load,
                Budget& budget, std::optional<std::int32_t> widest = {});

// Input shaking (Tsafrir, Ouaknine and Feitelson 2007): each submit later by 0 to
// `most_seconds` whole seconds, drawn once for all jobs of a user with one submit time;
// jobs that name no user count as one.  One stream of the seed, drawn in order of
// (submit, id), users by their first job.  REQUIRES: 0 <= most_seconds <= 1e9.
void shake(Workload& workload, std::int64_t most_seconds, std::uint64_t seed,
           Budget& budget);

// As many users as there are, drawn with replacement (after Zakay and Feitelson 2013).
// A user drawn again comes as a user of another number, whose jobs are shifted round
// the trace by a drawn number of whole weeks, so that hours, days and weeks of a user
// stay together.  Jobs are numbered anew from 1.  Jobs that name no user count as one.
// Throws Error{kInput} if no job names a user, or for more than 4 billion jobs.
void resample_users(Workload& workload, std::uint64_t seed, Budget& budget);

}  // namespace berth
