// In place of study/inputs/workload_source.cpp: the jobs of a page are plain SWF.  What
// a scenario says of traces, models and loads berth has done when it wrote the page.

#include "study/inputs/workload_source.hpp"

#include <fmt/format.h>

#include <limits>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/workload/swf_reader.hpp"
#include "engine/workload/warnings.hpp"
#include "study/common/file_source.hpp"
#include "study/inputs/machine_source.hpp"

namespace berth::study {

namespace {

std::int32_t processors_of(const Scenario& scenario, const Workload& workload) {
  if (const auto made = processors_of_machine(scenario)) return *made;
  if (scenario.processors) return *scenario.processors;
  if (workload.processors) return *workload.processors;
  throw Error(
      ErrorCode::kInput,
      fmt::format("{}: no MaxProcs/MaxNodes header says how large the machine is",
                  printable_name(scenario.workload.trace)));
}

void keep_for_ever(Workload& workload, Budget& budget) {
  constexpr auto kForEver = seconds(static_cast<std::int64_t>(kMaxSeconds));
  budget.charge_each(workload.jobs.size());
  for (auto& job : workload.jobs) {
    job.length = kForEver;
    job.walltime = kForEver;
    job.walltime_given = true;
  }
}

}  // namespace

JobFileForm needs_form_of(const Scenario&) { return {}; }

SizedWorkload load_workload(const Scenario& scenario, const ReadingOptions& options,
                            Budget& budget) {
  const auto& file = scenario.workload.trace;
  FileSource source(file);
  SizedWorkload loaded;
  auto& workload = loaded.workload;
  workload =
      read_swf(source, {file, options.strict, false, options.keep_recorded}, budget);
  if (workload.jobs.empty()) {
    throw Error(ErrorCode::kInput,
                printable_name(file) + ": there is no job in it to run");
  }
  loaded.sha256 = "";
  loaded.processors = processors_of(scenario, workload);
  loaded.widest = model_of(scenario.machine).shares_processors
                      ? std::numeric_limits<std::int32_t>::max()
                      : loaded.processors;
  if (!scenario.workload.departures) keep_for_ever(workload, budget);
  loaded.attributes = std::make_shared<JobColumns>(workload.jobs);
  return loaded;
}

std::vector<std::string> workload_warnings(SizedWorkload& loaded, Naming, Budget&) {
  return warnings(loaded.workload);
}

}  // namespace berth::study
