// Kinds and hosts in a scenario: their order, and every wrong one with its place.

#include "study/scenario/named_settings.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/base/error.hpp"
#include "study/scenario/scenario_reader.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)

namespace {

std::string error_of(const std::string& text) {
  try {
    (void)read_scenario("s.toml", text);
    return "";
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    return error.what();
  }
}

bool has(const std::string& text, std::string_view part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE(text);
  return found;
}

}  // namespace

TEST_SUITE("study/named_settings") {
  TEST_CASE("hosts and kinds are numbered in the order of the file") {
    const auto scenario = read_scenario("s.toml",
                                        "[machine.hosts.zewura]\ncount = 14\n"
                                        "processors = 80\nmemory = 504.9\n"
                                        "resources = { gpu = 2, disk = 3 }\n"
                                        "partition = 1\n"
                                        "[machine.hosts.a]\ncount = 1\nprocessors = 2\n"
                                        "[machine.resources]\nmatlab = 30\nabc = 1\n");
    const auto& resources = scenario.machine.resources;
    REQUIRE(resources.hosts.size() == 2);
    CHECK(resources.hosts[0].name == "zewura");
    CHECK(resources.hosts[0].memory == 529426022);
    CHECK(resources.hosts[0].partition == 1);
    CHECK(resources.hosts[1].name == "a");
    std::string names;
    for (const auto& kind : kinds_of(1, resources)) names += kind.name + " ";
    CHECK(names == "processors memory gpu disk matlab abc ");
    CHECK(processors_of(resources) == 1122);
  }

  TEST_CASE("every key is found, and shown as it is set") {
    Scenario scenario;
    for (const auto* key : {"machine.hosts.a.count", "machine.hosts.a.processors",
                            "machine.hosts.a.resources.gpu", "machine.resources.lic"}) {
      const auto* setting = find_setting(key);
      REQUIRE(setting != nullptr);
      CHECK(setting->key() == key);
      CHECK_FALSE(setting->value(scenario).has_value());
      setting->set(scenario, SettingValue(std::int64_t{3}));
      CHECK(setting->value(scenario) == SettingValue(std::int64_t{3}));
    }
    const auto all = settings_of(scenario);
    CHECK(std::count_if(all.begin(), all.end(), [](const auto* each) {
            return each->section.starts_with("machine.hosts.") ||
                   each->section == "machine.resources";
          }) == 4);
    CHECK(find_setting("machine.hosts.a.cores") == nullptr);
    CHECK(find_setting("machine.hosts.a") == nullptr);
    CHECK(find_setting("machine.resources.*") == nullptr);
  }

  TEST_CASE("what is wrong is told with its place") {
    CHECK(has(error_of("[machine]\nprocessors = 4\n[machine.hosts.a]\ncount = 1\n"
                       "processors = 2\n"),
              "s.toml:2:14: machine.processors: the hosts have the processors"));
    CHECK(has(error_of("[machine.hosts.a]\nprocessors = 2\n"),
              "machine.hosts.a: how many hosts? add count"));
    CHECK(
        has(error_of("[machine.hosts.a]\ncount = 0\nprocessors = 2\n"), "s.toml:2:9:"));
    CHECK(has(error_of("[machine.hosts.a]\ncount = 1\nprocessors = 2\n"
                       "resources = { gpu = 1 }\n[machine.resources]\ngpu = 3\n"),
              "s.toml:6:7: machine.resources.gpu: hosts have this kind, too"));
    CHECK(has(error_of("[machine.resources]\nmemory = 3\n"),
              "s.toml:2:10: machine.resources.memory: write it as machine.memory"));
    CHECK(has(error_of("[machine.resources]\nlicence = -1\n"), "s.toml:2:11:"));
    CHECK(
        has(error_of("[machine]\nsharing = \"two_tier\"\n[machine.hosts.a]\ncount = 1\n"
                     "processors = 2\n"),
            "comes with sharing = \"exclusive\" alone"));
    std::string many = "[machine.resources]\n";
    for (int i = 0; i < 16; ++i) many += "k" + std::to_string(i) + " = 1\n";
    CHECK(has(error_of(many), "s.toml:17:7: machine.resources.k15: k15 is the 17th"));
    CHECK(has(error_of("[run]\ncycle = 0\n"), "s.toml:2:9: run.cycle"));
    CHECK(has(error_of("[shares]\nhalf_life = -1\n"), "s.toml:2:13: shares.half_life"));
    CHECK(
        has(error_of("[shares]\ncharge = \"energy\"\n"), "s.toml:2:10: shares.charge"));
  }
}
