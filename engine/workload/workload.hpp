#pragma once
// A set of jobs to run: from a trace, from a model, or made in a test.
//
// Invariant    jobs are in the order (submit, id); ids are unique; every size is at
//              least 1, every length and walltime at least 0.  A job wider than the
//              machine is still a job: the machine rejects it.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/jobs/job.hpp"

namespace berth {

// One class of things a reader noticed, repaired or left out.
struct Finding {
  std::int64_t count = 0;
  std::int64_t first_line = 0;
  std::string first_text;  // what was found there, ready to print
  std::vector<std::int64_t> lines;  // all of them, kept only when asked for
};

// Recorded by the trace, for analysis only and never shown to a policy.
struct Recorded {
  Duration wait = kUnknown;
  std::int32_t allocated = kUnknown;
  double cpu_time = kUnknown;
  std::int64_t used_memory_kib = kUnknown;
  std::int32_t status = kUnknown;
};

struct Workload {
  std::string name;  // base name of the trace, or name of the model
  std::vector<Job> jobs;
  std::vector<Recorded> recorded;         // empty, or one for each job
  std::optional<std::int32_t> processors;  // the machine's size, if the trace says so

  // By class, e.g. "no_processor_count": never submitted, no row in any output.
  std::map<std::string, Finding> left_out;
  // By class, e.g. "unsorted": read all the same.
  std::map<std::string, Finding> repairs;

  [[nodiscard]] std::int64_t without_walltime() const;
};

}  // namespace berth
