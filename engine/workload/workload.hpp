#pragma once
// A set of jobs to run: from a trace, from a model, or made in a test.
//
// Invariant    jobs are in the order (submit, id); ids are unique; every size is at
//              least 1, every length and walltime at least 0.  A job wider than the
//              machine is still a job: the machine rejects it.
// Memory       64 bytes a job, 40 more where what the trace recorded is kept; beyond
//              entries_in_memory() jobs, a block of each: they lie in a temporary
//              file.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/long_array.hpp"
#include "engine/jobs/job.hpp"
#include "engine/workload/trace_lines.hpp"

namespace berth {

// Job numbers are whole numbers from 0 to here, which a double holds exactly.
inline constexpr std::int64_t kLargestId = std::int64_t{1} << 53U;

// One class of things a reader noticed, repaired or left out.
struct Finding {
  std::int64_t count = 0;
  std::int64_t first_line = 0;
  std::string first_text{};  // what was found there, where the class leaves that open
  std::vector<std::int64_t> lines{};  // all of them, kept only when asked for
};

// Recorded by the trace, for analysis only and never shown to a policy.
struct Recorded {
  friend bool operator==(const Recorded&, const Recorded&) = default;

  Duration wait = kUnknown;
  std::int32_t allocated = kUnknown;
  double cpu_time = kUnknown;  // seconds, mean over the processors
  std::int64_t used_memory_kib = kUnknown;
  std::int32_t status = kUnknown;
};

struct Workload {
  std::string name;    // base name of the trace, or name of the model
  std::string source;  // the trace as the user typed it: for messages, never in results
  LongArray<Job> jobs;
  LongArray<Recorded> recorded;            // empty, or one for each job
  TraceLines lines;                        // empty, or one for each job
  std::optional<std::int32_t> processors;  // the machine's size, if the trace says so
  std::optional<std::int64_t>
      unix_start;              // time 0 in seconds since 1970, if it says so
  std::int64_t jobs_read = 0;  // job lines of the trace, those left out too

  // By class, e.g. "no_processor_count": never submitted, no row in any output.
  std::map<std::string, Finding> left_out;
  // By class, e.g. "unsorted": read all the same.
  std::map<std::string, Finding> repairs;

  // Jobs whose walltime is the length because none was given.
  [[nodiscard]] std::int64_t without_walltime() const;

  // Jobs that run longer than the walltime they were given.
  [[nodiscard]] std::int64_t outliving_walltime() const;
};

// Keep the jobs at these places, in this order, with what goes with each of them.
// REQUIRES: every place is below jobs.size().
void select_jobs(Workload& workload, const LongArray<std::uint32_t>& places);

// Restore the order (submit, id).  Cost: linear when nothing is to do.  Memory: 24
// bytes a job meanwhile, as for the jobs, when there is.
void put_in_order(Workload& workload);

}  // namespace berth
