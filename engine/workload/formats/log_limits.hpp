#pragma once
// What a job table can hold, so that the table of every log that is read can be read.

#include "engine/workload/formats/log_builder.hpp"

namespace berth {

inline constexpr double kMostMemory = 0x1.0p53;  // bytes of a job

// Throws Error{kInput} with the place of the record.
void require_in_range(const LogRecord& record, LogBuilder::Clock clock,
                      std::string_view file);

// Moves time 0 from that of a calendar to the first submit, or to workload.origin.
// Throws Error{kInput} where a job is submitted before that.
void move_zero(Workload& workload, const LogOptions& options);

// Two times of a log that are both in range may be farther apart than one may be.
// Throws Error{kInput} with the line of the job.
void require_times_in_range(const Workload& workload, std::string_view file);

}  // namespace berth
