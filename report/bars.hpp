#pragma once
// What a Gantt chart draws: for each stretch of a job, or for each job where there are
// no stretches, a rectangle for each interval of processors.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "engine/base/budget.hpp"
#include "engine/base/json.hpp"
#include "report/columns.hpp"
#include "report/page_options.hpp"
#include "report/results.hpp"

namespace berth::report {

struct Bar {
  std::uint32_t job = 0;  // place in JobsOfFile::jobs
  Time from = 0;
  Time to = 0;
  Half half = Half::kWhole;
  std::span<const Interval> places;
};

// By job, then from.  Jobs that still run end with the last event of the run.  Charges
// for each bar and each of its places, before the action.
// REQUIRES: run.jobs.
void each_bar(const RunResult& run, Budget& budget,
              const std::function<void(const Bar&)>& action);

[[nodiscard]] std::int64_t rectangles_of(const RunResult& run);

// Adds the intervals of processors of jobs as columns, for all jobs, or for those in
// `only`.
void add_places(Json& to, const JobsOfFile& of, const std::optional<PageWindow>& only,
                Blocks& blocks);

// The stretches, as columns; `only`: of those that touch it.  No intervals: those of
// the stretch before.  REQUIRES: run.stretches.
[[nodiscard]] Json stretch_columns(const RunResult& run,
                                   const std::optional<PageWindow>& only,
                                   Blocks& blocks);

// The share in use of cells of time and processors, in 255ths, at three levels of
// detail, the coarsest first: {"from", "to", "levels": [{"columns", "rows", "use"}]}.
// Of two tiers each counts half.
[[nodiscard]] Json far_levels(const RunResult& run, Blocks& blocks);

// Adds the mean of the processors in use in each tier to the run's timeline.
// REQUIRES: run.stretches has tiers.
void add_tiers(RunResult& run, Budget& budget);

}  // namespace berth::report
