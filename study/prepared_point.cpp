#include "study/prepared_point.hpp"

#include <filesystem>

#include "engine/hosts/sharing_models.hpp"
#include "engine/output/manifest.hpp"

namespace berth::study {

Point make_point(const Scenario& scenario, std::int32_t processors,
                 const LongView<Job>& jobs) {
  Point point{scenario.machine, {}, scenario.run, jobs};
  point.machine.processors = processors;
  const auto* sharing = find_sharing_model(scenario.machine.sharing);
  BERTH_ASSERT(sharing != nullptr);
  point.machine.pick = scenario.pick.value_or(sharing->default_pick);
  point.machine.migration_cost =
      scenario.migration_cost.value_or(sharing->default_migration_cost);
  point.machine.preemption = scenario.machine.preemption || sharing->preempts;
  if (const auto at = scenario.model_settings.find("two_tier");
      at != scenario.model_settings.end()) {
    point.machine.two_tier = std::any_cast<const TwoTierSettings&>(at->second);
  }
  point.machine.two_tier.seed = static_cast<std::uint64_t>(scenario.seed);
  point.settings.pass = scenario.run.pass;
  point.settings.ties = scenario.run.ties;
  point.settings.seed = static_cast<std::uint64_t>(scenario.seed);
  return point;
}

std::shared_ptr<const PreparedWorkload> prepare_workload(
    const Scenario& scenario, const ReadingOptions& options) {
  auto made = std::make_shared<PreparedWorkload>();
  made->loaded = load_workload(scenario, options);
  made->messages = workload_warnings(made->loaded, Naming::kAsTyped);
  made->result_warnings = workload_warnings(made->loaded, Naming::kBaseName);
  if (!made->loaded.sha256) made->checksum = workload_checksum(made->loaded.workload);
  return made;
}

PreparedPoint::PreparedPoint(Scenario of, std::shared_ptr<const PreparedWorkload> with)
    : scenario(std::move(of)),
      workload(std::move(with)),
      point(make_point(scenario, workload->loaded.processors,
                       workload->loaded.workload.jobs)) {
  point.machine.two_tier.given = workload->loaded.cpu_given;
}

std::string scenario_name(const Scenario& scenario, const Workload& workload) {
  if (!scenario.title.empty()) return scenario.title;
  if (!scenario.file.empty()) {
    return std::filesystem::path(scenario.file).stem().string();
  }
  return workload.name;
}

}  // namespace berth::study
