#pragma once
// Where each job was when, from stretches.csv (engine/output/stretches_csv.hpp): on
// machines on which jobs are suspended, frozen or share processors.
//
// Neighbours in time of one job that differ in speed alone are one stretch here.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/jobs_file.hpp"

namespace berth::report {

// Which half of the row of a processor a stretch takes.
enum class Half : std::uint8_t { kWhole, kForeground, kBackground };

struct Stretch {
  std::uint32_t job = 0;  // place in JobsOfFile::jobs
  Time from = 0;
  Time to = 0;
  Half half = Half::kWhole;
  bool is_frozen = false;
  bool is_hit = false;  // the attempt that ends with it was lost
  std::uint32_t first_interval = 0;
  std::uint32_t intervals = 0;
};

struct StretchesOfFile {
  std::vector<Stretch> stretches;   // by (job, from); without suspensions
  std::vector<Interval> intervals;  // of each stretch together, ascending
  bool has_tiers = false;
};

// Throws Error{kInput}, "file:line:column: column: what is wrong", for a missing
// column, a value that is none, a job that is not in `jobs`, a stretch that ends before
// it begins or begins before the job's last one ends.
[[nodiscard]] StretchesOfFile read_stretches(ByteSource& source,
                                             const std::string& name,
                                             const JobsOfFile& jobs,
                                             const PlacesOfFile& places,
                                             Budget& budget);

}  // namespace berth::report
