#include "study/runs/run_identity.hpp"

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <filesystem>
#include <utility>

#include "engine/machines/sharing_models.hpp"
#include "engine/output/sha256.hpp"
#include "study/common/version.hpp"
#include "study/scenario/input_files.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace {

constexpr int kResultFormat = 1;

// A TOML string.
std::string in_quotes(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (is_control) {
      made += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      if (c == '"' || c == '\\') made += '\\';
      made += c;
    }
  }
  return made + '"';
}

std::string toml_text(const SettingValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return in_quotes(*text);
  return text_of(value);
}

std::string toml_text(const bindings::ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return in_quotes(*text);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return text_of(SettingValue(std::get<double>(value)));
}

// The section [classes]; nothing without classes.
std::string classes_text(const JobClasses& classes) {
  if (classes.empty()) return {};
  std::string text = "\n[classes]\n";
  for (const auto& one : classes.named()) {
    text += fmt::format("{} = {}\n", one.name, in_quotes(one.condition));
  }
  std::string fields;
  for (const auto& field : classes.fields()) {
    fields += fmt::format("{}\"{}\"", fields.empty() ? "" : ", ", field);
  }
  return fields.empty() ? text : fmt::format("{}by = [{}]\n", text, fields);
}

// The lines of the user's own metrics in the section [metrics].
std::string own_metrics_text(const std::vector<OwnMetric>& metrics) {
  std::string text;
  for (const auto& own : metrics) {
    const auto file = std::filesystem::path(own.file).filename().string();
    text += fmt::format("{} = {}\n", own.name(), in_quotes(file));
  }
  return text;
}

// The head of a section, and what it has besides settings: TOML wants each section
// once.
// A section of all users, as limits.users.*, has a name that TOML wants in quotes.
std::string section_text(const Scenario& scenario, std::string_view section) {
  const bool is_of_all = section.ends_with(".*");
  const auto bare = section.substr(0, section.size() - (is_of_all ? 1 : 0));
  auto text = fmt::format("\n[{}{}]\n", bare, is_of_all ? "\"*\"" : "");
  if (section == "metrics") text += own_metrics_text(scenario.run.own_metrics);
  return text;
}

}  // namespace

std::string policy_text(const LoadedPolicy& policy) {
  const auto& name = policy.choice.name;
  const auto base = std::filesystem::path(name).filename().string();
  auto text = fmt::format("{{ name = {}",
                          in_quotes(policy.choice.is_file() ? "./" + base : base));
  if (policy.recorded) return text + " }";
  for (const auto& [key, value] : policy.policy->values()) {
    text += fmt::format(", {} = {}", key, toml_text(value));
  }
  return text + " }";
}

std::string settings_text(Scenario scenario, std::string_view policies) {
  const auto base_name = [](const std::string& file) {
    return std::filesystem::path(file).filename().string();
  };
  rename_inputs(scenario, base_name);
  const bool has_trace = !scenario.workload.trace.empty();
  const bool is_mixed = !scenario.workload.mix.empty();
  std::string text;
  std::string_view section;
  for (const auto* each : settings_of(scenario)) {
    const auto& setting = *each;
    if (scenario.is_of_cases() && is_of_machine(setting.section)) continue;
    const bool is_of_other_study = find_case_study(setting.section) != nullptr &&
                                   setting.section != scenario.study;
    if (is_of_other_study) continue;
    if (has_trace && belongs_to_a_model(setting.key())) continue;
    if (is_mixed && setting.key() == "workload.trace") continue;  // its first part
    if (setting.section != section) text += section_text(scenario, setting.section);
    section = setting.section;
    if (setting.kind == SettingKind::kPolicies) {
      text += fmt::format("policies = [{}]\n", policies);
    } else if (const auto value = setting.value(scenario)) {
      ((text += setting.name) += " = ") += toml_text(*value);
      text += '\n';
    }
  }
  return text + classes_text(scenario.run.classes);
}

std::string resolved_text(const Scenario& scenario, const Point& point,
                          const LoadedPolicy& policy) {
  return settings_text(resolved_scenario(scenario, point), policy_text(policy));
}

std::string policy_identity(const LoadedPolicy& policy) {
  auto text = policy_text(policy) + "\n";
  if (policy.recorded) return text;
  for (const auto& source : policy.policy->sources()) {
    text += fmt::format("{} {}\n", source.name, sha256(source.text));
  }
  return text;
}

Manifest manifest_of(const LoadedPolicy& policy, const std::string& identity) {
  Manifest made;
  made.version = version();
  made.source = source_sha256();
  if (!identity.empty()) made.identity = identity;
  made.versions = {{"lua", LUA_RELEASE},
                   {"compiler", __VERSION__},
                   {"c library", gnu_get_libc_version()}};
  if (policy.policy) {
    for (const auto& source : policy.policy->sources()) {
      made.policies.push_back({source.name, sha256(source.text)});
    }
  }
  made.cpu_features = cpu_features();
  return made;
}

std::string run_identity(const Scenario& point, const std::string& policy,
                         const std::string& inputs, Audit audit) {
  Sha256 hash;
  hash.write(fmt::format("berth result {}\n{}\n", kResultFormat, source_sha256()));
  auto computed = point;  // without what is only shown
  computed.run.metrics_shown.clear();
  computed.run.primary.clear();
  hash.write(settings_text(std::move(computed), {}));
  hash.write(
      fmt::format("scenario {}\n", std::filesystem::path(point.file).stem().string()));
  hash.write(inputs);
  hash.write(fmt::format("audit {}\n", name(audit)));
  for (const auto& own : point.run.own_metrics) {
    for (const auto& source : own.sources) {
      hash.write(fmt::format("metric {} {}\n", source.name, sha256(source.text)));
    }
  }
  hash.write(policy);
  return hash.digest();
}

}  // namespace berth::study
