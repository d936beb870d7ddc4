#include "study/scenario/scenario_reader.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/base/error.hpp"
#include "engine/jobs/label.hpp"
#include "study/scenario/settings_table.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;
using namespace berth::study;

namespace {

// What reading this text complains about; empty: nothing.
std::string complaint(std::string_view text) {
  try {
    static_cast<void>(read_scenario("s.toml", text));
    return {};
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    return error.what();
  }
}

}  // namespace

TEST_SUITE("study/scenario_reader") {
  TEST_CASE("a scenario that uses every section is read as written") {
    const auto scenario = read_scenario("s.toml", R"(
title = "Does it pay?"
seed = 7
[machine]
processors = 320
overrun = "kill"
migration_cost = 20
min_planned = 0.5
[workload]
model = "lublin"
jobs = 100
load = 1
[run]
policies = ["easy", "sjf:block=false", { name = "best_fit", depth = 3 }, "./mine.lua"]
pass = "event"
ties = "submits_first"
[policies.easy]
backfill_depth = 10
)");
    CHECK(scenario.title == "Does it pay?");
    CHECK(scenario.seed == 7);
    CHECK(scenario.processors == 320);
    CHECK(scenario.machine.overrun == sim::Overrun::kKill);
    CHECK(scenario.migration_cost == seconds(20));
    CHECK(scenario.machine.min_planned == 500'000);
    CHECK(scenario.workload.model == "lublin");
    CHECK(scenario.workload.jobs == 100);
    CHECK(scenario.workload.load == 1.0);
    CHECK(scenario.run.pass == sim::PassMode::kEvent);
    CHECK(scenario.run.ties == Ties::kSubmitsFirst);
    REQUIRE(scenario.policies.size() == 4);
    CHECK(scenario.policies[0].name == "easy");
    CHECK(scenario.policies[1].parameters.at("block") == "false");
    CHECK(scenario.policies[2].parameters.at("depth") == "3");
    CHECK(scenario.policies[3].is_file());
    CHECK(scenario.policies[3].stem() == "mine");
    CHECK(scenario.policy_parameters.at("easy").at("backfill_depth") == "10");
  }

  TEST_CASE("an empty file is a scenario of defaults") {
    CHECK(complaint("") == "");
    CHECK(read_scenario("s.toml", "").policies.empty());
  }

  TEST_CASE("each mistake has its place and says what would be right") {
    const std::pair<const char*, const char*> kCases[] = {
        {"sed = 1", "s.toml:1:1: sed: there is no such key (did you mean 'seed'?)"},
        {"[machine]\nprocesors = 4",
         "s.toml:2:1: procesors: there is no such key in [machine] (did you mean "
         "'processors'?)"},
        {"processors = 4",
         "s.toml:1:1: processors: there is no such key (did you mean "
         "'machine.processors'?)"},
        {"[machin]\nprocessors = 4",
         "s.toml:1:2: machin: there is no such key (did you mean 'machine'?)"},
        {"machine = 4", "s.toml:1:11: machine: must be a section: [machine]"},
        {"[machine]\nprocessors = \"64\"",
         "s.toml:2:14: machine.processors: '64' is not a whole number; write 64, "
         "without "
         "quotes"},
        {"[machine]\nprocessors = 0", "s.toml:2:14: machine.processors: 0 is below 1"},
        {"[machine]\nprocessors = [4]",
         "s.toml:2:14: machine.processors: a list cannot stand here; write a whole "
         "number "
         "(values to try go under [sweep])"},
        {"[machine]\nprocessors = 2020-01-01",
         "s.toml:2:14: machine.processors: a date cannot stand here; write a whole "
         "number"},
        {"[machine]\noverrun_grace = -inf",
         "s.toml:2:17: machine.overrun_grace: -inf is not a finite number"},
        {"[run]\npass = \"evnt\"",
         "s.toml:2:8: run.pass: 'evnt' is not one of instant, event (did you mean "
         "'event'?)"},
        {"[run]\npolicies = \"easy\"",
         "s.toml:2:12: run.policies: must be a list, such as [\"fcfs\", \"easy\"]"},
        {"[run]\npolicies = []",
         "s.toml:2:12: run.policies: the list is empty; name a policy"},
        {"[run]\npolicies = [1]",
         "s.toml:2:13: run.policies: a number is no policy; write a name or { name = "
         "\"sjf\", block = false }"},
        {"[run]\npolicies = [{ block = false }]",
         "s.toml:2:13: run.policies: a policy needs a name: { name = \"easy\" }"},
        {"[run]\npolicies = [\"sjf:block\"]",
         "s.toml:2:13: run.policies: 'block' is no parameter: write sjf:name=value"},
        {"[workload]\ntrace = \"a\"\nmodel = \"lublin\"",
         "s.toml:3:9: workload.trace and workload.model: only one of them can count"},
        {"[workload]\ntrace = \"a\"\njobs = 4",
         "s.toml:3:8: workload.jobs: belongs to a model, not to a trace; use "
         "workload.first"},
        {"[workload]\nwindow = 1",  // F28
         "s.toml:2:10: workload.window: the second time is not after the first; write "
         "from and to, such as \"0..2592000\""},
        {"[workload]\nwindow = \"0..5\"\nto = 5",
         "s.toml:3:6: workload.to and workload.window: only one of them can count"},
        {"[workload]\nfrom = 2001-09-09T01:46:42.5Z",
         "s.toml:2:8: workload.from: a date cannot stand here; write it as text, in "
         "quotes and to the second: \"2001-09-09T01:46:42\""},
        {"[workload]\nfrom = 01:46:42",
         "s.toml:2:8: workload.from: a time of day cannot stand here; write a span of "
         "time as text, in quotes: \"1h46m42s\""},
        {"[run]\ncycle = 2001-09-09",
         "s.toml:2:9: run.cycle: a date cannot stand here; write a number of seconds "
         "or "
         "a time such as 2h30m"},
        {"title = 2001-09-09",
         "s.toml:1:9: title: a date cannot stand here; write it as text, in quotes: "
         "\"2001-09-09\""},
        {"seed = 1e17",
         "s.toml:1:8: seed: 100000000000000000.0 is not a whole number; write "
         "100000000000000000"},
        {"seed = 9007199254740993",
         "s.toml:1:8: seed: 9007199254740993 is above 9007199254740992"},
        {"title = 3", "s.toml:1:9: title: 3 is not text; write \"3\", in quotes"},
        {"[machine]\npreemption = \"true\"",
         "s.toml:2:14: machine.preemption: 'true' is not true or false; write true, "
         "without quotes"},
        {"[workload]\nload = \"0.7\"",
         "s.toml:2:8: workload.load: '0.7' is not a number; write 0.7, without quotes"},
        {"[workload]\npartitions = 1",
         "s.toml:2:14: workload.partitions: 1 is not a list of words; write [1]"},
        {"[run]\npass = 1",
         "s.toml:2:8: run.pass: 1 is not text; write \"instant\" or \"event\""},
        {"[machine]\nprocessors = 4\n[machine.two_tier]\nfg_loss = [0.1, 0.2]",
         "s.toml:4:11: machine.two_tier.fg_loss: a list cannot stand here; write two "
         "numbers as text, in quotes: \"0.1..0.5\""},
        {"[workload]\nmix = [{ trace = \"a\", share = 1 }]\njobs = 4",
         "s.toml:3:8: workload.jobs: belongs to a model, not to a trace; use "
         "workload.first"},
        {"[workload]\nfrom = 5\nto = 5",
         "s.toml:3:6: workload.to: not after workload.from"},
        {"[run]\npolicies = [\"easy\"]\n[policies.sjf]\nblock = false",
         "s.toml:3:1: policies.sjf: no policy of that name runs; add it to "
         "run.policies"},
        {"a = 1\na = 2",
         "s.toml:2:5: cannot redefine existing integer 'a' (while "
         "reading: key-value pair)"},
        // Behind two characters of two bytes each: the column counts bytes.
        {"title = \"\u00e4\u00f6\" 4",
         "s.toml:1:16: expected a comment or whitespace, saw '4' (while reading: "
         "key-value pair)"},
    };
    for (const auto& [this_text, message] : kCases) {
      const auto& text = this_text;  // a binding cannot be captured
      CAPTURE(text);
      CHECK(complaint(text) == message);
    }
  }

  TEST_CASE("dates and times of TOML stand for those in quotes") {
    const auto from = [](const std::string& value) {
      return read_scenario("s.toml", "[workload]\ntrace = \"t\"\nfrom = " + value)
          .workload.from;
    };
    CHECK(from("2001-09-09") == from("\"2001-09-09\""));
    CHECK(from("2001-09-09T01:46:42") == from("\"2001-09-09T01:46:42\""));
    CHECK(from("2001-09-09T01:46:42Z") == from("\"2001-09-09T01:46:42\""));
    CHECK(from("2001-09-09T03:46:42+02:00") == from("\"2001-09-09T01:46:42\""));
    const auto swept = read_scenario(
        "s.toml", "[sweep]\n\"workload.from\" = [2001-09-09, 2001-09-10T12:00:00]\n");
    CHECK(swept.sweep.front().values ==
          std::vector<std::string>{"2001-09-09", "2001-09-10T12:00:00"});
  }

  TEST_CASE("users, groups and classes have any number up to 2^53") {
    const auto scenario =
        read_scenario("s.toml",
                      "[shares.users]\n41000000000017 = 2\n9007199254740992 = 3\n"
                      "[expectations]\nignore_users = [41000000000017]\n"
                      "[workload]\npartitions = [3000000000]\n");
    CHECK(scenario.shares.users.at(label_code(41000000000017)) == 2);
    std::vector<std::string> shown;
    for (const auto* setting : settings_of(scenario)) {
      if (setting->section == "shares.users") shown.push_back(setting->key());
      if (setting->key() == "expectations.ignore_users" ||
          setting->key() == "workload.partitions") {
        shown.push_back(text_of(*setting->value(scenario)));
      }
    }
    CHECK(std::is_permutation(
        shown.begin(), shown.end(),
        std::vector<std::string>{"3000000000", "shares.users.41000000000017",
                                 "shares.users.9007199254740992", "41000000000017"}
            .begin()));
    CHECK(complaint("[shares.users]\n9007199254740993 = 3\n")
              .find("9007199254740993: there is no such key") != std::string::npos);
  }

  TEST_CASE("all mistakes are told in one go, in the order of the file") {
    CHECK(complaint("# scenario\n[workload]\njobs = -3\nload = inf\n[machine]\n"
                    "processors = nan\n[sweep]\nseed = { from = 1, to = \"ten\" }\n") ==
          "s.toml:3:8: workload.jobs: -3 is below 1\n"
          "s.toml:4:8: workload.load: inf is not a finite number\n"
          "s.toml:6:14: machine.processors: nan is not a whole number\n"
          "s.toml:8:25: sweep.seed.to: 'ten' is not a whole number");
  }

  TEST_CASE("of many mistakes the first 40 are told, and how many more there are") {
    std::string text;
    for (int i = 0; i < 100; ++i) text += fmt::format("wrong_{} = 1\n", i);
    const auto said = complaint(text);
    CHECK(std::count(said.begin(), said.end(), '\n') == 40);
    CHECK(said.find("wrong_39") != std::string::npos);
    CHECK(said.find("wrong_40") == std::string::npos);
    CHECK(said.ends_with(": and 60 more"));
  }

  TEST_CASE("the axes of a sweep stand in the order of the file, seeds last") {
    const auto sweep =
        read_scenario("s.toml",
                      "[sweep]\nseed = { from = 3, to = 5 }\n"
                      "\"workload.load\" = { from = 0.5, to = 0.7, step = "
                      "0.1 }\nmachine.processors = [64, 16]\n")
            .sweep;
    REQUIRE(sweep.size() == 3);
    CHECK(sweep[0].key == "workload.load");
    CHECK(sweep[0].values == std::vector<std::string>{"0.5", "0.6", "0.7"});
    CHECK(sweep[1].key == "machine.processors");
    CHECK(sweep[1].values == std::vector<std::string>{"64", "16"});
    CHECK(sweep[2].key == "seed");
    CHECK(sweep[2].values == std::vector<std::string>{"3", "4", "5"});
  }

  TEST_CASE("parameters of policies that run may vary, and the list may stand there") {
    const auto scenario =
        read_scenario("s.toml",
                      "[sweep]\n\"run.policies\" = [\"easy\", \"fcfs\"]\n"
                      "policies.easy.backfill_depth = [1, 10]\n");
    CHECK(scenario.policies.size() == 2);
    REQUIRE(scenario.sweep.size() == 1);
    CHECK(scenario.sweep[0].key == "policies.easy.backfill_depth");
    CHECK(complaint("[run]\npolicies = [\"fcfs\"]\n[sweep]\n"
                    "\"policies.easy.backfill_depth\" = [1]\n") ==
          "s.toml:4:1: policies.easy: no policy of that name runs; add it to "
          "run.policies");
    CHECK(complaint("[run]\npolicies = [\"fcfs\"]\n[sweep]\nrun.policies = "
                    "[\"easy\"]\n") ==
          "s.toml:4:16: sweep.run.policies: run.policies is given, too; every policy "
          "runs at every point, so keep one of the lists");
  }

  TEST_CASE("a sweep that is wrong says where and what") {
    CHECK(complaint("[sweep]\nseed = []\n") ==
          "s.toml:2:8: sweep.seed: the list is empty");
    CHECK(complaint("[sweep]\nseed = { from = 3, to = 1 }\n") ==
          "s.toml:2:8: sweep.seed: the range is empty: 3 is above 1");
    CHECK(complaint("[sweep]\nseed = { from = 1, to = 4, step = 2 }\n") ==
          "s.toml:2:8: sweep.seed: 4 is not reached from 1 in steps of 2; a range "
          "includes both ends");
    CHECK(complaint("[sweep]\nseed = { from = 1, to = 4, step = 0 }\n") ==
          "s.toml:2:8: sweep.seed: the step must be above 0");
    CHECK(complaint("[sweep]\nseed = { from = 1, to = 4, step = 0.5 }\n") ==
          "s.toml:2:35: sweep.seed.step: a number cannot be the step");
    CHECK(complaint("[sweep]\nseed = { from = 1, to = 1000000 }\n") ==
          "s.toml:2:8: sweep.seed: more than 100000 values");
    CHECK(complaint("[sweep]\nworkload.load = [0.5, 0.50]\n") ==
          "s.toml:2:23: sweep.workload.load: 0.5 stands there twice: two points would "
          "be the same");
    CHECK(complaint("[sweep]\nrun.pass = { from = \"event\", to = \"instant\" }\n") ==
          "s.toml:2:21: sweep.run.pass.from: text is not a number; write a list\n"
          "s.toml:2:35: sweep.run.pass.to: text is not a number; write a list");
    CHECK(complaint("[workload]\nload_scale = 2\n[sweep]\nworkload.load = [1]\n") ==
          "s.toml:4:10: workload.load and workload.load_scale: only one of them can "
          "count");
    CHECK(complaint("[sweep]\nseed = { from = 1, to = 1000 }\nworkload.load = { from = "
                    "1, to = 200 }\n") == "s.toml:1:1: sweep: more than 100000 points");
    CHECK(complaint("[sweep]\nseed = 3\n") ==
          "s.toml:2:8: sweep.seed: write a list, or { from = 1, to = 10 }");
    CHECK(complaint("[sweep]\nseed = { from = 1 }\n") ==
          "s.toml:2:8: sweep.seed: a range needs from and to");
    CHECK(complaint("[sweep]\n\"workload.laod\" = [1]\n") ==
          "s.toml:2:1: sweep: there is no key 'workload.laod' to vary (did you mean "
          "'workload.load'?)");
  }

  TEST_CASE("only TOML is a scenario, and it is refused before it is read") {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(load_scenario("nowhere/trace.swf.gz")),
        "nowhere/trace.swf.gz: scenarios are TOML: give a file that ends in .toml (a "
        "trace goes behind --trace, a policy behind --policy)",
        Error);
  }

  TEST_CASE("paths of a file are taken from its folder") {
    const auto folder = std::filesystem::temp_directory_path() / "berth-scenario-test";
    std::filesystem::create_directories(folder);
    const auto path = (folder / "s.toml").string();
    std::ofstream(path) << "[workload]\ntrace = \"t.swf\"\n[run]\npolicies = "
                           "[\"easy\", \"./mine.lua\", \"/abs/other.lua\"]\n";
    const auto scenario = load_scenario(path);
    std::filesystem::remove_all(folder);
    CHECK(scenario.workload.trace == (folder / "t.swf").string());
    CHECK(scenario.policies[0].name == "easy");
    CHECK(scenario.policies[1].name == (folder / "./mine.lua").string());
    CHECK(scenario.policies[2].name == "/abs/other.lua");
  }

  TEST_CASE("the broken scenarios of the corpus are told where they are broken") {
    const auto syntax = test::shared_data("bad-swf/s15-scenario-syntax-error.toml");
    if (!syntax) return;
    const auto first_line = [](const std::filesystem::path& path) {
      try {
        static_cast<void>(load_scenario(path.string()));
        return std::string();
      } catch (const Error& error) {
        return std::string(error.what());
      }
    };
    CHECK(first_line(*syntax).find(
              "s15-scenario-syntax-error.toml:14:3: expected comma or closing ']', saw "
              "'\"'") != std::string::npos);
    const auto numbers = test::shared_data("bad-swf/s16-scenario-not-a-number.toml");
    REQUIRE(numbers.has_value());
    const auto text = first_line(*numbers);
    for (const auto* part :
         {":3:14: machine.processors: nan", ":7:9: workload.jobs: -3",
          ":8:9: workload.load: inf", ":11:25: sweep.seed.to: 'ten'"}) {
      CAPTURE(part);
      CHECK(text.find(part) != std::string::npos);
    }
    CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  }

  TEST_CASE("a syntax error is told without escapes of the parser") {
    CHECK(complaint("[machine]\nprocessors = \n") ==
          "s.toml:2:14: expected value, saw the end of the line (while reading: "
          "key-value "
          "pair)");
  }

  TEST_CASE("shares are read, by the number of user, group and class") {
    const auto scenario = read_scenario("s.toml", R"(
[shares]
half_life = 86400
rule = "fair_tree"
period = 300
[shares.users]
7 = 2
-1 = 0.5
[shares.groups]
1 = 3
[shares.class_factor]
4 = 0
)");
    CHECK(scenario.shares.half_life == seconds(86'400));
    CHECK(scenario.shares.rule == ShareRule::kFairTree);
    CHECK(scenario.shares.period == seconds(300));
    CHECK(scenario.shares.users == std::map<std::int32_t, double>{{-1, 0.5}, {7, 2}});
    CHECK(scenario.shares.groups == std::map<std::int32_t, double>{{1, 3}});
    CHECK(scenario.shares.class_factor == std::map<std::int32_t, double>{{4, 0}});
  }

  TEST_CASE("shares that are wrong are named with their place") {
    const std::vector<std::pair<std::string, std::string>> kRows{
        {"half_life = -1", "s.toml:2:13: shares.half_life: -1 is below 0"},
        {"half_life = \"week\"",
         "s.toml:2:13: shares.half_life: 'week' is not a number of seconds or a time "
         "such as 2h30m"},
        {"charge = \"memory\"",
         "s.toml:2:10: shares.charge: 'memory' is not one of processors, dominant, "
         "billing"},
        {"rule = \"fair-tree\"",
         "s.toml:2:8: shares.rule: 'fair-tree' is not one of ratio, fair_tree (did you "
         "mean 'fair_tree'?)"},
        {"users = 3", "s.toml:2:1: users: there is no such key in [shares]"},
        {"[shares.users]\n7 = 0", "s.toml:3:5: shares.users.7: 0 is not above 0"},
        {"[shares.users]\n7 = -2", "s.toml:3:5: shares.users.7: -2 is not above 0"},
        {"[shares.users]\n7 = \"heavy\"",
         "s.toml:3:5: shares.users.7: 'heavy' is not a number"},
        {"[shares.users]\nanna = 2",
         "s.toml:3:1: anna: there is no such key in [shares.users]: the keys are "
         "numbers, as in the trace"},
        {"[shares.users]\n07 = 2",
         "s.toml:3:1: 07: there is no such key in [shares.users]: the keys are "
         "numbers, "
         "as in the trace"},
        {"[shares.class_factor]\n1 = -0.5",
         "s.toml:3:5: shares.class_factor.1: -0.5 is below 0"},
    };
    for (const auto& [text, wanted] : kRows) {
      CHECK(complaint("[shares]\n" + text) == wanted);
    }
  }

  TEST_CASE("shares can be varied, each weight by itself") {
    const auto scenario = read_scenario("s.toml", R"(
[sweep]
shares.half_life = [0, 604800]
shares.users.7 = [1, 2, 4]
)");
    REQUIRE(scenario.sweep.size() == 2);
    CHECK(scenario.sweep[0].key == "shares.half_life");
    CHECK(scenario.sweep[1].key == "shares.users.7");
    CHECK(scenario.sweep[1].values == std::vector<std::string>{"1", "2", "4"});
  }
}
