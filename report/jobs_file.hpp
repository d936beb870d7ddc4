#pragma once
// The jobs of a schedule, from jobs.csv of berth or the like of any simulator with
// Batsim's columns.
//
// Needed are job_id, starting_time and finish_time, by one of their names
// (study/common/schedule_columns.hpp); used where they are there: submission_time,
// requested_number_of_resources, allocated_resources, requested_time, final_state,
// success, user, length (else finish - start).  What is not there is not known.
//
// Memory       about 90 bytes a job, 8 for an interval of processors and 16 for a part
// Units        those of the lines, and one for each job, comparison and processor

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/places.hpp"
#include "engine/base/time.hpp"
#include "engine/machines/drawn_places.hpp"
#include "engine/output/summary_json.hpp"
#include "engine/workload/byte_source.hpp"
#include "study/inputs/schedule_table.hpp"

namespace berth::report {

enum class State : std::uint8_t {
  kFinished,
  kKilled,    // at its walltime
  kRejected,  // no start, no end
  kWaiting,   // when the schedule ended: no start, no end
  kRunning,   // when the schedule ended: no end
  kFailed,    // ended, and another simulator says that it failed
};

struct ScheduledJob {
  std::int64_t id = 0;
  Time submit = 0;               // the start, or the first one, if it is not known
  Time start = 0;                // undefined for kRejected, kWaiting
  Time finish = 0;               // undefined for these and kRunning
  Duration walltime = -kSecond;  // below 0: unknown
  Duration length = -kSecond;    // below 0: unknown
  std::int32_t size = 0;         // 0: unknown
  bool has_submit = true;
  std::int32_t user = -1;  // -1: unknown
  std::uint32_t first_interval = 0;
  std::uint32_t intervals = 0;
  std::uint32_t first_part = 0;
  std::uint32_t parts = 0;
  State state = State::kFinished;
  std::uint32_t line = 0;  // of the file

  [[nodiscard]] bool has_started() const {
    return state != State::kRejected && state != State::kWaiting;
  }
  [[nodiscard]] bool has_ended() const {
    return has_started() && state != State::kRunning;
  }
};

// What the numbers in a column of places mean, and how many processors there are
// (nullopt: any number will do).
struct PlacesOfFile {
  PlaceForm form = PlaceForm::kSet;
  std::optional<std::int32_t> processors{};
  // Hosts whose further kinds are parts of them, if they are few units; empty: none.
  std::vector<RowsOfHosts> hosts{};

  // Appends those of the present row to `to`, each part once.
  void read(const study::ScheduleTable& table, std::vector<Interval>& to) const;
};

struct JobsOfFile {
  std::vector<ScheduledJob> jobs;    // by (submit, id)
  std::vector<Interval> intervals;   // of each job together, ascending
  std::vector<DrawnPart> parts;      // of each job together, if the file has them
  std::vector<std::string> kinds{};  // of the parts, where they are units of hosts
  std::int32_t processors = 0;       // one above the largest that a job had
  bool has_submits = false;          // the times of submits are there
  bool has_places = false;           // the column allocated_resources is there
  std::vector<std::string> columns;  // all that the file has
};

// Throws Error{kInput}, "file:line:column: column: what is wrong", for a missing
// column, a value that is none, a job that is there twice, times that run backwards,
// processors that a job has twice or that are not of the machine.
// `name` is the file as the user typed it.
[[nodiscard]] JobsOfFile read_jobs(ByteSource& source, const std::string& name,
                                   const PlacesOfFile& places, Budget& budget,
                                   const study::ScheduleLayout& layout = {});

// The most processors in use at one time by the sizes of the jobs that took time; one
// whose size is not known counts as `unknown`.
[[nodiscard]] std::int32_t most_in_use(const JobsOfFile& of, Budget& budget,
                                       std::int32_t unknown = 0);

// Throws Error{kInput}, "file:line: ...", if two jobs have a processor at the same
// time.
void refuse_overlaps(const JobsOfFile& of, const std::string& name, Budget& budget);

}  // namespace berth::report
