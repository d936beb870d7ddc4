#include "study/tests/case_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "engine/base/error.hpp"
#include "engine/machines/sharing_models.hpp"
#include "study/inputs/machine_source.hpp"
#include "study/scenario/settings_door.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace {

using bindings::PolicyCase;

constexpr std::int64_t kMostProcessors = 100'000;  // some machines keep each of them

// They say what is asked of several runs, or how it is shown.
constexpr std::array<std::string_view, 7> kOfStudies{
    "title",       "study",       "run.policies",    "run.metrics",
    "run.primary", "run.batches", "run.expectations"};

[[noreturn]] void refuse_field(std::string_view field, std::string_view what) {
  throw Error(ErrorCode::kPolicy, fmt::format("{}: {}", field, what));
}

bool is_of(const ModelRecord& model, const std::string& key) {
  if (model.settings == nullptr) return false;
  const auto own = model.settings();
  return std::any_of(own.records.begin(), own.records.end(),
                     [&](const auto& each) { return each.key() == key; }) ||
         std::any_of(own.named.begin(), own.named.end(), [&](const auto& each) {
           return names_in(each.key(), key, each.kind_of_name).has_value();
         });
}

bool is_of_a_machine(const std::string& key) {
  const auto models = sharing_models();
  return std::any_of(models.begin(), models.end(),
                     [&](const auto& model) { return is_of(model, key); });
}

// Why no case has such a setting; empty: it may.
std::string_view misplaced(const Setting& setting, const SettingValue& value) {
  const auto key = setting.key();
  const bool is_of_study =
      std::find(kOfStudies.begin(), kOfStudies.end(), key) != kOfStudies.end();
  if (is_of_study || setting.section == "expectations" ||
      find_case_study(setting.section) != nullptr) {
    return "a case is one run, and this is for a study";
  }
  const auto top = setting.section.substr(0, setting.section.find('.'));
  if (top == "workload" && !is_of_a_machine(key)) {
    return "a case has jobs of its own, or names a scenario or a trace";
  }
  if (names_file(setting, value)) {
    return "a case reads no file but a scenario or a trace";
  }
  return {};
}

// Of several keys with one older name that of the machine is meant.
std::string key_of(const std::string& field, const ModelRecord& model) {
  const auto keys = keys_of_alias(field);
  if (keys.empty()) return field;
  const auto own = std::find_if(keys.begin(), keys.end(),
                                [&](const auto& key) { return is_of(model, key); });
  return own != keys.end() ? *own : keys.front();
}

void set(Scenario& scenario, const std::string& field, const SettingValue& value) {
  const auto key = key_of(field, model_of(scenario.machine));
  const auto* setting = find_setting(key);
  if (setting == nullptr) {
    refuse_field(field, fmt::format("there is no such key{}", key_suggestion(field)));
  }
  if (const auto why = misplaced(*setting, value); !why.empty())
    refuse_field(field, why);
  if (const auto wrong = set_setting(scenario, key, value); !wrong.empty()) {
    refuse_field(field, wrong);
  }
}

bool is_sharing(const std::string& field) {
  return field == "sharing" || field == "machine.sharing";
}

Scenario made_of(const PolicyCase& of) {
  Scenario scenario;
  // The machine tells which setting an older name means.
  for (const bool first : {true, false}) {
    for (const auto& [field, value] : of.settings) {
      if (is_sharing(field) == first) set(scenario, field, value);
    }
  }
  return scenario;
}

// A case of a trace may say its processors, one of a scenario nothing.
void require_nothing_else(const PolicyCase& of) {
  for (const auto& each : of.settings) {
    if (each.first == "processors" && of.scenario.empty()) continue;
    throw Error(ErrorCode::kPolicy,
                fmt::format("the scenario or trace decides about {}", each.first));
  }
}

void take(PolicyCase& of) {
  auto scenario = made_of(of);
  of.processors = scenario.processors;
  if (!of.scenario.empty() || !of.trace.empty()) {
    require_nothing_else(of);
  } else {
    if (const auto made = processors_of_machine(scenario)) of.processors = made;
    if (!of.processors) refuse_field("processors", "how many has the machine?");
  }
  if (of.processors.value_or(1) > kMostProcessors) {
    refuse_field("processors", fmt::format("{} is above {}, the most that a case has",
                                           *of.processors, kMostProcessors));
  }
  of.made = std::move(scenario);
}

bindings::CaseSettings make_fields() {
  std::set<std::string> fields;
  const auto add = [&](std::string_view key) {
    fields.emplace(key.substr(0, key.find('.')));
  };
  for (const auto& setting : settings()) {
    add(setting.key());
    for (const auto alias : setting.aliases) add(alias);
  }
  return {{fields.begin(), fields.end()}, take};
}

}  // namespace

const bindings::CaseSettings& fields_of_cases() {
  static const auto kMade = make_fields();
  return kMade;
}

const Scenario& scenario_of(const PolicyCase& of) {
  return std::any_cast<const Scenario&>(of.made);
}

}  // namespace berth::study
