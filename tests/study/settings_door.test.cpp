#include "study/scenario/settings_door.hpp"

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "study/scenario/settings_table.hpp"

using namespace berth;
using namespace berth::study;

namespace {

std::string refusal(std::string_view assignment) {
  Scenario scenario;
  scenario.policies.push_back({"sjf", {}, {}});
  try {
    override_setting(scenario, assignment);
    return {};
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kUsage);
    return error.what();
  }
}

}  // namespace

TEST_SUITE("study/settings_door") {
  TEST_CASE("a key of every kind can be set") {
    Scenario scenario;
    override_setting(scenario, "machine.processors=64");
    override_setting(scenario, "machine.preemption=true");
    override_setting(scenario, "workload.load=0.5");
    override_setting(scenario, "workload.from=100.5");
    override_setting(scenario, "run.pass=event");
    override_setting(scenario, "title=a = b");
    CHECK(scenario.processors == 64);
    CHECK(scenario.machine.preemption);
    CHECK(scenario.workload.load == 0.5);
    CHECK(scenario.workload.from == 100'500'000);
    override_setting(scenario, "workload.shake=2m");
    CHECK(scenario.workload.shake == 120);
    CHECK(scenario.run.pass == sim::PassMode::kEvent);
    CHECK(scenario.title == "a = b");
  }

  TEST_CASE("policies are one choice or a list") {
    Scenario scenario;
    override_setting(scenario, "run.policies=sjf:block=false");
    REQUIRE(scenario.policies.size() == 1);
    CHECK(scenario.policies[0].parameters.at("block") == "false");
    override_setting(scenario,
                     "run.policies=[\"easy\", { name = \"sjf\", block = true }]");
    REQUIRE(scenario.policies.size() == 2);
    CHECK(scenario.policies[1].parameters.at("block") == "true");
  }

  TEST_CASE("a parameter reaches every policy of that name, over what it had") {
    Scenario scenario;
    scenario.policies.push_back({"sjf", {{"block", "true"}}, {}});
    scenario.policies.push_back({"./other/sjf.lua", {}, {}});
    scenario.policies.push_back({"easy", {}, {}});
    override_setting(scenario, "policies.sjf.block=false");
    CHECK(scenario.policies[0].parameters.at("block") == "false");
    CHECK(scenario.policies[1].parameters.at("block") == "false");
    CHECK(scenario.policies[2].parameters.empty());
  }

  TEST_CASE("what cannot be set is refused with what could") {
    CHECK(refusal("machine.processors") ==
          "--set machine.processors: write --set key=value, such as --set "
          "machine.processors=64");
    CHECK(refusal("machine.procesors=4") ==
          "--set machine.procesors: there is no such key (did you mean "
          "'machine.processors'?); "
          "`berth run --help-keys` lists them");
    CHECK(refusal("machine.processors=many") ==
          "--set machine.processors: 'many' is not a whole number (1 to "
          "10000000)");
    CHECK(refusal("machine.processors=nan") ==
          "--set machine.processors: nan is not a whole number (1 to "
          "10000000)");
    CHECK(refusal("machine.processors=") ==
          "--set machine.processors: '' is not a whole number (1 to "
          "10000000)");
    CHECK(
        refusal("machine.processors=100,120") ==
        "--set machine.processors: '100,120' is not a whole number (1 to 10000000); a "
        "list is varied by --vary machine.processors=100,120, or by [sweep] in the "
        "scenario");
    CHECK(refusal("machine.processors=[100, x]") ==
          "--set machine.processors: '[100, x]' is not a whole number (1 to 10000000)");
    CHECK(refusal("run.ties=last") ==
          "--set run.ties: 'last' is not one of ends_first, submits_first");
    CHECK(refusal("policies.easy.depth=1") ==
          "--set policies.easy.depth: no policy 'easy' is in this run");
    CHECK(refusal("policies.sjf=1") ==
          "--set policies.sjf: write policies.NAME.PARAMETER=value");
  }

  TEST_CASE("weights of users are set one by one, and stand in the manifest") {
    Scenario scenario;
    override_setting(scenario, "shares.users.12=2.5");
    override_setting(scenario, "shares.users.3=4");
    CHECK(scenario.shares.users == std::map<std::int32_t, double>{{3, 4}, {12, 2.5}});
    std::vector<std::string> keys;
    for (const auto* setting : settings_of(scenario)) {
      if (setting->section == "shares.users") keys.push_back(setting->key());
    }
    CHECK(keys == std::vector<std::string>{"shares.users.3", "shares.users.12"});
    CHECK_THROWS_WITH(override_setting(scenario, "shares.users.3=0"),
                      doctest::Contains("0 is not above 0"));
    CHECK_THROWS_WITH(override_setting(scenario, "shares.users.anna=1"),
                      doctest::Contains("there is no such key"));
  }
}
