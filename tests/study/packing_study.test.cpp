// Packing studies: instances in, a table out.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <sstream>

#include "engine/base/error.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/machines/fractional/packing_cases.hpp"
#include "study/policies/policy_template.hpp"
#include "study/runs/study_run.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/settings_door.hpp"
#include "study/tests/check_file.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)
namespace fs = std::filesystem;

namespace {

constexpr auto kStudy =
    "study = \"packing\"\nseed = 3\n[packing]\nhosts = 3\njobs = 7\nslack = 0.2\n"
    "cv_memory = 0.75\ninstances = 20\n[run]\npolicies = [\"exact\", \"mcb\", "
    "\"greedy\", \"cosine\", \"mcb_improved\", \"near\"]\n";

const PolicyLibrary& library() {
  static const PolicyLibrary kLibrary(test::source_root() + "/policies");
  return kLibrary;
}

StudyOutcome run(const Scenario& scenario, const fs::path& out, Layout layout,
                 std::size_t workers = 1) {
  StudyOptions options;
  options.layout = layout;
  options.workers = workers;
  if (layout == Layout::kRun) options.keep = Keep::kAll;
  if (!out.empty()) options.out = out;
  return run_study(scenario, library(), options);
}

double value(const StudyOutcome& outcome, std::size_t policy, std::string_view metric) {
  return outcome.points.front()
      .policies[policy]
      .run->summary.find(metric)
      ->value.value();
}

// All but clock readings.
std::map<std::string, std::string> files(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == "timing.json") continue;
    all[fs::relative(entry.path(), folder).string()] = test::text_of_file(entry.path());
  }
  return all;
}

