#include "study/scenario/input_files.hpp"

#include <filesystem>
#include <optional>

#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

bool is_file_name(const std::string& path) { return !path.empty() && path != "-"; }

std::vector<const Setting*> find_file_settings() {
  std::vector<const Setting*> all;
  for (const auto& setting : settings()) {
    const bool may_name_file = setting.kind == SettingKind::kInputFile ||
                               setting.kind == SettingKind::kJobValues;
    if (may_name_file) all.push_back(&setting);
  }
  return all;
}

const std::vector<const Setting*>& file_settings() {
  static const auto kAll = find_file_settings();
  return kAll;
}

}  // namespace

std::vector<std::string> input_files(const Scenario& scenario) {
  const auto& keys = scenario.workload;
  std::vector<std::string> files;
  if (!keys.trace.empty()) files.push_back(keys.trace);
  for (const auto& part : keys.mix) files.push_back(part.trace);
  if (scenario.is_of_cases()) {
    if (auto file = case_file(scenario); !file.empty())
      files.push_back(std::move(file));
  }
  for (const auto* setting : file_settings()) {
    const auto value = setting->value(scenario);
    if (value && names_file(*setting, *value)) files.push_back(text_of(*value));
  }
  return files;
}

void rename_inputs(Scenario& scenario,
                   const std::function<std::string(const std::string&)>& rename) {
  const auto apply = [&](std::string& path) {
    if (is_file_name(path)) path = rename(path);
  };
  apply(scenario.workload.trace);
  for (auto& part : scenario.workload.mix) apply(part.trace);
  if (scenario.is_of_cases()) {
    auto file = case_file(scenario);
    apply(file);
    find_setting(scenario.study + ".file")->set(scenario, file);
  }
  for (const auto* setting : file_settings()) {
    const auto value = setting->value(scenario);
    if (!value || !names_file(*setting, *value)) continue;
    setting->set(scenario, rename(text_of(*value)));
  }
  for (auto& axis : scenario.sweep) {
    const bool is_of_files =
        axis.key == "workload.trace" ||
        (scenario.is_of_cases() && axis.key == scenario.study + ".file");
    if (!is_of_files) continue;
    for (auto& path : axis.values) apply(path);
  }
}

InputPaths found_inputs(const Scenario& scenario) {
  InputPaths found;
  for (const auto& path : input_files(scenario)) {
    if (!is_file_name(path)) continue;
    found.emplace(fs::path(path).filename().string(),
                  fs::absolute(find_input(path)).lexically_normal().string());
  }
  return found;
}

void recall_inputs(Scenario& scenario, const fs::path& folder) {
  std::optional<InputPaths> remembered;
  rename_inputs(scenario, [&](const std::string& path) {
    std::error_code failed;
    if (fs::exists(path, failed)) return path;
    if (!remembered) remembered = remembered_inputs(folder);
    const auto at = remembered->find(fs::path(path).filename().string());
    const bool is_there = at != remembered->end() && fs::exists(at->second, failed);
    return is_there ? at->second : path;
  });
}

}  // namespace berth::study
