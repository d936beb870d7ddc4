#include "study/runs/study_run.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <map>

#include "engine/base/error.hpp"
#include "engine/base/leftovers.hpp"
#include "engine/compare/renderers.hpp"
#include "study/results/sweep_merge.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;
using namespace berth::study;
namespace fs = std::filesystem;

namespace {

constexpr auto kSweep =
    "[machine]\nprocessors = 16\n[workload]\nmodel = \"lublin\"\njobs = 40\n"
    "[run]\npolicies = [\"fcfs\", \"easy\"]\n"
    "[sweep]\nworkload.load = [0.5, 0.9]\nseed = { from = 1, to = 3 }\n";

const PolicyLibrary& library() {
  static const PolicyLibrary kLibrary(test::source_root() + "/policies");
  return kLibrary;
}

StudyOutcome run(const Scenario& scenario, const fs::path& out,
                 std::size_t workers = 1) {
  StudyOptions options;
  options.workers = workers;
  if (!out.empty()) options.out = out;
  return run_study(scenario, library(), options);
}

std::string table(const Scenario& scenario, const StudyOutcome& outcome) {
  return as_csv(comparison_of(scenario, outcome, Rows::kAll));
}

std::map<std::string, std::string> files(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      all[fs::relative(entry.path(), folder).string()] =
          test::text_of_file(entry.path());
    }
  }
  return all;
}

int code_of(const std::string& text, const fs::path& out = {}) {
  try {
    static_cast<void>(run(read_scenario("s.toml", text), out));
    return 0;
  } catch (const Error& error) {
    return static_cast<int>(error.code());
  }
}

}  // namespace

