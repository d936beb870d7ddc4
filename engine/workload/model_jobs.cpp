#include "engine/workload/model_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.hpp"

namespace berth {

Workload model_workload(std::string_view model, std::int32_t processors,
                        std::int64_t jobs) {
  BERTH_ASSERT(processors >= 1 && jobs >= 0);
  Workload workload;
  workload.name = workload.source = model;
  workload.processors = processors;
  workload.jobs_read = jobs;
  workload.jobs.reserve(static_cast<std::size_t>(jobs));
  return workload;
}

Job& add_model_job(Workload& workload, const ModelJob& made, Budget& budget) {
  budget.charge(kUnitsOfModelJob);
  const auto ticks = ticks_from_seconds(made.submit);
  if (!ticks) {
    throw Error(ErrorCode::kInput,
                fmt::format("{}: submit times are out of range; ask for fewer jobs",
                            workload.name));
  }
  Job job;
  job.id = static_cast<std::int64_t>(workload.jobs.size()) + 1;
  job.submit = *ticks;
  job.size = made.size;
  job.length = job.walltime = made.length;
  job.walltime_given = false;
  workload.jobs.push_back(job);
  return workload.jobs.back();
}

Duration whole_seconds(double time) {
  return seconds(std::max<std::int64_t>(1, std::llround(time)));
}

}  // namespace berth
