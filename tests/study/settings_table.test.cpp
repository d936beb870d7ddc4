#include "study/scenario/settings_table.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

using namespace berth;
using namespace berth::study;

namespace {

const Setting& setting(std::string_view key) {
  const auto* found = find_setting(key);
  REQUIRE(found != nullptr);
  return *found;
}

std::string wrong(std::string_view key, const SettingValue& value) {
  return wrong_with(setting(key), value);
}

std::string default_of(std::string_view key) {
  const auto value = setting(key).value(Scenario{});
  return value ? text_of(*value) : "open";
}

}  // namespace

TEST_SUITE("study/settings_table") {
  TEST_CASE("every key has help, and no key is there twice") {
    std::set<std::string> keys;
    for (const auto& one : settings()) {
      CAPTURE(one.key());
      CHECK(keys.insert(one.key()).second);
      CHECK_FALSE(one.help.empty());
      CHECK_FALSE(range_text(one).empty());
    }
    CHECK(keys.size() == 200);
  }

  TEST_CASE("the defaults are those of the specification") {
    const std::pair<const char*, const char*> kDefaults[] = {
        {"title", "open"},
        {"seed", "0"},
        {"machine.processors", "open"},
        {"machine.memory", "open"},
        {"workload.size", "open"},
        {"workload.memory", "requested"},
        {"workload.missing_memory", "none"},
        {"workload.partitions", "open"},
        {"workload.needs", "trace"},
        {"run.cycle", "open"},
        {"shares.billing_rule", "sum"},
        {"machine.sharing", "exclusive"},
        {"machine.pick", "open"},
        {"machine.preemption", "false"},
        {"machine.migration_cost", "open"},
        {"machine.min_planned", "1"},
        {"machine.overrun", "run_on"},
        {"machine.overrun_grace", "60"},
        {"machine.overrun_growth", "2"},
        {"machine.shadow_ties", "inclusive"},
        {"machine.two_tier.fg_loss", "0.005..0.04"},
        {"machine.two_tier.fg_loss_when", "shared"},
        {"machine.two_tier.bg_eff_single", "0.8..0.92"},
        {"machine.two_tier.bg_eff_multi", "0.198..0.766"},
        {"machine.two_tier.bg_eff_mean", "0.482"},
        {"machine.two_tier.bg_eff_sd", "0.0947"},
        {"machine.two_tier.eff_scope", "job"},
        {"machine.two_tier.bg_cap", "before"},
        {"machine.two_tier.bg_threshold", "0.96"},
        {"workload.cpu_use", "drawn"},
        {"workload.usage_scope", "process"},
        {"workload.cpu_usage_known", "true"},
        {"workload.trace", "open"},
        {"workload.model", "open"},
        {"workload.variant", "whole"},
        {"workload.jobs", "open"},
        {"workload.umed", "open"},
        {"workload.estimates", "open"},
        {"workload.longest_estimate", "open"},
        {"workload.missing_walltime", "length"},
        {"workload.from", "open"},
        {"workload.to", "open"},
        {"workload.longest", "open"},
        {"workload.first", "open"},
        {"workload.repeat", "1"},
        {"workload.load", "open"},
        {"workload.load_scale", "open"},
        {"workload.interarrival_factor", "open"},
        {"workload.shake", "0"},
        {"workload.resample", "none"},
        {"workload.window", "open"},
        {"run.pass", "instant"},
        {"run.ties", "ends_first"},
        {"run.tau", "10"},
        {"run.bsld_floor", "true"},
        {"run.measure", "all"},
        {"run.weight", "none"},
        {"run.warmup_fraction", "0.1"},
    };
    for (const auto& [this_key, text] : kDefaults) {
      const auto& key = this_key;  // a binding cannot be captured
      CAPTURE(key);
      CHECK(default_of(key) == text);
    }
  }

  TEST_CASE("a default, typed, is a value that its own key takes") {
    for (const auto& one : settings()) {
      const auto value = one.value(Scenario{});
      if (!value) continue;
      CAPTURE(one.key());
      const auto typed = value_from_text(one, text_of(*value));
      CHECK(wrong_with(one, typed) == "");
      Scenario scenario;
      one.set(scenario, typed);
      CHECK(text_of(*one.value(scenario)) == text_of(*value));
    }
  }

  TEST_CASE("every key refuses a value of another type") {
    for (const auto& one : settings()) {
      CAPTURE(one.key());
      const bool is_text =
          one.kind == SettingKind::kText || one.kind == SettingKind::kChoice ||
          one.kind == SettingKind::kNames || one.kind == SettingKind::kInputFile;
      // A use may be a number or any text: the name of a file.
      const bool is_use = one.kind == SettingKind::kJobValues;
      const SettingValue other = is_use    ? SettingValue(true)
                                 : is_text ? SettingValue(std::int64_t{1})
                                           : SettingValue(std::string("x"));
      CHECK_FALSE(wrong_with(one, other).empty());
    }
  }

  TEST_CASE("every number refuses what is no finite number and what is out of range") {
    const auto infinity = std::numeric_limits<double>::infinity();
    for (const auto& one : settings()) {
      const bool is_number = one.kind == SettingKind::kReal ||
                             one.kind == SettingKind::kSeconds ||
                             one.kind == SettingKind::kInstant;
      if (!is_number && one.kind != SettingKind::kWhole) continue;
      CAPTURE(one.key());
      CHECK_FALSE(wrong_with(one, std::nan("")).empty());
      CHECK_FALSE(wrong_with(one, infinity).empty());
      CHECK_FALSE(wrong_with(one, -infinity).empty());
      // The tier of a queue may be as low as -1000.
      CHECK_FALSE(wrong_with(one, std::int64_t{-1001}).empty());
      CHECK_FALSE(wrong_with(one, std::numeric_limits<std::int64_t>::max()).empty());
    }
  }

  TEST_CASE("a message names the value and what it should be") {
    CHECK(wrong("machine.processors", std::nan("")) == "nan is not a whole number");
    CHECK(wrong("machine.processors", 320.0) ==
          "320.0 is not a whole number; write 320");
    CHECK(wrong("workload.jobs", std::int64_t{-3}) == "-3 is below 1");
    CHECK(wrong("workload.load", std::numeric_limits<double>::infinity()) ==
          "inf is not a finite number");
    CHECK(wrong("workload.load", 0.0) == "0 is not above 0");
    CHECK(wrong("seed", std::string("ten")) == "'ten' is not a whole number");
    CHECK(wrong("machine.preemption", std::int64_t{1}) ==
          "1 is not true or false; write true");
    CHECK(wrong("run.pass", std::string("instnat")) ==
          "'instnat' is not one of instant, event (did you mean 'instant'?)");
    CHECK(wrong("machine.sharing", std::string("shared")) ==
          "'shared' is not one of exclusive, two_tier, fractional, slots, devices");
    CHECK(wrong("machine.migration_cost", std::int64_t{-1}) == "-1 is below 0");
    CHECK(wrong("workload.cpu_use", 0.0) == "0 is not above 0");
    CHECK(wrong("workload.cpu_use", 1.5) == "1.5 is above 1");
    CHECK(wrong("workload.cpu_use", std::string("1.5")) == "1.5 is above 1");
    CHECK(wrong("workload.cpu_use", std::string("use.csv")) == "");
    CHECK(wrong("machine.two_tier.fg_loss", std::string("0.04..0.005")) ==
          "'0.04..0.005' is not a number or a range such as \"0.1..0.5\"");
    CHECK(wrong("machine.two_tier.fg_loss", std::string("0.5..2")) == "2 is above 1");
    CHECK(wrong("title", std::string("a\nb")) == "");
  }

  TEST_CASE("seconds may have decimals, down to the tick") {
    Scenario scenario;
    const auto& grace = setting("machine.overrun_grace");
    const auto typed = value_from_text(grace, "0.000001");
    REQUIRE(wrong_with(grace, typed) == "");
    grace.set(scenario, typed);
    CHECK(scenario.machine.overrun_grace == 1);
    CHECK(wrong("machine.overrun_grace", 0.0) == "0 is below 1e-06");
  }

  TEST_CASE("of trace and model, and of the three loads, the last one counts") {
    Scenario scenario;
    setting("workload.trace").set(scenario, std::string("a.swf"));
    setting("workload.model").set(scenario, std::string("lublin"));
    CHECK(scenario.workload.trace.empty());
    setting("workload.trace").set(scenario, std::string("a.swf"));
    CHECK(scenario.workload.model.empty());
    setting("workload.load").set(scenario, 0.5);
    setting("workload.load_scale").set(scenario, 2.0);
    CHECK_FALSE(scenario.workload.load.has_value());
    CHECK(scenario.workload.load_scale == 2.0);
  }

  TEST_CASE(
      "a suggestion is the nearest key of the section, or the same key elsewhere") {
    CHECK(suggestion("machine", "procesors") == " (did you mean 'processors'?)");
    CHECK(suggestion("", "processors") == " (did you mean 'machine.processors'?)");
    CHECK(suggestion("run", "load") == " (did you mean 'workload.load'?)");
    CHECK(suggestion("run", "zzzzzzz") == "");
  }
}