std::string problems_of(const std::string& text) {
  try {
    (void)read_scenario("s.toml", text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

PackedInstance solved(double yield) {
  PackedInstance one;
  one.outcome = pack::Outcome::kPacked;
  one.yield = yield;
  one.mean_yield = yield;
  one.bound = 1;
  return one;
}

double metric(const std::optional<Summary>& summary, std::string_view name) {
  return summary->find(name)->value.value();
}

}  // namespace

TEST_SUITE("study/packing_study") {
  TEST_CASE("no packer is above the exact search, the improved one not below its own") {
    const auto scenario = read_scenario("s.toml", kStudy);
    const auto outcome = run(scenario, {}, Layout::kRun);
    REQUIRE(outcome.code() == 0);
    CHECK(value(outcome, 0, "degradation") == 0);
    for (std::size_t i = 1; i < 6; ++i) {
      CHECK(value(outcome, i, "degradation") >= 0);
      CHECK(value(outcome, i, "failure_rate") >= value(outcome, 0, "failure_rate"));
    }
    CHECK(value(outcome, 4, "degradation") < value(outcome, 1, "degradation"));
    CHECK(value(outcome, 2, "degradation") > value(outcome, 1, "degradation"));
    CHECK(value(outcome, 0, "share_of_bound") <= 1);
    CHECK(value(outcome, 0, "packs") == 0);
    CHECK(value(outcome, 1, "packs") > 1);
  }

  TEST_CASE("files are the same whatever the number of workers") {
    const test::ScratchFolder scratch;
    const auto scenario = read_scenario("s.toml", kStudy);
    CHECK(run(scenario, scratch.path() / "one", Layout::kRun, 1).code() == 0);
    CHECK(run(scenario, scratch.path() / "three", Layout::kRun, 3).code() == 0);
    const auto written = files(scratch.path() / "one");
    CHECK(written == files(scratch.path() / "three"));
    CHECK(written.size() == 3 + 6 * 3);
    const auto& packings = written.at("mcb/packings.csv");
    CHECK(std::count(packings.begin(), packings.end(), '\n') == 21);
    // Results of ours may be replaced.
    StudyOptions options;
    options.layout = Layout::kRun;
    options.out = scratch.path() / "one";
    options.existing = Existing::kReplace;
    CHECK(run_study(scenario, library(), options).code() == 0);
  }

  TEST_CASE("instances that a study wrote give the same study") {
    const test::ScratchFolder scratch;
    const auto drawn =
        run(read_scenario("s.toml", kStudy), scratch.path() / "drawn", Layout::kRun);
    auto scenario = read_scenario(
        "f.toml",
        "study = \"packing\"\nseed = 3\n[run]\npolicies = [\"exact\", \"mcb\", "
        "\"greedy\", \"cosine\", \"mcb_improved\", \"near\"]\n");
    override_setting(
        scenario, "packing.file=" + (scratch.path() / "drawn/instances.csv").string());
    const auto read = run(scenario, scratch.path() / "read", Layout::kRun);
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(value(read, i, "min_yield") == value(drawn, i, "min_yield"));
      CHECK(value(read, i, "degradation") == value(drawn, i, "degradation"));
    }
    CHECK(files(scratch.path() / "read").at("mcb/packings.csv") ==
          files(scratch.path() / "drawn").at("mcb/packings.csv"));
  }

  TEST_CASE("a sweep of instances is resumed as any other") {
    const test::ScratchFolder scratch;
    auto scenario = read_scenario(
        "s.toml",
        std::string(kStudy) +
            "[sweep]\n\"packing.slack\" = [0.3, 0.5]\nseed = { from = 1, to = "
            "3 }\n");
    override_setting(scenario, "packing.more_metrics=true");
    const auto first = run(scenario, scratch.path() / "out", Layout::kSweep, 2);
    CHECK(first.code() == 0);
    CHECK(first.count(PointState::kRan) == 6);
    const auto before = files(scratch.path() / "out");
    CHECK(before.count("points/0001-packing.slack=0.3,seed=1/instances.csv") == 1);
    const auto again = run(scenario, scratch.path() / "out", Layout::kSweep);
    CHECK(value(again, 1, "work") == value(first, 1, "work"));
    CHECK(value(again, 1, "work") > 0);
    CHECK(again.count(PointState::kReused) == 6);
    CHECK(files(scratch.path() / "out") == before);
    CHECK(as_csv(comparison_of(scenario, first, Rows::kAll)) ==
          as_csv(comparison_of(scenario, again, Rows::kAll)));
  }

  TEST_CASE("a packer that raises fails alone") {
    const test::ScratchFolder scratch;
    auto scenario = read_scenario("s.toml", kStudy);
    const auto file = scratch.file(
        "mine.lua", "return { pack = function(packing, jobs) error('broken') end }");
    scenario.policies.push_back({file, {}, {}});
    scenario.policies.push_back({"fcfs", {}, {}});
    const auto outcome = run(scenario, scratch.path() / "out", Layout::kRun);
    CHECK(outcome.code() == static_cast<int>(ErrorCode::kPolicy));
    const auto& policies = outcome.points.front().policies;
    CHECK(policies[6].failure.text.find("mine.lua:1: broken") != std::string::npos);
    CHECK(policies[6].failure.text.find("instance 1") != std::string::npos);
    CHECK(policies[7].failure.text.find("the policy has no function 'pack'") !=
          std::string::npos);
    CHECK(value(outcome, 0, "degradation") == 0);
    CHECK(fs::exists(scratch.path() / "out/mcb/packings.csv"));
    CHECK_FALSE(fs::exists(scratch.path() / "out/mine"));
  }

  TEST_CASE("instances that cannot be read end the run, with their place") {
    const test::ScratchFolder scratch;
    auto scenario = read_scenario("s.toml", kStudy);
    override_setting(
        scenario, "packing.file=" + scratch.file("bad.csv",
                                                 "instance,hosts,job,tasks,cpu,memory\n"
                                                 "1,2,1,1,1.5,0\n"));
    try {
      (void)run(scenario, {}, Layout::kRun);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kInput);
      CHECK(std::string(error.what()).find("bad.csv:2:9: ") != std::string::npos);
    }
  }

  TEST_CASE("a packing study has no machine, a simulation no instances") {
    CHECK(problems_of(kStudy).empty());
    CHECK(
        problems_of(std::string(kStudy) + "[machine]\nprocessors = 4\n")
            .find("machine.processors: a packing study has neither machine nor jobs") !=
        std::string::npos);
    CHECK(problems_of("[packing]\nslack = 0.5\n")
              .find("s.toml:2:9: packing.slack: belongs to a packing study") !=
          std::string::npos);
    CHECK(problems_of("study = \"packing\"\n[packing]\nfile = \"a.csv\"\nslack = 0.5\n")
              .find("packing.file and packing.slack: only one of them can count") !=
          std::string::npos);
    CHECK_FALSE(problems_of("study = \"packin\"\n").empty());
    CHECK_FALSE(problems_of("study = \"packing\"\n[packing]\nslack = 1\n").empty());
  }

  TEST_CASE("degradation is against the best; a failure counts whole, or not at all") {
    const PackedInstance failed;
    const PackedInstances first{solved(0.5), solved(0.8), failed, failed};
    const PackedInstances second{solved(0.4), solved(0.8), solved(0.6), failed};
    const std::vector<const PackedInstances*> packers{&first, &second, nullptr};
    PackingSettings settings;
    const auto whole = packing_summaries(packers, settings);
    CHECK(metric(whole[0], "degradation") == doctest::Approx(100.0 / 3));
    CHECK(metric(whole[0], "largest_degradation") == 0);
    CHECK(metric(whole[1], "degradation") == doctest::Approx(20.0 / 3));
    CHECK(metric(whole[1], "largest_degradation") == doctest::Approx(20));
    CHECK(metric(whole[1], "degraded_by_10") == doctest::Approx(1.0 / 3));
    CHECK(metric(whole[1], "failure_rate") == 0.25);
    CHECK(metric(whole[0], "min_yield") == doctest::Approx(0.65));
    CHECK_FALSE(whole[2]);
    settings.failed_degradation = FailedDegradation::kLeftOut;
    const auto left_out = packing_summaries(packers, settings);
    CHECK(metric(left_out[0], "degradation") == 0);
  }

  TEST_CASE(
      "metrics on request count a failure as 0, and compare means with the bound") {
    auto half = solved(0.5);
    half.mean_yield = 0.6;
    half.bound = 0.8;
    const PackedInstances packed{half, PackedInstance{}};
    const std::vector<const PackedInstances*> packers{&packed};
    PackingSettings settings;
    const auto usual = packing_summaries(packers, settings).front();
    CHECK(usual->find("share_of_bound_of_all") == nullptr);
    CHECK(usual->find("mean_share_of_bound") == nullptr);
    settings.more_metrics = true;
    const auto more = packing_summaries(packers, settings).front();
    CHECK(metric(more, "share_of_bound") == doctest::Approx(0.625));
    CHECK(metric(more, "share_of_bound_of_all") == doctest::Approx(0.3125));
    CHECK(metric(more, "mean_share_of_bound") == doctest::Approx(0.75));
  }

  TEST_CASE("work is a mean over all instances, failures too") {
    auto small = solved(0.5);
    small.effort.work = 90;
    PackedInstance failure;
    failure.effort.work = 30;
    PackingSettings settings;
    settings.more_metrics = true;
    const PackedInstances packed{small, failure};
    const std::vector<const PackedInstances*> packers{&packed};
    const auto made = packing_summaries(packers, settings).front();
    CHECK(metric(made, "work") == 60);
    CHECK(made->find("work")->n == 2);
  }

  TEST_CASE("a new packer passes its check and beats the greedy one") {
    const test::ScratchFolder scratch;
    write_new_files(case_files(scratch.path(), "mine", "pack"));
    const auto file = scratch.path() / "mine.toml";
    CHECK(check_file((scratch.path() / "mine.lua").string(), library(), {}).code() ==
          0);
    CHECK(check_file(file.string(), library(), {}).code() == 0);
    const auto outcome = run(load_scenario(file.string()), {}, Layout::kRun);
    CHECK(outcome.code() == 0);
    CHECK(value(outcome, 3, "degradation") < value(outcome, 2, "degradation"));
  }

  TEST_CASE("a packer is checked on instances, a file of instances by reading it") {
    const test::ScratchFolder scratch;
    const auto said = [&](const std::string& name, const std::string& text) {
      return check_file(scratch.file(name, text), library(), {});
    };
    for (const auto* name :
         {"mcb", "greedy", "exact", "cosine", "near", "mcb_improved", "rounding"}) {
      CAPTURE(name);
      const auto report = check_file(
          fmt::format("{}/policies/{}.lua", test::source_root(), name), library(), {});
      CHECK(report.code() == 0);
      CHECK(report.notes.front().find("a trial of 100 instances") == 0);
    }
    CHECK(said("a.lua", "return { pack = function() end }").code() == 4);
    CHECK(said("b.csv", "instance,hosts,job,tasks,cpu,memory\n1,2,1,1,0.5,0\n")
              .notes.front() == "1 instances");
    CHECK(said("c.csv", "instance\n").code() == 3);
    CHECK(said("d.toml", kStudy).code() == 0);
  }
}
