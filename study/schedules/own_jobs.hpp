#pragma once
// The jobs of a schedule that comes without its trace, and what it tells of its
// machine.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "study/inputs/schedule_reader.hpp"

namespace berth::study {

// How many processors the machine has as the schedule shows it, a lower bound.
struct ShownSize {
  std::int32_t processors = 0;
  // By the numbers of processors; else by the most that were in use at once.
  bool is_of_numbers = false;
};

// Of rows that were read with these jobs, or with jobs of their own where there are
// none; at least 1.  REQUIRES: as many told jobs as rows.
[[nodiscard]] ShownSize shown_size(const Schedule& schedule, std::span<const Job> jobs,
                                   Budget& budget);

// Makes the jobs of the rows, by (submit, id), and gives the rows their places among
// them.  Length is what was run, submit the start where it is not said; a job that
// never ran is of no length, and submitted when all is over where that is not said.
// Throws Error{kInput} for a job whose size is not said.  REQUIRES: read with
// has_own_jobs; `name` is the file as the user typed it.
[[nodiscard]] std::vector<Job> take_own_jobs(Schedule& schedule,
                                             const std::string& name, Budget& budget);

// By how much all submit times of the rows are behind those of the jobs; nullopt: not
// all by the same, within the precision, or the file tells none.
[[nodiscard]] std::optional<Duration> shift_of(const Schedule& schedule,
                                               std::span<const Job> jobs,
                                               Duration precision, Budget& budget);

// Moves all starts and ends to earlier times.
void shift_back(Schedule& schedule, Duration by);

}  // namespace berth::study
