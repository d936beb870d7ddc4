#include "study/scenario/settings_door.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bindings/tools/job_classes.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/settings_table.hpp"
#include "study/scenario/sweep_grid.hpp"

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
  const JobClasses::Named one{std::string(key.substr(key.find('.') + 1)),
                              std::string(value)};
  const auto wrong = bindings::wrong_with(one);
  if (!wrong.empty()) refuse(key, wrong);
  scenario.run.classes.add(one);
}

// The parts of "a,b" or "[a, b]".
std::vector<std::string> parts_of(std::string_view list) {
  if (list.starts_with('[') && list.ends_with(']')) {
    list = list.substr(1, list.size() - 2);
  }
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= list.size();) {
    const auto end = std::min(list.find(',', at), list.size());
    auto part = list.substr(at, end - at);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    parts.emplace_back(part);
    at = end + 1;
  }
  return parts;
}

// The values that a number may have, if this is none of them: " (1 to 100)".
std::string range_hint(const Setting& setting, const SettingValue& value) {
  const bool is_listed = setting.kind == SettingKind::kChoice;  // in what is wrong
  if (is_listed || wrong_with(setting, value).empty()) return {};
  const auto range = range_text(setting);  // "whole number, 1 to 100"
  const auto last = range.rfind(", ");
  return fmt::format(" ({})",
                     last == std::string::npos ? range : range.substr(last + 2));
}

// Where a list of values was given of which each alone would do.
std::string list_hint(const Setting& setting, std::string_view key,
                      std::string_view value) {
  const auto parts = parts_of(value);
  const bool is_list =
      parts.size() > 1 &&
      std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
        return wrong_setting(key, value_from_text(setting, part)).empty();
      });
  if (!is_list) return {};
  return fmt::format(
      "; a list is varied by --vary {}={}, or by [sweep] in the scenario", key,
      fmt::join(parts, ","));
}

// What the command line says holds at every point.
void forget_axis(Scenario& scenario, std::string_view key) {
  std::erase_if(scenario.sweep, [&](const auto& axis) { return axis.key == key; });
}

void override_one(Scenario& scenario, std::string_view key, std::string_view value,
                  std::string_view option) {
  forget_axis(scenario, key);
  const auto* setting = find_setting(key);
  if (setting == nullptr) {
    refuse(key,
           fmt::format("there is no such key{}; `berth run --help-keys` lists them",
                       key_suggestion(key)));
  }
  const auto typed = value_from_text(*setting, value);
  const auto wrong = set_setting(scenario, key, typed);
  if (wrong.empty()) return;
  refuse_value(key, option,
               wrong + range_hint(*setting, typed) + list_hint(*setting, key, value));
}

[[noreturn]] void refuse_axis(std::string_view key, std::string_view what) {
  throw Error(ErrorCode::kUsage, fmt::format("--vary {}: {}", printable(key), what));
}

// Why the axis cannot stand beside the windows of the scenario; empty: it can.
std::string_view wrong_beside_windows(std::string_view key) {
  if (key == "seed") return "the windows of the scenario are the replications";
  if (key == "workload.from" || key == "workload.to" || key == "workload.window") {
    return "the windows of the scenario set it";
  }
  return {};
}

// As text that --set takes; parameters of policies are checked where they are set.
std::vector<std::string> axis_values(std::string_view key, std::string_view list) {
  const auto* setting = find_setting(key);
  const bool is_parameter = key.starts_with("policies.");
  if (key == "run.policies") {
    refuse_axis(key, "policies are compared, not varied: name each by --policy");
  }
  if (setting == nullptr && !is_parameter) {
    refuse_axis(
        key, fmt::format("there is no such key{}; `berth run --help-keys` lists them",
                         key_suggestion(key)));
  }
  std::vector<std::string> values;
  for (auto& part : parts_of(list)) {
    if (part.empty()) refuse_axis(key, "a value is empty: write KEY=a,b,c");
    if (!is_parameter) {
      const auto typed = value_from_text(*setting, part);
      const auto wrong = wrong_setting(key, typed);
      if (!wrong.empty()) refuse_axis(key, wrong + range_hint(*setting, typed));
      part = text_of(typed);
    }
    if (std::find(values.begin(), values.end(), part) != values.end()) {
      refuse_axis(key,
                  fmt::format("{} stands there twice: two points would be the same",
                              printable(part)));
    }
    values.push_back(std::move(part));
  }
  return values;
}

}  // namespace

std::string set_setting(Scenario& scenario, std::string_view key,
                        const SettingValue& value, std::string_view place) {
  const auto* setting = find_setting(key);
  BERTH_ASSERT(setting != nullptr);
  if (auto wrong = wrong_with(*setting, value); !wrong.empty()) return wrong;
  try {
    setting->set(scenario, value);
  } catch (const Error& error) {
    return error.what();
  }
  scenario.places.erase(std::string(key));
  if (!place.empty()) scenario.places.emplace(key, place);
  return {};
}

std::string wrong_setting(std::string_view key, const SettingValue& value) {
  Scenario trial;
  return set_setting(trial, key, value);
}

void vary_setting(Scenario& scenario, std::string_view assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    refuse_axis(assignment, "write --vary key=a,b,c, such as workload.load=0.6,0.8");
  }
  const auto key = assignment.substr(0, equals);
  SweepAxis axis{std::string(key), axis_values(key, assignment.substr(equals + 1))};
  const auto beside = wrong_beside_windows(key);
  if (scenario.windows && !beside.empty()) refuse_axis(key, beside);
  forget_axis(scenario, key);
  std::size_t points = axis.values.size();
  for (const auto& other : scenario.sweep) points *= other.values.size();
  if (points > kMostPoints) {
    refuse_axis(key, fmt::format("more than {} points", kMostPoints));
  }
  const bool before_seed =
      key != "seed" && !scenario.sweep.empty() && scenario.sweep.back().key == "seed";
  scenario.sweep.insert(scenario.sweep.end() - (before_seed ? 1 : 0), std::move(axis));
}

void set_option(Scenario& scenario, std::string_view key, std::string_view value,
                std::string_view option) {
  if (!value.empty()) override_one(scenario, key, value, option);
}

void override_setting(Scenario& scenario, std::string_view assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    refuse(assignment, "write --set key=value, such as --set machine.processors=64");
  }
  const auto key = assignment.substr(0, equals);
  const auto value = assignment.substr(equals + 1);
  forget_axis(scenario, key);
  if (key == "run.policies") return override_policies(scenario, value);
  if (key.substr(0, 9) == "policies.") return override_parameter(scenario, key, value);
  if (key.starts_with("classes.")) return override_class(scenario, key, value);
  override_one(scenario, key, value, {});
}

}  // namespace berth::study
