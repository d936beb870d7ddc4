// The policy "recorded" and the block "fidelity", on a trace small enough to follow.

#include "study/policies/recorded.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "bindings/tools/comparison_page.hpp"
#include "engine/base/error.hpp"
#include "engine/compare/renderers.hpp"
#include "study/runs/study_run.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)

namespace {

// id submit wait length size.  Time 0 is three seconds before April 2000, UTC.
// Job 1 holds all processors from 5 to 15, job 3 two from 15 to 19, job 2 two from 20
// to 30.  Job 4 is to begin at 20 with all of them: it has to wait for job 2.
constexpr auto kTrace =
    "; MaxProcs: 4\n"
    "; UnixStartTime: 954547197\n"
    "1 0  5 10 4 -1 -1 4 10 -1 1 1 1 1 1 -1 -1 -1\n"
    "2 1 19 10 2 -1 -1 2 10 -1 1 1 1 1 1 -1 -1 -1\n"
    "3 2 13  4 2 -1 -1 2 10 -1 1 1 1 1 1 -1 -1 -1\n"
    "4 3 17  5 4 -1 -1 4 10 -1 1 1 1 1 1 -1 -1 -1\n";

struct Replay {
  StudyOutcome outcome;
  Comparison table;
};

Replay replay(const std::string& trace, const std::string& more = {},
              const std::string& policies = "\"recorded\", \"fcfs\"",
              const std::optional<std::filesystem::path>& out = {}) {
  auto scenario = read_scenario(
      "s.toml", fmt::format("{}\n[run]\npolicies = [{}]\n",
                            more.empty() ? "[workload]\n" : more, policies));
  scenario.workload.trace = trace;
  StudyOptions options;
  options.layout = Layout::kRun;
  options.audit = Audit::kFull;
  options.keep = Keep::kAll;
  options.summaries = true;
  options.out = out;
  auto outcome = run_study(scenario, PolicyLibrary::standard(), options);
  auto table = comparison_of(scenario, outcome, Rows::kUsual);
  return {std::move(outcome), std::move(table)};
}

std::string failure(const std::string& trace, const std::string& more) {
  try {
    const auto ran = replay(trace, more);
    return ran.outcome.points.front().policies.front().failure.text;
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_SUITE("study/recorded") {
  TEST_CASE("each job starts when the trace says, or at the first instant with room") {
    const test::ScratchFolder folder;
    const auto trace = folder.file("t.swf", kTrace);
    const auto ran = replay(trace, {}, "\"recorded\"", folder.path() / "out");
    CHECK(ran.outcome.code() == 0);
    const auto summary = test::text_of_file(folder.path() / "out/summary.json");
    CHECK(summary.find("\"postponed\": 1") != std::string::npos);
    REQUIRE(ran.table.fidelity.size() == 1);
    const auto& fidelity = ran.table.fidelity.front().second;
    CHECK(fidelity.postponed == 1);
    const auto& all = fidelity.all;
    CHECK(all.jobs == 4);
    CHECK(all.recorded.mean == doctest::Approx((5 + 19 + 13 + 17) / 4.0));
    CHECK(all.simulated.mean == doctest::Approx((5 + 19 + 13 + 27) / 4.0));
    CHECK(all.recorded.median == 15);
    CHECK(all.simulated.median == 16);
    CHECK(all.recorded.p95 == doctest::Approx(17 + 0.85 * 2));
    CHECK(all.simulated.p95 == doctest::Approx(19 + 0.85 * 8));
    // Ranks 1 4 2 3 and 1 3 2 4: 1 - 6 * 2 / (4 * 15).
    CHECK(all.rank_correlation.value() == doctest::Approx(0.8));
  }

  TEST_CASE("waits are told by month, in the time of the trace") {
    const test::ScratchFolder folder;
    const auto ran = replay(folder.file("t.swf", kTrace));
    REQUIRE(ran.table.fidelity.size() == 2);
    const auto& months = ran.table.fidelity.front().second.months;
    REQUIRE(months.size() == 2);
    CHECK(months[0].first == "2000-03");
    CHECK(months[0].second.jobs == 3);
    CHECK(months[0].second.recorded.mean == doctest::Approx(37 / 3.0));
    CHECK(months[1].first == "2000-04");
    CHECK(months[1].second.simulated.mean == 27);
    CHECK_FALSE(months[1].second.rank_correlation);  // one job
  }

  TEST_CASE("every policy stands beside what the trace recorded") {
    const test::ScratchFolder folder;
    const auto ran = replay(folder.file("t.swf", kTrace));
    // First come, first served: starts at 0, 10, 10, 20; waits 0, 9, 8, 17.
    const auto& fcfs = ran.table.fidelity[1].second;
    CHECK(fcfs.all.simulated.mean == 8.5);
    CHECK_FALSE(fcfs.postponed);
    const auto text = bindings::as_text(ran.table);
    CHECK(text.find("\nfidelity: waits of 4 jobs beside those that the trace recorded\n"
                    "recorded: 1 job could not start when the trace says, and started "
                    "at the first\n  instant with room\n"
                    "jobs without room when the trace says: recorded (25 %). The "
                    "machine of the trace\n"
                    "  was larger, or sizes are of another unit: check "
                    "machine.processors\n"
                    "\n"
                    "wait, s       mean  median  p95  rank correlation\n"
                    "in the trace    14      15   19\n"
                    "recorded        16      16   26             0.800\n"
                    "fcfs             8       8   16             0.800\n"
                    "\n"
                    "mean wait, s  jobs  in the trace  recorded  fcfs\n"
                    "2000-03          3            12        12     6\n"
                    "2000-04          1            17        27    17\n") !=
          std::string::npos);
    CHECK(as_json(ran.table).find("\"postponed\": 1") != std::string::npos);
    CHECK(bindings::as_markdown(ran.table).find("| in the trace | 14 | 15 | 19 |  |") !=
          std::string::npos);
    const auto& summary = ran.outcome.points.front().policies.back().summary_json;
    CHECK(summary.find("\"rank_correlation\": 0.8") != std::string::npos);
  }

  TEST_CASE("beside low figures stands what they may mean") {
    const auto told = [](double recorded, double simulated, double correlation,
                         std::optional<std::int64_t> postponed = std::nullopt) {
      const WaitsBeside all{200, {recorded, 0, 0}, {simulated, 0, 0}, correlation};
      std::string text;
      for (const auto& line : fidelity_lines({{"sjf", Fidelity{all, {}, postponed}}})) {
        text += line + "\n";
      }
      return text;
    };
    const auto has = [](const std::string& text, const char* part) {
      return text.find(part) != std::string::npos;
    };
    CHECK(has(told(100, 90, 0.29), "below 0.3: sjf (0.290). Other jobs wait long"));
    CHECK(has(told(100, 49, 0.8), "below half of the trace's: sjf (49 %)"));
    CHECK(has(told(100, 90, 0.2, 3), "when the trace says: sjf (2 %)"));
    const auto fair = told(100, 50, 0.3);
    CHECK(fair.find('\n') == fair.size() - 1);  // the head alone
    CHECK_FALSE(has(told(100, 10, 0.2, 2), "below"));
  }

  TEST_CASE("without the policy there is no such block") {
    const test::ScratchFolder folder;
    const auto ran = replay(folder.file("t.swf", kTrace), {}, "\"fcfs\"");
    CHECK(ran.table.fidelity.empty());
    const auto& summary = ran.outcome.points.front().policies.front().summary_json;
    CHECK(summary.find("fidelity") == std::string::npos);
  }

  TEST_CASE("a job without a recorded start begins as soon as there is room") {
    const test::ScratchFolder folder;
    const auto trace =
        folder.file("t.swf", std::string(kTrace) +
                                 "5 40 -1 5 4 -1 -1 4 10 -1 1 1 1 1 1 -1 -1 -1\n");
    const auto ran = replay(trace, {}, "\"recorded\"");
    CHECK(ran.table.fidelity.front().second.all.jobs == 4);
    CHECK(ran.outcome.points.front().policies.front().warnings ==
          std::vector<std::string>{
              "1 job has no recorded start, and began as soon as there was room"});
  }

  TEST_CASE("of two postponed jobs the one with the earlier recorded start is first") {
    const test::ScratchFolder folder;
    // Both are due while job 1 runs; job 3 was to begin before job 2.
    const auto trace = folder.file("t.swf",
                                   "; MaxProcs: 4\n"
                                   "1 0 0 10 4 -1 -1 4 10 -1 1 1 1 1 1 -1 -1 -1\n"
                                   "2 1 5  3 4 -1 -1 4 10 -1 1 1 1 1 1 -1 -1 -1\n"
                                   "3 2 3  4 4 -1 -1 4 10 -1 1 1 1 1 1 -1 -1 -1\n");
    const auto ran = replay(trace, {}, "\"recorded\"");
    const auto& fidelity = ran.table.fidelity.front().second;
    CHECK(fidelity.postponed == 2);
    // Waits 0, 13 (10 to 14 is job 3), 8.
    CHECK(fidelity.all.simulated.mean == 7);
    CHECK(fidelity.months.empty());  // no start time
  }

  TEST_CASE("what moves submits, a model and parameters are refused") {
    const test::ScratchFolder folder;
    const auto trace = folder.file("t.swf", kTrace);
    const std::string head = "recorded: the starts are those of the trace as it is; ";
    CHECK(failure(trace, "[workload]\nload = 0.5") ==
          head + "leave out workload.load or this policy");
    CHECK(failure(trace, "[workload]\nload_scale = 1.2") ==
          head + "leave out workload.load_scale or this policy");
    CHECK(failure(trace, "[workload]\nshake = 60") ==
          head + "leave out workload.shake or this policy");
    CHECK(failure(
              "",
              "[machine]\nprocessors = 4\n[workload]\nmodel = \"lublin\"\njobs = 9") ==
          "recorded: the starts are those of a trace; name one: workload.trace");
    try {
      (void)replay(trace, {}, "\"recorded:depth=3\"");
      FAIL("it takes a parameter");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kInput);
      CHECK(
          std::string(error.what())
              .find(
                  "run.policies: recorded: there is no parameter depth; it has none") !=
          std::string::npos);
    }
  }

  TEST_CASE("KTH recorded waits of 15,296 s on average where EASY gives 6,858") {
    const auto trace = test::shared_data("traces/KTH-SP2-1996-2.1-cln.swf.gz");
    if (!trace) return;
    const auto ran = replay(trace->string(), {}, "\"recorded\", \"easy\"");
    REQUIRE(ran.table.fidelity.size() == 2);
    const auto& recorded = ran.table.fidelity[0].second.all;
    const auto& easy = ran.table.fidelity[1].second.all;
    CHECK(recorded.recorded.mean == doctest::Approx(15296).epsilon(1e-4));
    CHECK(easy.simulated.mean == doctest::Approx(6858).epsilon(1e-4));
  }
}
