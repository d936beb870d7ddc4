#include "study/inputs/windows.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "bindings/tools/comparison_page.hpp"
#include "engine/base/error.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/runs/study_run.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;
using namespace berth::study;
using namespace berth::test;

namespace {

// A job of one processor and 60 to 149 s every 50 s for 1000 s.
std::string trace() {
  std::string text = "; MaxProcs: 2\n";
  for (int i = 0; i <= 20; ++i) {
    text += fmt::format("{} {} -1 {} 1 -1 -1 1 200 -1 1 {} 1 -1 -1 -1 -1 -1\n", i + 1,
                        50 * i, 60 + 37 * i % 90, i % 3);
  }
  return text;
}

Scenario with(const ScratchFolder& folder, const std::string& sweep,
              const std::string& workload = "") {
  (void)folder.file("t.swf", trace());
  return load_scenario(folder.file(
      "s.toml", "[workload]\ntrace = \"t.swf\"\n" + workload +
                    "[run]\npolicies = [\"fcfs\", \"easy\"]\n[sweep]\n" + sweep));
}

std::string refusal(Scenario scenario) {
  try {
    resolve_windows(scenario, unlimited());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("study/windows") {
  TEST_CASE("the whole windows of a trace are the replications of one cell") {
    const ScratchFolder folder;
    auto scenario = with(folder, "windows = { length = 400, step = \"5m\" }\n");
    resolve_windows(scenario, unlimited());
    REQUIRE(scenario.sweep.size() == 1);
    CHECK(scenario.sweep[0].values ==
          std::vector<std::string>{"0..400", "300..700", "600..1000"});
    const SweepGrid grid(scenario);
    CHECK(grid.replications() == 3);
    CHECK(grid.cells() == 1);
    const auto point = grid.point(1).scenario;
    CHECK(point.workload.from == seconds(300));
    CHECK(point.workload.to == seconds(700));
    CHECK(replications_text(scenario) ==
          "3 windows of 6 m 40 s, 5 m apart: neighbours share jobs, so that intervals "
          "are narrower than those of separate logs");
    const auto outcome = run_study(scenario, PolicyLibrary::standard(), {});
    const auto table = comparison_of(scenario, outcome, Rows::kUsual);
    CHECK(table.rows[0].entries[0].runs == 3);
    CHECK(bindings::as_text(table).starts_with(
        "95 % intervals over 3 windows of 6 m 40 s"));
  }

  TEST_CASE("windows that are none are refused with their place") {
    const ScratchFolder folder;
    CHECK(
        refusal(with(folder, "windows = { length = \"1d\" }\n"))
            .ends_with("s.toml:6:11: sweep.windows: there is no window of 1 d in this "
                       "trace; replications need two"));
    auto of_model = with(folder, "windows = { length = 400 }\n");
    of_model.workload.trace.clear();
    CHECK(refusal(of_model).find("only one trace has windows") != std::string::npos);
    const auto complaint = [&](const std::string& sweep) {
      try {
        (void)with(folder, sweep);
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    CHECK(complaint("windows = { length = 400 }\nseed = [1, 2]\n")
              .find("s.toml:7:1: sweep.seed: the windows are the replications") !=
          std::string::npos);
    CHECK(complaint("windows = { size = 400 }\n").find("length") != std::string::npos);
    CHECK(complaint("windows = { length = 0 }\n").find("below 1") != std::string::npos);
  }

  TEST_CASE("seeds that change no job are announced, others are not") {
    const ScratchFolder folder;
    const auto five = "seed = { from = 1, to = 5 }\n";
    const auto plain = replication_warnings(with(folder, five));
    REQUIRE(plain.size() == 1);
    CHECK(
        plain[0].starts_with("a seed changes nothing about the jobs of a trace: 5 "
                             "seeds are one run"));
    for (const auto* key :
         {"shake = 60\n", "resample = \"users\"\n", "estimates = \"factor\"\n"}) {
      CAPTURE(key);
      CHECK(replication_warnings(with(folder, five, key)).empty());
    }
    CHECK(replications_text(with(folder, five, "shake = 60\n")) ==
          "5 seeds, submits shaken by up to 1 m");
    CHECK(replications_text(with(folder, five, "resample = \"users\"\n")) ==
          "5 seeds, users resampled");
  }

  TEST_CASE("shaken seeds are other runs, and give intervals") {
    const ScratchFolder folder;
    const auto scenario =
        with(folder, "seed = { from = 1, to = 3 }\n", "shake = 120\n");
    CHECK(scenario.workload.shake == 120);
    const auto outcome = run_study(scenario, PolicyLibrary::standard(), {});
    const auto table = comparison_of(scenario, outcome, Rows::kUsual);
    CHECK(table.rows[0].entries[0].runs == 3);
    CHECK(table.rows[0].entries[0].value->half_width);
  }

  TEST_CASE(
      "a parameter on the axis makes policies that are compared with each other") {
    const ScratchFolder folder;
    const auto scenario = with(folder, "\"policies.easy.backfill_depth\" = [0, 5]\n",
                               "load = 1.4\nestimates = \"factor\"\n");
    const auto outcome = run_study(scenario, PolicyLibrary::standard(), {});
    const auto table = comparison_of(scenario, outcome, Rows::kUsual);
    CHECK(table.policies == std::vector<std::string>{"fcfs", "easy(backfill_depth=0)",
                                                     "easy(backfill_depth=5)"});
    CHECK(table.keys.empty());
    REQUIRE(table.cells.size() == 1);
    for (const auto& row : table.rows) {
      for (std::size_t i = 1; i < 3; ++i) {
        CHECK(row.entries[i].verdict != Verdict::kBase);
        CHECK(row.entries[i].difference);
      }
    }
  }

  TEST_CASE("a class of jobs has a row of its own, with the jobs behind it") {
    const ScratchFolder folder;
    (void)folder.file("t.swf", trace());
    const auto scenario = load_scenario(folder.file(
        "s.toml",
        "[workload]\ntrace = \"t.swf\"\n[run]\npolicies = [\"fcfs\"]\nmetrics = "
        "[\"mean_wait@odd\", \"mean_wait@user=1\"]\n[classes]\nodd = \"user == 1\"\nby "
        "= "
        "[\"user\"]\n[sweep]\n\"workload.load\" = [1, 2]\n"));
    const auto outcome = run_study(scenario, PolicyLibrary::standard(), {});
    const auto table = comparison_of(scenario, outcome, Rows::kUsual);
    REQUIRE(table.rows.size() == 4);
    CHECK(table.rows[0].metric == "mean_wait@odd");
    CHECK(table.rows[0].entries[0].n == 7);
    CHECK(table.rows[0].entries[0].value->mean == table.rows[2].entries[0].value->mean);
    const auto& all = comparison_of(scenario, outcome, Rows::kAll).rows;
    CHECK(std::any_of(all.begin(), all.end(),
                      [](const auto& row) { return row.metric == "p95_wait@user=2"; }));
    CHECK_THROWS_WITH(
        (void)read_scenario("s.toml",
                            "[workload]\ntrace = \"t.swf\"\n[run]\npolicies = "
                            "[\"fcfs\"]\nprimary = \"mean_wait@short\"\n"),
        "s.toml:5:11: run.primary: there is no class 'short'; name it in [classes]");
  }
}
