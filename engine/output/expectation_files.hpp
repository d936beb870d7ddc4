#pragma once
// The files of what users could expect (docs/model.md#expectations).
//
//   expectations  job_id,user,size,eet,finish_time,tardiness in seconds; the judged
//   jobs
//                 by (submit, id)
//   heatmap       user,from,to,violations: runs of equal value in minutes from the
//   first
//                 submit (from <= minute < to); users by first submission
//
// A user is empty where the jobs name none.

#include <optional>
#include <span>

#include "engine/expect/tardiness.hpp"
#include "engine/output/sink.hpp"

namespace berth {

// REQUIRES: `ends` has one entry a job; empty: not judged.
void write_expectations(Sink& sink, std::span<const Job> jobs,
                        std::span<const Time> expected,
                        std::span<const std::optional<Time>> ends);
void write_heatmap(Sink& sink, std::span<const UserTardiness> users);

}  // namespace berth
