#pragma once
// Reads a finished schedule from a CSV file: jobs.csv of berth, or of any simulator.
//
// The first line names the columns.  Needed are job_id, starting_time and finish_time
// (also known as job, start and end); final_state and allocated_resources are used
// where they are given, other columns never.  Quotes follow RFC 4180, within one line.
// Times in seconds; an empty time means "never".  On a network, switch and reserved
// (Mb/s) say more of a placement; stretches.csv of berth (from, to, kind, resources)
// says where jobs were that were suspended in between.

#include <span>
#include <string>
#include <vector>

#include "engine/audit/schedule_check.hpp"
#include "engine/jobs/job.hpp"
#include "engine/workload/byte_source.hpp"

namespace berth::study {

struct Schedule {
  std::vector<audit::Scheduled> rows;  // in the order of the file
  bool has_processors = false;         // it names those of each job
  bool has_switches = false;           // it tells placements on a network
  // The rows are of stretches.csv: one job has as many as it has stretches, those in
  // which it is suspended left out.
  bool is_of_stretches = false;
};

// Throws Error{kInput}, "file:line:column: column: what is
// wrong", for a value that is none, a missing column, a job that is not among `jobs`
// and a job that occurs twice but for stretches.  `name` is the file as the user typed
// it. REQUIRES: jobs by (submit, id).
[[nodiscard]] Schedule read_schedule(ByteSource& source, const std::string& name,
                                     std::span<const Job> jobs);

}  // namespace berth::study
