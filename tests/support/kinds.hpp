#pragma once
// Runs on machines with several kinds of resource or hosts.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/audit/auditor.hpp"
#include "tests/support/builders.hpp"

namespace berth::test {

inline constexpr std::int64_t kGib = 1024 * 1024;

// Columns of a file of needs: by name of the kind ("chunks" too) and number of the job.
using NeedColumns = std::map<std::string, std::map<std::int64_t, std::vector<double>>>;

// A pool of so many processors, GiB of memory and counts.
[[nodiscard]] inline sim::Machine a_pool(std::int32_t processors, std::int64_t memory,
                                         NamedAmounts wide = {}) {
  auto machine = a_machine(processors);
  machine.resources.memory = memory * kGib;
  machine.resources.wide = std::move(wide);
  return machine;
}

[[nodiscard]] inline sim::Machine with_hosts(std::vector<HostGroup> groups,
                                             NamedAmounts wide = {}) {
  auto machine = a_machine(1);
  machine.resources.hosts = std::move(groups);
  machine.resources.wide = std::move(wide);
  machine.processors = static_cast<std::int32_t>(processors_of(machine.resources));
  return machine;
}

struct KindsRun {
  Remembering watched;
  std::map<std::string, std::int64_t> checked;  // by rule
};

// To the end, under the whole audit; jobs are in order.
[[nodiscard]] inline KindsRun run_kinds(const std::vector<Job>& jobs,
                                        const NeedColumns& needs,
                                        const sim::Machine& machine,
                                        sim::Policy& policy,
                                        const sim::Settings& settings = {}) {
  auto columns = std::make_shared<JobColumns>(jobs);
  for (const auto& [name, values] : needs) columns->add("needs." + name, values);
  const ModelSpec spec{machine, jobs, columns, 0};
  const auto& model = model_of(machine);
  sim::Simulation simulation(machine, settings, jobs, policy, model.make(spec));
  KindsRun run;
  audit::Auditor auditor({machine, settings, jobs, policy.traits()}, model.law(spec),
                         audit::Thoroughness::kFull);
  simulation.audience().observe(run.watched);
  simulation.audience().observe(auditor);
  simulation.advance(kNever);
  simulation.finish();
  run.checked = auditor.checked();
  return run;
}

}  // namespace berth::test
