#include <doctest/doctest.h>

#include <atomic>

#include "engine/base/error.hpp"
#include "study/claims/claims_file.hpp"
#include "study/claims/claims_run.hpp"
#include "study/common/exit_code.hpp"
#include "tests/study/scratch_folder.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)
using namespace berth::test;   // NOLINT(google-build-using-namespace)

namespace {

constexpr std::string_view kSweep = R"(
[machine]
processors = 16
[workload]
model = "lublin"
jobs = 60
[run]
policies = ["fcfs", "easy"]
[sweep]
"workload.load" = [0.6, 0.9]
seed = { from = 1, to = 3 }
)";

constexpr std::string_view kClaims = R"(
title = "Does backfilling pay?"
[[claim]]
id = "1"
says = "EASY waits less than FCFS"
sweeps = ["sweep.toml"]
policies = ["easy"]
base = "fcfs"
metric = "mean_wait"
over = "mean"
direction = [0, 1000]
[[claim]]
id = "2"
says = "jobs queue"
given = "so it is"
)";

std::string refusal(std::string_view text) {
  try {
    (void)read_claims("c.toml", text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

MeasuredPoint point(const char* load, std::map<std::string, double> waits) {
  MeasuredPoint made{{{"workload.load", load}}, {}, {}};
  for (const auto& [policy, wait] : waits) {
    made.by_policy[policy] = {{"mean_wait", wait}, {"kills_a_job", wait}};
  }
  return made;
}

}  // namespace

TEST_SUITE("study/claims") {
  TEST_CASE("a claim is read as written") {
    const auto file = read_claims("c.toml", kClaims);
    CHECK(file.title == "Does backfilling pay?");
    REQUIRE(file.claims.size() == 2);
    CHECK(file.claims[0].policies == std::vector<std::string>{"easy"});
    CHECK(file.claims[0].base_sweeps == std::vector<std::string>{"sweep.toml"});
    CHECK(file.claims[0].rule.direction.most == 1000);
    CHECK(file.claims[1].given == "so it is");
    CHECK(sweeps_of(file) == std::vector<std::string>{"sweep.toml"});
  }

  TEST_CASE("everything that is wrong is told with its place") {
    CHECK(refusal("title = 3\n[[claim]]\nid = \"1\"\nsay = \"x\"\n") ==
          "c.toml:1:9: title: a number is not text\n"
          "c.toml:2:1: a claim needs id and says\n"
          "c.toml:2:1: a claim that is judged needs sweeps, policies, base and metric\n"
          "c.toml:4:1: say: there is no such key (did you mean 'says'?)");
    CHECK(refusal("").find("there is no [[claim]] in it") != std::string::npos);
    const std::string head = "[[claim]]\nid = \"1\"\nsays = \"x\"\ngiven = \"y\"\n";
    CHECK(refusal(head + "over = \"median\"\n")
              .find("c.toml:5:8: over: must be one of") == 0);
    CHECK(refusal(head + "direction = [3, 1]\n")
              .find("c.toml:5:13: direction: must be [least, most]") == 0);
  }

  TEST_CASE("improvements are paired seed by seed, at the points that are wanted") {
    const std::map<std::string, std::vector<MeasuredPoint>> sweeps{
        {"a",
         {point("0.6", {{"easy", 8}, {"fcfs", 10}}),
          point("0.6", {{"easy", 9}, {"fcfs", 10}}),
          point("0.9", {{"easy", 60}, {"fcfs", 100}}),
          point("0.9", {{"easy", 80}, {"fcfs", 100}})}},
        {"b", {point("0.9", {{"easy", 40}}), point("0.9", {{"easy", 40}})}}};
    Claim claim;
    claim.sweeps = claim.base_sweeps = {"a"};
    claim.policies = {"easy"};
    claim.base = "fcfs";
    claim.metric = "mean_wait";
    auto points = points_of(claim, sweeps);
    REQUIRE(points.size() == 2);
    CHECK(points[0].by_seed == std::vector<double>{20, 10});
    CHECK(points[1].by_seed == std::vector<double>{40, 20});
    claim.where = {{"workload.load", {"0.9"}}};
    CHECK(points_of(claim, sweeps).size() == 1);
    claim.sweeps = {"b"};
    points = points_of(claim, sweeps);
    CHECK(points.front().by_seed == std::vector<double>{60, 60});
    CHECK(points.front().name == "easy, b, workload.load=0.9");
    claim.metric = "kills_a_job";
    claim.base = "easy";
    CHECK_THROWS_AS((void)points_of({claim}, {{"b", {}}}), std::out_of_range);
    CHECK(points_of(claim, sweeps).front().by_seed[0] ==
          doctest::Approx(100 * (40 - 60) / 60.0));
  }

  TEST_CASE("what the sweep does not have is named") {
    const std::map<std::string, std::vector<MeasuredPoint>> sweeps{
        {"a", {point("0.6", {{"easy", 8}})}}};
    Claim claim;
    claim.id = "7";
    claim.sweeps = claim.base_sweeps = {"a"};
    claim.policies = {"easy"};
    claim.base = "sjf";
    claim.metric = "mean_wait";
    CHECK_THROWS_WITH((void)points_of(claim, sweeps),
                      "claim 7: no policy sjf runs in the sweep");
    claim.base = "easy";
    claim.metric = "mean_weight";
    CHECK_THROWS_WITH((void)points_of(claim, sweeps),
                      "claim 7: easy has no value of mean_weight");
    claim.where = {{"machine.size", {"1"}}};
    CHECK_THROWS_WITH((void)points_of(claim, sweeps),
                      "claim 7: where: the sweep has no axis machine.size");
  }

  TEST_CASE("a folder of claims is run, judged, kept and taken again") {
    const ScratchFolder folder;
    (void)folder.file("sweep.toml", kSweep);
    (void)folder.file("claims.toml", kClaims);
    StudyOptions options;
    options.out = folder.path() / "out";
    options.audit = Audit::kOn;
    std::atomic<std::size_t> runs = 0;
    options.progress = [&runs](std::string_view, std::size_t, std::size_t) { ++runs; };
    const auto library = PolicyLibrary::standard();
    const auto outcome =
        run_claims(folder.path(), load_claims(folder.path(), {}), library, options);
    REQUIRE(outcome.claims.size() == 2);
    CHECK(outcome.claims[0].result.verdict == ClaimVerdict::kReproduced);
    CHECK(outcome.claims[0].result.points == 2);
    CHECK(outcome.claims[0].result.seeds == 3);
    const auto table = claims_table(outcome);
    CHECK(table.find("| 1 | EASY waits less than FCFS | +") != std::string::npos);
    CHECK(table.find("| 2 | jobs queue | so it is | given |") != std::string::npos);
    CHECK(runs == 12);  // 2 loads, 3 seeds, 2 policies
    CHECK(claims_table(run_claims(folder.path(), load_claims(folder.path(), {}),
                                  library, options)) == table);
    CHECK(runs == 12);
  }

  TEST_CASE("names are checked before anything runs") {
    const ScratchFolder folder;
    (void)folder.file("sweep.toml", kSweep);
    const auto complaint = [&](std::string_view from, std::string_view to) {
      std::string claims(kClaims);
      claims.replace(claims.find(from), from.size(), to);
      (void)folder.file("claims.toml", claims);
      try {
        (void)plan_claims(folder.path(), load_claims(folder.path(), {}),
                          PolicyLibrary::standard(), {});
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    CHECK(
        complaint("[\"easy\"]", "[\"esay\"]")
            .ends_with("claims.toml:3:1: claim 1: no policy 'esay' runs in sweep.toml "
                       "(did you mean 'easy'?)"));
    CHECK(complaint("base = \"fcfs\"", "base = \"fsfc\"").find("no policy 'fsfc'") !=
          std::string::npos);
    CHECK(
        complaint("\"mean_wait\"", "\"mean_wiat\"")
            .ends_with("claims.toml:9:10: metric: there is no metric 'mean_wiat' (did "
                       "you mean 'mean_wait'?)"));
    CHECK(complaint("direction = [0, 1000]", "where = { \"workload.load\" = [0.7] }")
              .find("direction: say which side is claimed") != std::string::npos);
    CHECK(complaint("over = \"mean\"", "where = { \"workload.load\" = [0.7] }")
              .find("where: sweep.toml has no workload.load = 0.7") !=
          std::string::npos);
    CHECK(complaint("title", "title").empty());
  }

  TEST_CASE("the side claimed follows from the paper's value") {
    const std::string head =
        "[[claim]]\nid = \"1\"\nsays = \"x\"\nsweeps = [\"a.toml\"]\npolicies = "
        "[\"easy\"]\nbase = \"fcfs\"\nmetric = \"mean_wait\"\n";
    CHECK(read_claims("c.toml", head + "reproduced = [10, 20]\n")
              .claims[0]
              .rule.direction.least == 0);
    CHECK(read_claims("c.toml", head + "reproduced = [-20, -10]\n")
              .claims[0]
              .rule.direction.most == 0);
    CHECK(refusal(head + "reproduced = [-1, 1]\n").find("c.toml:1:1: direction: say") ==
          0);
  }

  TEST_CASE("a verdict that is not expected is named, and claims are picked by id") {
    const ScratchFolder folder;
    (void)folder.file("sweep.toml", kSweep);
    std::string text(kClaims);
    text.replace(text.find("over = \"mean\""), 13, "expect = \"not reproduced\"");
    (void)folder.file("claims.toml", text);
    const auto library = PolicyLibrary::standard();
    const auto outcome =
        run_claims(folder.path(), load_claims(folder.path(), {"1"}), library, {});
    REQUIRE(outcome.claims.size() == 1);
    const auto lines = unexpected(outcome);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].ends_with("claim 1: reproduced, expected: not reproduced"));
    CHECK(claims_json(outcome).compact().find("\"verdict\":\"reproduced\"") !=
          std::string::npos);
    CHECK_THROWS_WITH((void)load_claims(folder.path(), {"3"}),
                      "--claim: there is no claim '3' (did you mean '1'?)");
  }

  TEST_CASE("a run that fails or is interrupted leaves no claim to judge") {
    const ScratchFolder folder;
    std::string sweep(kSweep);
    sweep.replace(sweep.find("\"easy\""), 6, "\"fails.lua\"");
    (void)folder.file("sweep.toml", sweep);
    std::string claims(kClaims);
    claims.replace(claims.find("[\"easy\"]"), 8, "[\"fails\"]");
    (void)folder.file("claims.toml", claims);
    (void)folder.file("fails.lua", "return { schedule = function() error 'no' end }");
    const auto library = PolicyLibrary::standard();
    StudyOptions options;
    try {
      (void)run_claims(folder.path(), load_claims(folder.path(), {}), library, options);
      FAIL("it is judged");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kPolicy);
      CHECK(
          std::string(error.what()).find("workload.load=0.6,seed=1: fails.lua:1: no") !=
          std::string::npos);
    }
    options.interrupted = [] { return true; };
    CHECK_THROWS_AS((void)run_claims(folder.path(), load_claims(folder.path(), {}),
                                     library, options),
                    Interrupted);
  }
}
