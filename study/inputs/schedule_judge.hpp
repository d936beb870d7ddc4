#pragma once
// Judges a finished schedule by the laws of its machine: what `berth verify` does.

#include <optional>
#include <string>
#include <vector>

#include "engine/audit/life_check.hpp"
#include "engine/audit/schedule_check.hpp"
#include "engine/machines/model_record.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/inputs/schedule_reader.hpp"

namespace berth::study {

// One of them, or both: of berth, jobs.csv and stretches.csv.
struct GivenSchedule {
  std::optional<Schedule> jobs{};
  std::optional<Schedule> stretches{};
  std::vector<audit::ToldEstimate> estimates{};  // by (job, at)
};

struct JudgeRules {
  bool easy = false;       // the head promise, too
  Duration tolerance = 0;  // ends may be off by rounding in files of whole seconds
  Duration submit_tolerance = 0;  // and submit times
  bool has_own_jobs = false;      // the jobs are those of the schedule
  bool names_machine = false;  // a scenario says which it is; else it is a plain pool
};

// Why what happens to the machine of this point is not judged; empty: it is.
[[nodiscard]] std::string wrong_life(const Point& point);

// Whether the empty machine has no place for a job, or a limit bars it whatever runs.
[[nodiscard]] std::vector<bool> never_starting(const Point& point);

// Throws Error{kUsage} with the machine's name where no law judges its schedules.
void require_judge(const ModelRecord& model);

// How the rows of a schedule of this machine are to be read.
[[nodiscard]] ScheduleForm form_of(const sim::Machine& machine);

// A schedule that the audit of its own run accepts breaks no rule, or is refused:
// throws Error{kUsage} or Error{kInput} with what is missing to judge it. REQUIRES: it
// was read in form_of() the machine, with the jobs of the point.
[[nodiscard]] audit::ScheduleReport judge_schedule(const Point& point,
                                                   const GivenSchedule& given,
                                                   const JudgeRules& rules);

// Jobs that the rows say were rejected although the machine, as the scenario has it,
// has a place for each of them when it is empty: what a job was asked for is judged as
// it arrives, and on a network by the embedding of the scenario.  `is_refused`: by job,
// whether a link of it can never be satisfied; empty: of none.
[[nodiscard]] std::int64_t rejected_though_fitting(const Point& point,
                                                   const Schedule& jobs,
                                                   const std::vector<bool>& is_refused);

}  // namespace berth::study
