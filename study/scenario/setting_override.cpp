#include "study/scenario/setting_override.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace {

[[noreturn]] void refuse(std::string_view assignment, std::string_view what) {
  throw Error(ErrorCode::kUsage,
              fmt::format("--set {}: {}", printable(assignment), what));
}

// Names the option that stands for the key, if there is one.
[[noreturn]] void refuse_value(std::string_view key, std::string_view option,
                               std::string_view what) {
  if (option.empty()) refuse(key, what);
  throw Error(ErrorCode::kUsage, fmt::format("{}: {}", option, what));
}

void override_policies(Scenario& scenario, std::string_view value) {
  if (!value.empty() && value.front() == '[') {
    const auto text = fmt::format("run.policies = {}\n", value);
    scenario.policies = read_scenario("--set", text).policies;
    return;
  }
  auto choice = parse_policy_choice(value);
  if (!choice) refuse("run.policies", choice.reason());
  scenario.policies = {std::move(choice.value())};
}

// REQUIRES: `key` begins with "policies.".
void override_parameter(Scenario& scenario, std::string_view key,
                        std::string_view value) {
  const auto rest = key.substr(key.find('.') + 1);
  const auto dot = rest.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == rest.size()) {
    refuse(key, "write policies.NAME.PARAMETER=value");
  }
  const auto name = rest.substr(0, dot);
  bool runs = false;
  for (auto& policy : scenario.policies) {
    if (policy.stem() != name) continue;
    policy.parameters[std::string(rest.substr(dot + 1))] = value;
    runs = true;
  }
  if (!runs) refuse(key, fmt::format("no policy '{}' is in this run", printable(name)));
}

void override_class(Scenario& scenario, std::string_view key, std::string_view value) {
  auto made = JobClass::parse(key.substr(key.find('.') + 1), value);
  if (!made) refuse(key, made.reason());
  scenario.run.metrics.classes.add(std::move(made.value()));
}

// "100,120" or "[100, 120]" for a key that takes one of them: " ...[sweep]..."; else
// nothing.
std::string list_hint(const Setting& setting, std::string_view value) {
  if (value.starts_with('[') && value.ends_with(']')) {
    value = value.substr(1, value.size() - 2);
  }
  if (value.find(',') == std::string_view::npos) return {};
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= value.size();) {
    const auto end = std::min(value.find(',', at), value.size());
    auto part = value.substr(at, end - at);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    const auto typed = value_from_text(setting, part);
    if (!wrong_with(setting, typed).empty()) return {};
    parts.emplace_back(part);
    at = end + 1;
  }
  return fmt::format(
      "; to try several values write them under [sweep] of a scenario: "
      "\"{}\" = [{}]",
      setting.key(), fmt::join(parts, ", "));
}

void override_one(Scenario& scenario, std::string_view key, std::string_view value,
                  std::string_view option) {
  const auto* setting = find_setting(key);
  if (setting == nullptr) {
    refuse(key,
           fmt::format("there is no such key{}; `berth run --help-keys` lists them",
                       key_suggestion(key)));
  }
  const auto typed = value_from_text(*setting, value);
  if (const auto wrong = wrong_with(*setting, typed); !wrong.empty()) {
    const auto range = range_text(*setting);  // "whole number, 1 to 100"
    const auto last = range.rfind(", ");
    if (const auto hint = list_hint(*setting, value); !hint.empty()) {
      refuse_value(key, option, fmt::format("{}{}", wrong, hint));
    }
    const bool has_listed = setting->kind == SettingKind::kChoice;
    refuse_value(
        key, option,
        has_listed
            ? wrong
            : fmt::format("{} ({})", wrong,
                          last == std::string::npos ? range : range.substr(last + 2)));
  }
  if (const auto wrong = wrong_metrics(key, typed); !wrong.empty()) {
    refuse_value(key, option, wrong);
  }
  setting->set(scenario, typed);
  scenario.places.erase(std::string(key));
}

}  // namespace

void override_setting(Scenario& scenario, std::string_view assignment,
                      std::string_view option) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    refuse(assignment, "write --set key=value, such as --set machine.processors=64");
  }
  const auto key = assignment.substr(0, equals);
  const auto value = assignment.substr(equals + 1);
  // What the command line says holds at every point.
  const auto is_key = [&](const SweepAxis& axis) { return axis.key == key; };
  scenario.sweep.erase(
      std::remove_if(scenario.sweep.begin(), scenario.sweep.end(), is_key),
      scenario.sweep.end());
  if (key == "run.policies") return override_policies(scenario, value);
  if (key.substr(0, 9) == "policies.") return override_parameter(scenario, key, value);
  if (key.starts_with("classes.")) return override_class(scenario, key, value);
  override_one(scenario, key, value, option);
}

}  // namespace berth::study
