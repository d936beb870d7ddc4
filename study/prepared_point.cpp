#include "study/prepared_point.hpp"

#include <filesystem>

#include "engine/output/manifest.hpp"

namespace berth::study {

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
  point.attributes = workload->loaded.attributes;
}

std::string scenario_name(const Scenario& scenario, const Workload& workload) {
  if (!scenario.title.empty()) return scenario.title;
  if (!scenario.file.empty()) {
    return std::filesystem::path(scenario.file).stem().string();
  }
  return workload.name;
}

}  // namespace berth::study
