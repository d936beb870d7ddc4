// Every key of a scenario, set by a file, by --set and by a case of a policy: the same
// value, and the same words for a wrong one.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/machines/sharing_models.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/settings_door.hpp"
#include "study/scenario/settings_table.hpp"
#include "study/tests/case_settings.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)

namespace {

using Given = std::vector<std::pair<std::string, SettingValue>>;

constexpr std::array<std::string_view, 3> kRules{
    "a case is one run, and this is for a study",
    "a case has jobs of its own, or names a scenario or a trace",
    "a case reads no file but a scenario or a trace"};

// "machine.hosts.a.count" of "machine.hosts.*.count".
std::string key_of(const Setting& setting) {
  auto names = is_numbered(setting.section) ? "7" : "gpu";
  if (setting.section == "machine.hosts.*") names = "a";
  if (setting.section == "machine.hosts.*.resources") names = "a.gpu";
  return key_with(setting.key(), names);
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

// Of each group of hosts with this key as much as it needs; those of a machine that
// counts hosts have no processors.
void add_hosts(const std::string& key, bool counts_hosts, Given& to) {
  const bool is_of_group = key.starts_with("machine.hosts.");
  if (!is_of_group && !counts_hosts) return;
  const bool is_of_devices = key.find(".devices.") != std::string::npos;
  const std::string group = is_of_devices ? "machine.hosts.gpu" : "machine.hosts.a";
  const auto add = [&](const std::string& name, const SettingValue& value) {
    if (key != group + name) to.emplace_back(group + name, value);
  };
  add(".count", std::int64_t{1});
  if (!counts_hosts) add(".processors", std::int64_t{1});
  if (!is_of_devices) return;
  add(".devices.type", std::string("T4"));
  add(".devices.count", std::int64_t{1});
}

// What a scenario with this key needs besides.
Given beside(const std::string& key) {
  Given made;
  const auto section = key.substr(0, key.find('.'));
  if (find_case_study(section) != nullptr) made.emplace_back("study", section);
  bool has_size = key.starts_with("machine.hosts.") || key == "machine.hosts_file" ||
                  key == "machine.processors";
  bool counts_hosts = false;
  for (const auto& model : sharing_models()) {
    if (!is_of(model, key)) continue;
    made.emplace_back("machine.sharing", std::string(model.name));
    has_size = has_size || model.processors != nullptr;
    counts_hosts = counts_hosts || model.counts_hosts;
  }
  add_hosts(key, counts_hosts, made);
  if (key.starts_with("shares.billing.")) {
    made.emplace_back("machine.resources.gpu", std::int64_t{1});
  }
  const bool is_of_cases = find_case_study(section) != nullptr || key == "study";
  if (!has_size && !is_of_cases) {
    made.emplace_back("machine.processors", std::int64_t{4});
  }
  return made;
}

std::string shown(const Scenario& scenario, const std::string& key) {
  const auto value = find_setting(key)->value(scenario);
  return value ? text_of(*value) : "open";
}

std::string quoted(const SettingValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return '"' + *text + '"';
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:#}", *real);
  return text_of(value);
}

// The scenario, or why there is none.
struct Made {
  std::optional<Scenario> scenario;
  std::string error{};
};
Made attempt(const std::function<Scenario()>& make) try {
  return {make()};
} catch (const Error& error) {
  return {std::nullopt, error.what()};
}

Made by_file(const Given& given) {
  std::string top;
  std::string text;
  for (const auto& [key, value] : given) {
    const auto dot = key.rfind('.');
    if (dot == std::string::npos) {
      top += fmt::format("{} = {}\n", key, quoted(value));
    } else {
      text += fmt::format("{} = {}\n", key, quoted(value));
    }
  }
  return attempt([&] { return read_scenario("s.toml", top + text); });
}

Made by_set(const Given& given) {
  return attempt([&] {
    Scenario scenario;
    for (const auto& [key, value] : given) {
      override_setting(scenario, key + "=" + text_of(value));
    }
    return scenario;
  });
}

Made by_case(const Given& given) {
  std::string text = "local c = { 'c', jobs = { { 0, 1, 1 } }, starts = { 0 } }\n";
  for (const auto& [key, value] : given) {
    std::string at = "c";
    for (std::size_t from = 0; from < key.size();) {
      const auto dot = std::min(key.find('.', from), key.size());
      at += fmt::format("[\"{}\"]", key.substr(from, dot - from));
      text += dot == key.size() ? fmt::format("{} = {}\n", at, quoted(value))
                                : fmt::format("{0} = {0} or {{}}\n", at);
      from = dot + 1;
    }
  }
  return attempt([&] {
    return scenario_of(bindings::read_policy_cases(
        {"x", "x.test.lua", text + "return { c }"}, {}, fields_of_cases())[0]);
  });
}

// Values of every kind, of which a key takes some.
std::vector<SettingValue> values_for(const Setting& setting) {
  std::vector<SettingValue> all{std::int64_t{2},
                                std::int64_t{3},
                                std::int64_t{8},
                                0.5,
                                std::int64_t{6000},
                                true,
                                false,
                                std::int64_t{-5},
                                1e300};
  for (const auto* text : {"0.1..0.5", "2..5", "mean_wait", "1,3", "no such thing",
                           "0.5 a.swf; 0.5 b.swf"}) {
    all.emplace_back(std::string(text));
  }
  for (const auto& choice : setting.choices) all.emplace_back(choice);
  return all;
}

// A value that the key takes, one that it does not have already if there is any.
std::optional<SettingValue> right_value(const Setting& setting,
                                        const std::string& key) {
  if (key == "workload.window") return "0.1..0.5";  // it sets two others
  Scenario scenario;
  for (const auto& [other, value] : beside(key)) {
    REQUIRE(set_setting(scenario, other, value).empty());
  }
  const auto before = shown(scenario, key);
  std::optional<SettingValue> found;
  for (const auto& value : values_for(setting)) {
    auto trial = scenario;
    if (!set_setting(trial, key, value).empty()) continue;
    found = value;
    if (shown(trial, key) != before) break;
  }
  return found;
}

// A value that the key refuses in any form; nullopt: it takes every text.
std::optional<SettingValue> wrong_value(const Setting& setting,
                                        const std::string& key) {
  for (const auto& value : values_for(setting)) {
    const bool is_same = value_from_text(setting, text_of(value)) == value;
    if (is_same && !wrong_setting(key, value).empty()) return value;
  }
  return std::nullopt;
}

bool has(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE(text);
  return found;
}

// Of the keys that no case has the rule that says so; empty: a case may have it.
std::string_view rule_of(const std::string& error, const std::string& key) {
  for (const auto rule : kRules) {
    if (error == fmt::format("x.test.lua: c: {}: {}", key, rule)) return rule;
  }
  return {};
}

}  // namespace

TEST_SUITE("study/every_key") {
  TEST_CASE("a file, --set and a case set every key alike") {
    std::size_t in_cases = 0;
    for (const auto& setting : settings()) {
      if (setting.kind == SettingKind::kPolicies) continue;  // a list, no value
      const auto key = key_of(setting);
      CAPTURE(key);
      const auto value = right_value(setting, key);
      REQUIRE(value.has_value());
      auto given = beside(key);
      given.emplace_back(key, *value);
      const auto file = by_file(given);
      const auto line = by_set(given);
      const auto as_case = by_case(given);
      CAPTURE(file.error);
      CAPTURE(line.error);
      CAPTURE(as_case.error);
      REQUIRE(file.scenario.has_value());
      REQUIRE(line.scenario.has_value());
      CHECK(shown(*file.scenario, key) == shown(*line.scenario, key));
      if (!as_case.scenario) {
        CHECK_FALSE(rule_of(as_case.error, key).empty());
        continue;
      }
      ++in_cases;
      CHECK(shown(*file.scenario, key) == shown(*as_case.scenario, key));
    }
    CHECK(in_cases > 60);
  }

  TEST_CASE("of a wrong value all three say the same") {
    for (const auto& setting : settings()) {
      const auto key = key_of(setting);
      const auto value = wrong_value(setting, key);
      if (!value || setting.kind == SettingKind::kPolicies) continue;
      CAPTURE(key);
      const auto what = wrong_setting(key, *value);
      const Given given{{key, *value}};
      CHECK(has(by_file(given).error, fmt::format("{}: {}", key, what)));
      CHECK(has(by_set(given).error, fmt::format("--set {}: {}", key, what)));
      const auto as_case = by_case(given).error;
      if (!rule_of(as_case, key).empty()) continue;
      CHECK(as_case == fmt::format("x.test.lua: c: {}: {}", key, what));
    }
  }

  TEST_CASE("a key that no case has is of a study, of its jobs or of a file") {
    const auto refused = [](const std::string& key, const SettingValue& value) {
      return by_case({{key, value}}).error;
    };
    const auto is = [](std::string_view rule, const std::string& key) {
      return fmt::format("x.test.lua: c: {}: {}", key, rule);
    };
    CHECK(refused("title", std::string("x")) == is(kRules[0], "title"));
    CHECK(refused("run.policies", std::string("x")) == is(kRules[0], "run.policies"));
    CHECK(refused("expectations.share", std::string("equal")) ==
          is(kRules[0], "expectations.share"));
    CHECK(refused("workload.load", 0.5) == is(kRules[1], "workload.load"));
    CHECK(refused("workload.cpu_use", std::string("use.csv")) ==
          is(kRules[2], "workload.cpu_use"));
  }

  TEST_CASE("an older name in a case means the key that the machine reads") {
    const auto value_of = [](const std::string& fields, const std::string& key) {
      const auto text =
          "return { { 'c', jobs = { { 0, 1, 1 } }, starts = { 0 }, " + fields + " } }";
      const auto cases =
          bindings::read_policy_cases({"x", "x.test.lua", text}, {}, fields_of_cases());
      return shown(scenario_of(cases[0]), key);
    };
    CHECK(value_of("processors = 4, sharing = 'two_tier', cpu_use = 0.5",
                   "workload.cpu_use") == "0.5");
    CHECK(value_of("processors = 4, sharing = 'fractional', cpu_use = 0.5",
                   "workload.needs") == "0.5");
    CHECK(value_of("processors = 4, weights = { [3] = 2 }", "shares.users.3") == "2");
    CHECK(value_of("processors = 8 / 2, resources = { licence = 3 }",
                   "machine.resources.licence") == "3");
    const std::string hosts =
        "hosts = { { count = 2, processors = 4, gpu = 1 }, { count = 1, processors = "
        "2, "
        "memory = 8 } }";
    CHECK(value_of(hosts, "machine.hosts.1.resources.gpu") == "1");
    CHECK(value_of(hosts, "machine.hosts.2.memory") == "8");
    CHECK(value_of(hosts, "machine.hosts.2.count") == "1");
  }
}
