#include "engine/hosts/fractional.hpp"

#include "engine/audit/laws/fraction_law.hpp"
#include "engine/models/records.hpp"

namespace berth {

namespace {

NeedsOfTasks needs_of_tasks(const ModelSpec& spec) {
  return {settings_of<FractionalSettings>(spec.machine), spec.seed, spec.attributes,
          [jobs = spec.jobs](JobId job) { return jobs[index(job)].memory_kib; }};
}

}  // namespace

ModelRecord fractional_record() {
  return {
      .name = "fractional",
      .help =
          "hosts shared by fractions: tasks with CPU and memory needs, shares that a "
          "policy sets, jobs that move",
      .preempts = true,
      .counts_tell = false,
      .settings =
          [] {
            return own_settings(FractionalSettings{}, fractional_setting_records());
          },
      .make = [](const ModelSpec& spec) -> std::unique_ptr<SharingModel> {
        return std::make_unique<Fractional>(spec.machine.processors,
                                            needs_of_tasks(spec));
      },
      .law = [](const ModelSpec& spec) -> std::unique_ptr<audit::Law> {
        return std::make_unique<audit::FractionLaw>(spec.machine, spec.jobs,
                                                    needs_of_tasks(spec));
      },
      .busy = [](const ModelSpec& spec) -> ModelRecord::BusyProcessors {
        return [needs = needs_of_tasks(spec), jobs = spec.jobs](JobId job) {
          const auto tasks = jobs[index(job)].size;
          return tasks * needs.of(job, tasks).cpu;
        };
      },
  };
}

}  // namespace berth