TEST_SUITE("study/study_run") {
  TEST_CASE("every point meets every policy, whatever the number of workers") {
    const test::ScratchFolder scratch;
    const auto scenario = read_scenario("s.toml", kSweep);
    const auto one = run(scenario, scratch.path() / "one", 1);
    const auto three = run(scenario, scratch.path() / "three", 3);
    CHECK(one.code() == 0);
    CHECK(one.points.size() == 6);
    CHECK(one.count(PointState::kRan) == 6);
    CHECK(one.is_complete());
    CHECK(table(scenario, one) == table(scenario, three));
    const auto written = files(scratch.path() / "one");
    CHECK(written == files(scratch.path() / "three"));
    CHECK(written.size() == 1 + 6 * (2 * 2 + 1));
    CHECK(written.count("points/0004-workload.load=0.9,seed=1/easy/summary.json") == 1);
  }

  TEST_CASE("finished points are taken as they are, and the table is the same") {
    const test::ScratchFolder scratch;
    const auto scenario = read_scenario("s.toml", kSweep);
    const auto whole = run(scenario, scratch.path() / "whole");
    const auto before = files(scratch.path() / "whole");
    fs::remove_all(scratch.path() / "whole/points/0002-workload.load=0.5,seed=2");
    fs::remove(scratch.path() /
               "whole/points/0005-workload.load=0.9,seed=2/fcfs/summary.json");
    const auto resumed = run(scenario, scratch.path() / "whole", 2);
    CHECK(resumed.count(PointState::kReused) == 4);
    CHECK(resumed.count(PointState::kRan) == 2);
    CHECK(table(scenario, resumed) == table(scenario, whole));
    CHECK(files(scratch.path() / "whole") == before);
  }

  TEST_CASE("a process that ends in a study says what is kept of it") {
    const test::ScratchFolder scratch;
    const auto policy =
        scratch.file("mine.lua",
                     "return { schedule = function(queue, cluster) print('here')\n"
                     "  cluster:start_all(queue) end }\n");
    const auto text = fmt::format(
        "run.policies = [\"fcfs\", \"easy\", \"{}\"]\n"
        "machine.processors = 4\nworkload.model = \"lublin\"\n"
        "workload.jobs = 5\n",
        policy);
    const auto out = scratch.path() / "out";
    std::vector<std::string> said;  // while mine runs
    StudyOptions options;
    options.print = [&](std::string_view, std::string_view) {
      said.push_back(last_words());
    };
    options.out = out;
    options.layout = Layout::kRun;
    static_cast<void>(run_study(read_scenario("s.toml", text), library(), options));
    REQUIRE_FALSE(said.empty());
    CHECK(said.back() == fmt::format("2 of 3 policies are kept in {}: fcfs, easy; the "
                                     "same command runs the rest\n",
                                     out.string()));
    CHECK(last_words().empty());

    said.clear();
    options.layout = Layout::kSweep;
    options.out = scratch.path() / "sweep";
    const auto sweep = read_scenario("s.toml", text + "sweep.seed = [1, 2]\n");
    static_cast<void>(run_study(sweep, library(), options));
    REQUIRE_FALSE(said.empty());
    CHECK(said.front().empty());
    CHECK(said.back() == fmt::format("1 of 2 points is kept in {}; the same command "
                                     "runs the rest\n",
                                     options.out->string()));
    options.out.reset();
    said.clear();
    static_cast<void>(run_study(sweep, library(), options));
    REQUIRE_FALSE(said.empty());
    CHECK(said.back().empty());
  }

  TEST_CASE("a run whose audit failed has metrics in the table, and no results") {
    const test::ScratchFolder scratch;
    // It promises what EASY promises and starts whatever fits: job 3 delays job 2.
    const auto policy =
        scratch.file("any.lua",
                     "return { promises = 'easy', schedule = function(queue, cluster)\n"
                     "  for job in queue:fitting() do cluster:start(job) end end }\n");
    const auto trace = scratch.file("t.swf",
                                    "; MaxProcs: 2\n"
                                    "1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 -1 -1 -1\n"
                                    "2 1 -1 10 2 -1 -1 2 10 -1 1 1 1 1 1 -1 -1 -1\n"
                                    "3 2 -1 80 1 -1 -1 1 80 -1 1 1 1 1 1 -1 -1 -1\n");
    auto scenario = read_scenario("s.toml", "[run]\npolicies = [\"easy\"]\n");
    scenario.workload.trace = trace;
    scenario.policies.push_back({policy, {}, {}});
    StudyOptions options;
    options.layout = Layout::kRun;
    options.summaries = true;
    options.out = scratch.path() / "out";
    const auto outcome = run_study(scenario, library(), options);
    CHECK(outcome.code() == 1);
    const auto& failed = outcome.points.front().policies.back();
    CHECK(failed.failure.text.find("docs/model.md#r1") != std::string::npos);
    const auto comparison = comparison_of(scenario, outcome, Rows::kUsual);
    CHECK(comparison.policies == std::vector<std::string>{"easy", "any: audit failed"});
    // Waits 0, 81, 0.
    CHECK(comparison.rows.front().entries.back().value->mean == 27);
    CHECK(files(scratch.path() / "out").count("easy/summary.json") == 1);
    CHECK(files(scratch.path() / "out").count("any/summary.json") == 0);
    CHECK(json_array(outcome).find("any") == std::string::npos);
  }

  TEST_CASE("a result that was changed or cut off is no result") {
    const test::ScratchFolder scratch;
    const auto scenario = read_scenario("s.toml", kSweep);
    static_cast<void>(run(scenario, scratch.path() / "out"));
    const auto before = files(scratch.path() / "out");
    const auto point = "out/points/0001-workload.load=0.5,seed=1/";
    const auto summary =
        before.at("points/0001-workload.load=0.5,seed=1/easy/summary.json");
    const auto at = fs::path(point) / "easy/summary.json";
    const std::string kChanged[] = {summary + " ", summary.substr(0, 100), ""};
    for (const auto& text : kChanged) {
      static_cast<void>(scratch.file(at.string(), text));
      CHECK(run(scenario, scratch.path() / "out").count(PointState::kRan) == 1);
      CHECK(files(scratch.path() / "out") == before);
    }
  }

  TEST_CASE("results of another version of a policy are not taken") {
    const test::ScratchFolder scratch;
    const auto policy = scratch.file(
        "mine.lua",
        "return { on_submit = function(job, cluster) cluster:reject(job) end,\n"
        "  schedule = function(queue, cluster) end }\n");
    const auto scenario = read_scenario(
        "s.toml",
        fmt::format("run.policies = [\"{}\", \"fcfs\"]\nmachine.processors = 4\n"
                    "workload.model = \"lublin\"\nworkload.jobs = 5\n"
                    "sweep.seed = [1, 2]\n",
                    policy));
    const auto idle = run(scenario, scratch.path() / "out");
    CHECK(idle.points[0].policies[0].run->summary.jobs.finished == 0);
    static_cast<void>(scratch.file(
        "mine.lua", test::text_of_file(test::source_root() + "/policies/fcfs.lua")));
    const auto again = run(scenario, scratch.path() / "out");
    CHECK(again.count(PointState::kReused) == 0);
    CHECK(again.points[0].policies[0].run->summary.jobs.finished == 5);
  }

  TEST_CASE("a policy that fails at one point marks that point, the others finish") {
    const test::ScratchFolder scratch;
    const auto policy = scratch.file(
        "mine.lua",
        "return { params = { bad = { default = false, help = \"to break\" } },\n"
        "  schedule = function(queue, cluster)\n"
        "    if cluster.params.bad then error(\"it broke\") end\n"
        "    for job in queue:startable() do cluster:start(job) end\n  end }\n");
    const auto scenario = read_scenario(
        "s.toml",
        fmt::format("run.policies = [\"fcfs\", \"{}\"]\nmachine.processors = 4\n"
                    "workload.model = \"lublin\"\nworkload.jobs = 5\n[sweep]\n"
                    "policies.mine.bad = [false, true]\nseed = [1, 2]\n",
                    policy));
    const auto outcome = run(scenario, scratch.path() / "out");
    INFO(outcome.points[0].policies[1].failure.text);
    CHECK(outcome.code() == 4);
    CHECK(outcome.points[0].policies[1].failure.code == 0);
    CHECK(outcome.points[1].policies[1].failure.code == 0);
    REQUIRE(outcome.points.size() == 4);
    CHECK(outcome.points[2].policies[0].failure.code == 0);
    CHECK(outcome.points[2].policies[1].failure.text.find("it broke") !=
          std::string::npos);
    CHECK(fs::exists(scratch.path() /
                     "out/points/0003-policies.mine.bad=true,seed=1/mine(bad=true)/"
                     "failed.json"));
    const auto comparison = comparison_of(scenario, outcome, Rows::kUsual);
    // fcfs, mine(bad=false), mine(bad=true)
    REQUIRE(comparison.rows[0].entries.size() == 3);
    CHECK(comparison.rows[0].entries[0].value.has_value());
    CHECK(comparison.rows[0].entries[1].value.has_value());
    CHECK(comparison.rows[0].entries[2].verdict == Verdict::kIncomplete);
    // It failed, so it is tried again.
    CHECK(run(scenario, scratch.path() / "out").count(PointState::kRan) == 2);
  }

  TEST_CASE("once the user stops, no further point begins; the next run resumes") {
    const test::ScratchFolder scratch;
    const auto scenario = read_scenario("s.toml", kSweep);
    std::atomic<int> asked{0};
    StudyOptions options;
    options.out = scratch.path() / "out";
    options.interrupted = [&] { return ++asked > 3; };  // amid the second point
    const auto stopped = run_study(scenario, library(), options);
    CHECK(stopped.code() == 130);
    CHECK(stopped.count(PointState::kRan) == 2);
    CHECK(stopped.count(PointState::kNotBegun) == 4);
    const auto resumed = run(scenario, scratch.path() / "out");
    CHECK(resumed.count(PointState::kReused) == 2);
    CHECK(table(scenario, resumed) == table(scenario, run(scenario, {})));
  }

  TEST_CASE("the parts of a sweep together are the sweep") {
    const test::ScratchFolder scratch;
    const auto scenario = read_scenario("s.toml", kSweep);
    StudyOptions options;
    options.out = scratch.path() / "out";
    for (std::size_t i = 1; i <= 4; ++i) {
      options.shard = {i, 4};
      CHECK(run_study(scenario, library(), options).points.size() == (i <= 2 ? 2 : 1));
    }
    CHECK(run(scenario, scratch.path() / "out").count(PointState::kReused) == 6);
  }

  TEST_CASE("parts in folders of their own merge into what one process writes") {
    const test::ScratchFolder scratch;
    const auto scenario = read_scenario("s.toml", kSweep);
    const auto whole = run(scenario, scratch.path() / "whole");
    std::vector<fs::path> parts;
    StudyOptions options;
    for (std::size_t i = 1; i <= 2; ++i) {
      options.shard = {i, 2};
      options.out = scratch.path() / fmt::format("part{}", i);
      parts.push_back(*options.out);
      static_cast<void>(run_study(scenario, library(), options));
    }
    const auto merged = merge_sweep(parts, Gaps::kRefuse);
    CHECK(table(merged.scenario, merged.outcome) == table(scenario, whole));
    write_merged(merged, scratch.path() / "merged", Existing::kRefuse);
    CHECK(files(scratch.path() / "merged") == files(scratch.path() / "whole"));
  }

  TEST_CASE("a merged sweep has the rows of its classes") {
    const test::ScratchFolder scratch;
    const auto scenario = read_scenario(
        "s.toml", std::string(kSweep) + "[classes]\nsmall = \"size <= 2\"\n");
    const auto whole = run(scenario, scratch.path() / "whole");
    const auto merged = merge_sweep({scratch.path() / "whole"}, Gaps::kRefuse);
    CHECK(table(scenario, whole).find("@small") != std::string::npos);
    CHECK(table(merged.scenario, merged.outcome) == table(scenario, whole));
  }

  TEST_CASE("an incomplete grid is not merged, unless its gaps may be marked") {
    const test::ScratchFolder scratch;
    const auto scenario = read_scenario("s.toml", kSweep);
    StudyOptions options;
    options.shard = {1, 3};
    options.out = scratch.path() / "part";
    static_cast<void>(run_study(scenario, library(), options));
    const auto merging = [&](Gaps gaps) {
      return merge_sweep({scratch.path() / "part"}, gaps);
    };
    CHECK_THROWS_WITH(static_cast<void>(merging(Gaps::kRefuse)),
                      doctest::Contains("4 of the 6 points"));
    const auto marked = merging(Gaps::kMark);
    CHECK(marked.missing.size() == 4);
    const auto comparison =
        comparison_of(marked.scenario, marked.outcome, Rows::kUsual);
    CHECK(comparison.rows[0].entries[0].verdict == Verdict::kIncomplete);
    CHECK_FALSE(comparison.rows[0].entries[0].value);
  }

  TEST_CASE("parts of different sweeps, or made by other policies, do not merge") {
    const test::ScratchFolder scratch;
    static_cast<void>(run(read_scenario("s.toml", kSweep), scratch.path() / "a"));
    static_cast<void>(
        run(read_scenario("s.toml", fmt::format("title = \"b\"\n{}", kSweep)),
            scratch.path() / "b"));
    const auto a = scratch.path() / "a";
    CHECK_THROWS_WITH(static_cast<void>(merge_sweep({a, scratch.path() / "b"}, {})),
                      doctest::Contains("different sweeps"));
    CHECK_THROWS_WITH(static_cast<void>(merge_sweep({scratch.path()}, {})),
                      doctest::Contains("no sweep.json"));
    const auto manifest = a / "points/0003-workload.load=0.5,seed=3/fcfs/manifest.json";
    auto text = test::text_of_file(manifest);
    const auto at = text.find("\"source\": \"") + 11;
    text[at] = text[at] == 'x' ? 'y' : 'x';
    std::ofstream(manifest) << text;
    CHECK_THROWS_WITH(static_cast<void>(merge_sweep({a}, {})),
                      doctest::Contains("different versions"));
  }

  TEST_CASE("a folder of another sweep, or of something else, is refused") {
    const test::ScratchFolder scratch;
    const auto out = scratch.path() / "out";
    CHECK(code_of(kSweep, out) == 0);
    CHECK(code_of(fmt::format("{}[machine]\n", kSweep), out) == 3);
    CHECK(code_of(fmt::format("title = \"Other\"\n{}", kSweep), out) == 2);
    static_cast<void>(scratch.file("thesis/thesis.tex", "years of work"));
    CHECK(code_of(kSweep, scratch.path() / "thesis") == 2);
    CHECK(code_of(kSweep, "/proc/nowhere/out") == 8);
  }

  TEST_CASE("two points that are the same run are refused") {
    CHECK(code_of("[machine]\nprocessors = 4\n[workload]\nmodel = \"lublin\"\n"
                  "jobs = 5\n[run]\npolicies = [\"fcfs\"]\n[sweep]\n"
                  "workload.load = [0.5, 0.6]\nworkload.variant = [\"whole\"]\n") == 0);
    const test::ScratchFolder scratch;
    const auto trace =
        scratch.file("a/t.swf", "1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n");
    const auto same =
        scratch.file("b/t.swf", "1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n");
    CHECK(code_of(fmt::format("machine.processors = 4\nrun.policies = [\"fcfs\"]\n"
                              "sweep.workload.trace = [\"{}\", \"{}\"]\n",
                              trace, same)) == 3);
    CHECK(code_of("machine.processors = 4\nworkload.trace = \"-\"\n"
                  "run.policies = [\"fcfs\"]\nsweep.seed = [1, 2]\n") == 2);
  }
}
