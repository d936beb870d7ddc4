#include "study/policies/policy_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/base/printable.hpp"
#include "engine/machines/sharing_models.hpp"

namespace berth::study {

namespace {

std::map<std::string, std::string> parameters_of(const Scenario& scenario,
                                                 const PolicyChoice& choice) {
  auto parameters = choice.parameters;
  const auto shared = scenario.policy_parameters.find(choice.stem());
  if (shared == scenario.policy_parameters.end()) return parameters;
  parameters.insert(shared->second.begin(), shared->second.end());
  return parameters;
}

// The setting of the machine that a policy may set for itself.
std::optional<bindings::Parameter> parameter_of_machine(const Scenario& scenario) {
  const auto& model = model_of(scenario.machine);
  if (model.own_parameter.empty()) return std::nullopt;
  const auto own = model.settings();
  const auto given = scenario.model_settings.find(model.name);
  const auto& settings =
      given != scenario.model_settings.end() ? given->second : own.defaults;
  const auto record =
      std::find_if(own.records.begin(), own.records.end(),
                   [&](const auto& each) { return each.name == model.own_parameter; });
  BERTH_ASSERT(record != own.records.end());
  return bindings::Parameter{std::string(record->name),
                             std::string(record->help),
                             text_of(record->value(settings).value()),
                             std::nullopt,
                             std::nullopt,
                             record->choices};
}

void load(LoadedPolicy& entry, const bindings::PolicyFile& file,
          const bindings::PolicyOptions& options) try {
  entry.policy = std::make_unique<bindings::LuaPolicy>(file, options);
  entry.label = entry.policy->traits().label;
} catch (const Error& error) {
  entry.failure = failure_now();
  // A parameter that the policy does not have is a mistake of the scenario.
  if (error.code() != ErrorCode::kUsage) return;
  const auto& place = entry.choice.place;
  if (place.empty()) throw;
  throw Error(ErrorCode::kInput, place + "run.policies: " + error.what());
} catch (...) {
  entry.failure = failure_now();
}

void check_labels(const std::vector<std::unique_ptr<LoadedPolicy>>& policies) {
  std::map<std::string, int> seen;
  for (const auto& entry : policies) {
    if (entry->failure.code == kDone && ++seen[entry->label] == 2) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("two policies would be called {}: labels are the stem of "
                              "the file and the parameters off their default; rename "
                              "one file or change a parameter",
                              entry->label));
    }
  }
}

// No file: what a trace recorded is hidden from scripts.
void load_recorded(LoadedPolicy& entry, const Scenario& scenario) {
  Recorded::require_submits_as_recorded(scenario);
  entry.label = Recorded::kName;
  entry.recorded = std::make_unique<Recorded>();
  const auto parameters = parameters_of(scenario, entry.choice);
  if (parameters.empty()) return;
  const auto what = fmt::format("recorded: there is no parameter {}; it has none",
                                printable(parameters.begin()->first));
  const auto& place = entry.choice.place;
  if (place.empty()) throw Error(ErrorCode::kUsage, what);
  throw Error(ErrorCode::kInput, place + "run.policies: " + what);
}

bindings::PolicyOptions options_for(const Scenario& scenario,
                                    const PolicyLibrary& library, LoadedPolicy& entry,
                                    const LoadingOptions& options) {
  bindings::PolicyOptions made;
  made.limits = options.limits;
  made.line = options.line;
  if (options.profiles != nullptr) made.profile = &options.profiles->emplace_back();
  made.seed = static_cast<std::uint64_t>(scenario.seed);
  made.parameters = parameters_of(scenario, entry.choice);
  made.of_machine = parameter_of_machine(scenario);
  made.library = library.sources_for(entry.choice);
  made.print = [&entry, print = options.print](std::string_view line) {
    const auto now = entry.policy ? entry.policy->now() : std::nullopt;
    entry.printed.push_back(now ? fmt::format("t={} {}", seconds_text(*now), line)
                                : std::string(line));
    if (print) print(entry.label, entry.printed.back());
  };
  return made;
}

}  // namespace

std::vector<std::unique_ptr<LoadedPolicy>> load_policies(
    const Scenario& scenario, const PolicyLibrary& library,
    const LoadingOptions& options) {
  if (scenario.policies.empty()) {
    throw Error(scenario.file.empty() ? ErrorCode::kUsage : ErrorCode::kInput,
                "no policy to run: add --policy easy (`berth policies` lists the "
                "built-in ones), or policies = [\"easy\"] under [run]");
  }
  std::vector<std::optional<bindings::PolicyFile>> files;  // nullopt: recorded
  for (const auto& choice : scenario.policies) {
    throw_if_interrupted();
    files.emplace_back();
    if (choice.name != Recorded::kName) files.back() = library.find(choice);
  }
  std::vector<std::unique_ptr<LoadedPolicy>> policies;
  for (std::size_t i = 0; i < files.size(); ++i) {
    throw_if_interrupted();
    auto entry = std::make_unique<LoadedPolicy>();
    entry->choice = scenario.policies[i];
    if (const auto& file = files[i]) {
      entry->label = plain_text(file->stem, Newlines::kEscape);
      load(*entry, *file, options_for(scenario, library, *entry, options));
    } else {
      load_recorded(*entry, scenario);
    }
    policies.push_back(std::move(entry));
  }
  check_labels(policies);
  return policies;
}

std::unique_ptr<LoadedPolicy> load_text(const Scenario& scenario,
                                        const PolicyLibrary& library,
                                        const bindings::PolicyFile& file,
                                        const LoadingOptions& options) {
  auto entry = std::make_unique<LoadedPolicy>();
  entry->choice.name = file.stem;
  const auto made = options_for(scenario, library, *entry, options);
  entry->policy = std::make_unique<bindings::LuaPolicy>(file, made);
  entry->label = entry->policy->traits().label;
  return entry;
}

}  // namespace berth::study
