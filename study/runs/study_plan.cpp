#include "study/runs/study_plan.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/base/json.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/sha256.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"
#include "study/metrics/own_metrics.hpp"
#include "study/runs/run_identity.hpp"
#include "study/scenario/input_files.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace {

std::string checksum_of_file(const std::string& path) {
  FileSource file(find_input(path));
  Sha256 hash;
  std::array<char, 65536> piece{};
  for (auto size = file.read(piece.data(), piece.size()); size > 0;
       size = file.read(piece.data(), piece.size())) {
    hash.write({piece.data(), size});
  }
  return hash.digest();
}

Json policies_json(const Scenario& scenario) {
  auto list = Json::array();
  for (const auto& choice : scenario.policies) {
    const auto base = std::filesystem::path(choice.name).filename().string();
    list.append({{"name", base}, {"parameters", choice.parameters}});
  }
  return list;
}

Json axes_json(const Scenario& scenario) {
  auto list = Json::array();
  for (const auto& [key, values] : scenario.sweep) {
    auto shown = values;
    if (key == "workload.trace" || key == "packing.file") {
      for (auto& value : shown)
        value = std::filesystem::path(value).filename().string();
    }
    list.append({{"key", key}, {"values", shown}});
  }
  return list;
}

Json classes_json(const JobClasses& classes) {
  auto list = Json::array();
  for (const auto& one : classes.named()) {
    list.append({{"name", one.name}, {"condition", one.condition}});
  }
  return list;
}

// The rows that a table shows are no part of the study; the metric that decides is, and
// so are classes and the user's own metrics, whose rows count where several are judged
// together.
std::string plan_text(Scenario scenario, Audit audit) {
  scenario.run.metrics_shown.clear();
  const auto& workload = scenario.workload;
  Json json{{"format", 1},
            {"scenario", settings_text(scenario, {})},
            {"primary", scenario.run.primary},
            {"shake", workload.shake},
            {"resamples_users", workload.resample == Resample::kUsers},
            {"file", std::filesystem::path(scenario.file).stem().string()},
            {"policies", policies_json(scenario)},
            {"parameters", scenario.policy_parameters},
            {"sweep", axes_json(scenario)},
            {"audit", name(audit)}};
  const auto& classes = scenario.run.classes;
  if (!classes.named().empty()) json.add("classes", classes_json(classes));
  const auto& own = scenario.run.own_metrics;
  if (!own.empty()) json.add("metrics", own_metrics_json(own));
  return json.file_text();
}

}  // namespace

StudyPlan::StudyPlan(const Scenario& scenario, const PolicyLibrary& library,
                     LoadingOptions options, Layout layout, Audit audit)
    : scenario_(scenario),
      library_(library),
      options_(std::move(options)),
      layout_(layout),
      audit_(audit),
      grid_(scenario),
      runs_(grid_.size()) {
  text_ = plan_text(scenario, audit_);
  if (layout_ == Layout::kRun) {
    plan_run();
    return;
  }
  for (std::size_t i = 0; i < grid_.size(); ++i) plan_point(i);
  check_identities();
}

std::vector<std::string> StudyPlan::labels() const {
  std::vector<std::string> labels;
  for (const auto& run : runs_.front()) labels.push_back(run.label);
  return labels;
}

void StudyPlan::plan_run() {
  BERTH_ASSERT(grid_.size() == 1);
  loaded_ = load_policies(scenario_, library_, options_);
  for (const auto& policy : loaded_) {
    runs_.front().push_back({policy->label, {}, policy->failure});
  }
}

void StudyPlan::identify(const std::optional<std::string>& trace) {
  const auto& keys = scenario_.workload;
  if (trace && keys.mix.empty()) files_.emplace(keys.trace, *trace);
  read_inputs(scenario_);
  const auto inputs = inputs_of(scenario_);
  for (std::size_t i = 0; i < loaded_.size(); ++i) {
    auto& run = runs_.front()[i];
    if (run.failure.code != kDone) continue;
    run.identity =
        run_identity(scenario_, policy_identity(*loaded_[i]), inputs, audit_);
  }
}

std::unique_ptr<LoadedPolicy> StudyPlan::load(const Scenario& point, std::size_t policy,
                                              const PrintSink& print) {
  if (layout_ == Layout::kRun) return std::move(loaded_[policy]);
  auto alone = point;
  alone.policies = {point.policies[policy]};
  return std::move(load_policies(alone, library_, {options_.limits, print}).front());
}

bool StudyPlan::is_as_planned(const Scenario& point, const LoadedPolicy& policy,
                              const std::optional<std::string>& trace,
                              const PlannedRun& planned) const {
  if (layout_ == Layout::kRun) return true;
  const auto file = point.is_of_cases() ? case_file(point) : point.workload.trace;
  if (trace && *trace != files_.at(file)) return false;
  return planned.policy == policy_identity(policy);
}

void StudyPlan::plan_point(std::size_t number) {
  throw_if_interrupted();
  const auto point = grid_.point(number);
  read_inputs(point.scenario);
  const auto inputs = inputs_of(point.scenario);
  for (const auto& policy : policies_of(point)) {
    runs_[number].push_back(
        {policy.label, run_identity(point.scenario, policy.policy, inputs, audit_),
         policy.failure, policy.policy});
  }
}

const std::vector<PlannedRun>& StudyPlan::policies_of(const SweepPoint& point) {
  std::string parameters;
  for (const auto& [key, value] : point.settings) {
    if (key.substr(0, 9) != "policies.") continue;
    parameters += fmt::format("{}={}\n", key, value);
  }
  const auto [at, is_new] = policies_.try_emplace(parameters);
  if (!is_new) return at->second;
  for (const auto& policy : load_policies(point.scenario, library_, options_)) {
    const bool loads = policy->failure.code == kDone;
    at->second.push_back(
        {policy->label,
         {},
         policy->failure,
         loads ? policy_identity(*policy) : policy->label + parameters});
  }
  return at->second;
}

void StudyPlan::read_inputs(const Scenario& point) {
  for (const auto& file : input_files(point)) {
    if (files_.count(file) != 0) continue;
    if (file == "-") {
      throw Error(ErrorCode::kUsage,
                  "a sweep reads its trace more than once: name a file, not -");
    }
    files_.emplace(file, checksum_of_file(file));
  }
}

std::string StudyPlan::inputs_of(const Scenario& point) const {
  std::string text;
  for (const auto& file : input_files(point)) text += files_.at(file) + "\n";
  return text;
}

void StudyPlan::check_identities() const {
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    std::string all;
    for (const auto& run : runs_[i]) all += run.identity;
    const auto [at, is_new] = seen.emplace(all, i);
    if (is_new) continue;
    throw Error(scenario_.file.empty() ? ErrorCode::kUsage : ErrorCode::kInput,
                fmt::format("{}: sweep: points {} and {} are the same runs",
                            printable_name(scenario_.file), grid_.name(at->second),
                            grid_.name(i)));
  }
}

}  // namespace berth::study
