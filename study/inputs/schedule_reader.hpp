#pragma once
// Reads a finished schedule from a CSV file: jobs.csv of berth, or of any simulator, or
// stretches.csv of berth.
//
// The first line names the columns, by one of their names (schedule_columns.hpp).
// Needed are job_id, starting_time and finish_time; final_state, allocated_resources,
// suspensions and kills are used where they are given, other columns never.  Quotes
// follow RFC 4180.  Times in seconds; an empty time means "never".  Columns of the
// machine say more of a placement.  A file with the column kind is one of stretches:
// tier, yield and resources are used where they are given.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/audit/schedule_check.hpp"
#include "engine/audit/stays.hpp"
#include "engine/base/budget.hpp"
#include "engine/base/places.hpp"
#include "engine/jobs/job.hpp"
#include "engine/workload/byte_source.hpp"
#include "study/inputs/schedule_table.hpp"

namespace berth::study {

struct Schedule {
  std::vector<audit::Scheduled> rows;  // of jobs, in the order of the file
  // Where the jobs were when, in the order of the file.
  std::vector<audit::Stay> stays;
  bool has_processors = false;  // it names those of each job
  // It tells all that the machine needs of a placement.
  bool has_machine_columns = false;
  bool is_of_stretches = false;  // there are no rows of jobs
  // What the rows say of their jobs, by row: number, submit (kNever: not said), size
  // (0: not said), walltime, user.
  std::vector<Job> told{};
};

// The number of a job by an id that is none; nullopt: there is no such job.
using NumberOfId = std::function<std::optional<std::int64_t>(std::string_view)>;

struct ScheduleForm {
  PlaceForm places = PlaceForm::kSet;
  // Whether rows of jobs become stays, too; stretches always do.
  bool keeps_stays = false;
  std::span<const audit::PlaceColumn> of_machine{};
  ScheduleLayout layout{};
  bool columns_tell_places = false;  // as OfSchedules
  // The jobs are those of the rows, each of which has the id of its row.
  bool has_own_jobs = false;
  NumberOfId number_of{};  // null: ids are numbers
};

// Throws Error{kInput}, "file:line:column: column: what is
// wrong", for a value that is none, a missing column, a job that is not among `jobs`
// and a job that occurs twice but for stretches.  `name` is the file as the user typed
// it. REQUIRES: jobs by (submit, id).
[[nodiscard]] Schedule read_schedule(ByteSource& source, const std::string& name,
                                     std::span<const Job> jobs, Budget& budget,
                                     const ScheduleForm& form = {});

}  // namespace berth::study
