#include <doctest/doctest.h>

#include <atomic>

#include "engine/base/error.hpp"
#include "study/claims/claims_file.hpp"
#include "study/claims/claims_table.hpp"
#include "study/common/exit_code.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/small_sweep.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)
using namespace berth::test;   // NOLINT(google-build-using-namespace)

namespace {

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
  MeasuredPoint made{{{"workload.load", load}}, {}};
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
          "c.toml:2:1: a claim that is judged needs sweeps, policies and metric\n"
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
    claim.metric = "mean_wait";
    auto points = points_of(claim, "fcfs", sweeps);
    REQUIRE(points.size() == 2);
    CHECK(points[0].by_seed == std::vector<double>{20, 10});
    CHECK(points[1].by_seed == std::vector<double>{40, 20});
    claim.where = {{"workload.load", {"0.9"}}};
    CHECK(points_of(claim, "fcfs", sweeps).size() == 1);
    claim.sweeps = {"b"};
    points = points_of(claim, "fcfs", sweeps);
    CHECK(points.front().by_seed == std::vector<double>{60, 60});
    CHECK(points.front().name == "easy, b, workload.load=0.9");
    CHECK(points.front().at.empty());  // the one place that is wanted
    claim.metric = "kills_a_job";
    CHECK_THROWS_AS((void)points_of(claim, "easy", {{"b", {}}}), std::out_of_range);
    CHECK(points_of(claim, "easy", sweeps).front().by_seed[0] ==
          doctest::Approx(100 * (40 - 60) / 60.0));
    claim.rule.as = As::kPoints;
    CHECK(points_of(claim, "easy", sweeps).front().by_seed[0] ==
          doctest::Approx(100 * (40 - 60)));
    claim.rule.as = As::kValue;
    CHECK(points_of(claim, "", sweeps).front().by_seed == std::vector<double>{40, 40});
  }

  TEST_CASE("the side that is claimed is written, or follows from the size") {
    const std::string head =
        "[[claim]]\nid = \"1\"\nsays = \"x\"\nsweeps = [\"a\"]\npolicies = [\"easy\"]\n"
        "metric = \"mean_wait\"\n";
    CHECK(refusal(head + "base = \"fcfs\"\n")
              .find("c.toml:1:1: a claim needs the side that is claimed") == 0);
    CHECK(refusal(head + "base = \"fcfs\"\nreproduced = [-3, 5]\n")
              .find("c.toml:1:1: a claim needs the side that is claimed") == 0);
    const auto rule = [&](const std::string& more) {
      return read_claims("c.toml", head + more).claims.front().rule;
    };
    CHECK(rule("base = \"fcfs\"\nreproduced = [3, 5]\n").direction.least == 0);
    CHECK(rule("base = \"fcfs\"\nreproduced = [-5, -3]\n").direction.most == 0);
    CHECK(rule("base = \"fcfs\"\ndirection = \"better\"\n").direction.least == 0);
    CHECK(rule("base = \"fcfs\"\ndirection = \"better\"\n").direction.has(1e9));
    CHECK(rule("base = \"fcfs\"\ndirection = \"worse\"\n").direction.most == 0);
    CHECK(refusal(head + "base = \"fcfs\"\ndirection = \"up\"\n")
              .find("direction: must be one of \"better\", \"worse\"") !=
          std::string::npos);
    CHECK(refusal(head + "direction = \"better\"\n")
              .find("direction: a value without a base is neither") !=
          std::string::npos);
    CHECK(rule("reproduced = [0, 350]\n").direction.most == 350);
    CHECK(rule("reproduced = [0, 350]\n").as == As::kValue);
    CHECK(
        refusal(head + "as = \"points\"\nreproduced = [0, 350]\n") ==
        "c.toml:7:6: as: \"value\" is for claims without a base, the others need one");
  }

  TEST_CASE("the paper's value is a number where the paper has it") {
    const std::string head =
        "[[claim]]\nid = \"1\"\nsays = \"x\"\nsweeps = [\"a\"]\npolicies = [\"easy\"]\n"
        "metric = \"mean_wait\"\nreproduced = [3, 5]\n";
    CHECK_FALSE(read_claims("c.toml", head).claims.front().published);
    CHECK(read_claims("c.toml", head + "published = 4\n").claims.front().published ==
          4.0);
    CHECK(refusal(head + "published = 5.5\n") ==
          "c.toml:8:13: published: lies outside of reproduced");
    CHECK(refusal(head + "published = \"4 %\"\n") ==
          "c.toml:8:13: published: must be a number");
  }

  TEST_CASE(
      "the table says at which points a claim holds, and keeps own claims apart") {
    ClaimsOutcome outcome;
    Claim claim;
    claim.id = "3";
    claim.says = "always better";
    claim.bases = {"easy"};
    claim.metric = "mean_wait";
    claim.rule.over = Over::kEach;
    ClaimResult result;
    result.verdict = ClaimVerdict::kNotReproduced;
    result.value = 5;
    result.points = 6;
    result.seeds = 3;
    result.each = {{"measy, a", "0.3", true},  {"measy, a", "0.5", true},
                   {"measy, a", "0.7", false}, {"measy, a", "0.9", true},
                   {"measy, b", "0.3", false}, {"measy, b", "0.5", false}};
    outcome.claims.push_back({claim, {result}});
    claim.id = "own 1";
    claim.is_own = true;
    result.each.resize(2);
    outcome.claims.push_back({claim, {result}});
    CHECK(
        claims_table(outcome) ==
        "| claim | the paper says | berth measures | verdict | assumptions |\n"
        "|---|---|---|---|---|\n"
        "| 3 | always better | +5.0 % (6 points, 3 seeds), measy, a holds at 0.3 to "
        "0.5, 0.9 of 0.3 to 0.9; measy, b holds at none of 0.3 to 0.5 | not reproduced "
        "|  |\n"
        "\nNot of the paper:\n\n"
        "| claim | what is claimed | berth measures | verdict | assumptions |\n"
        "|---|---|---|---|---|\n"
        "| own 1 | always better | +5.0 % (6 points, 3 seeds), holds at 0.3 to 0.5 | "
        "not reproduced |  |\n");
    const auto json = claims_json(outcome).compact();
    CHECK(json.find("\"own\":true") != std::string::npos);
    CHECK(json.find("{\"series\":\"measy, a\",\"at\":\"0.7\",\"holds\":false}") !=
          std::string::npos);
  }

  TEST_CASE("against several bases a claim must hold, or be opposite, against each") {
    const auto verdict = [](ClaimVerdict one, ClaimVerdict other) {
      ClaimResult a;
      ClaimResult b;
      a.verdict = one;
      b.verdict = other;
      return JudgedClaim{{}, {a, b}}.verdict();
    };
    using enum ClaimVerdict;
    CHECK(verdict(kReproduced, kRightSign) == kRightSign);
    CHECK(verdict(kReproduced, kNotReproduced) == kNotReproduced);
    CHECK(verdict(kReproduced, kOpposite) == kNotReproduced);
    CHECK(verdict(kOpposite, kOpposite) == kOpposite);
    CHECK(JudgedClaim{}.verdict() == kNotJudged);
  }

  TEST_CASE("a stand-in, the verdicts and own claims are read") {
    const std::string head = "[[claim]]\nid = \"1\"\nsays = \"x\"\ngiven = \"y\"\n";
    const auto claim =
        read_claims("c.toml", head +
                                  "best = \"stand-in\"\nown = true\nexpect = "
                                  "\"right size, stand-in workload\"\n")
            .claims.front();
    CHECK(claim.rule.on_stand_in);
    CHECK(claim.is_own);
    CHECK(claim.expected == ClaimVerdict::kRightSizeOnStandIn);
    CHECK_FALSE(read_claims("c.toml", head).claims.front().is_own);
    CHECK(refusal(head + "own = 1\n") == "c.toml:5:7: own: must be true or false");
    CHECK(
        refusal(head + "expect = \"direction only\"\n")
            .find(
                "c.toml:5:10: expect: must be one of \"reproduced\", \"right size, ") ==
        0);
  }

  TEST_CASE("what the sweeps do not have is named before anything runs") {
    const ScratchFolder folder;
    (void)folder.file("sweep.toml", kSmallSweep);
    StudyOptions options;
    options.progress = [](std::string_view, std::size_t, std::size_t) { FAIL("runs"); };
    const auto library = PolicyLibrary::standard();
    const auto told = [&](const std::string& lines,
                          const std::vector<std::string>& only = {}) -> std::string {
      const auto path =
          folder.file("claims.toml",
                      "[[claim]]\nid = \"7\"\nsays = \"x\"\nsweeps = [\"sweep.toml\"]\n"
                      "direction = [0, 100]\n" +
                          lines);
      try {
        (void)ClaimsStudy(folder.path(), library, only, options);
      } catch (const Error& error) {
        const std::string text = error.what();
        const auto at = text.find("claims.toml");
        return at == std::string::npos ? text : text.substr(at);
      }
      return "";
    };
    CHECK(told("policies = [\"eassy\"]\nbase = \"sjf\"\nmetric = \"mean_wait\"\n")
              .find("claims.toml:6:12: policies: no policy eassy runs in sweep.toml "
                    "(did you mean 'easy'?)\n") == 0);
    CHECK(told("policies = [\"easy\"]\nbase = \"fcfs\"\nmetric = \"mean_wiat\"\n") ==
          "claims.toml:8:10: metric: there is no metric mean_wiat (did you mean "
          "'mean_wait'?)");
    const std::string good =
        "policies = [\"easy\"]\nbase = \"fcfs\"\nmetric = \"mean_wait\"\n";
    CHECK(told(good + "where = { \"machine.size\" = [1] }\n") ==
          "claims.toml:9:9: where: sweep.toml has no axis machine.size");
    CHECK(told(good + "where = { \"workload.load\" = [0.7] }\n") ==
          "claims.toml:9:9: where: sweep.toml has no point with workload.load = 0.7");
    CHECK(
        told(good + "where = { \"workload.load\" = [0.6] }\nover = \"growth\"\n") ==
        "claims.toml:10:8: over: \"growth\" needs two points, and sweep.toml has one; "
        "\"sweeps\" compares sweeps");
    CHECK(told(good + "over = \"sweeps\"\n") ==
          "claims.toml:9:8: over: \"sweeps\" compares at least two sweeps");
    CHECK(told(good, {"8"}) == "--claim: there is no claim '8' (did you mean '7'?)");
    CHECK(told(good, {"7"}).empty());
  }

  TEST_CASE("a folder of claims is run, judged, kept and taken again") {
    const ScratchFolder folder;
    (void)folder.file("sweep.toml", kSmallSweep);
    (void)folder.file("claims.toml", kClaims);
    StudyOptions options;
    options.out = folder.path() / "out";
    options.audit = Audit::kOn;
    std::atomic<std::size_t> runs = 0;
    options.progress = [&runs](std::string_view, std::size_t, std::size_t) { ++runs; };
    const auto library = PolicyLibrary::standard();
    const auto run = [&] {
      return ClaimsStudy(folder.path(), library, {}, options).run();
    };
    const auto outcome = run();
    REQUIRE(outcome.claims.size() == 2);
    CHECK(outcome.claims[0].verdict() == ClaimVerdict::kReproduced);
    CHECK(outcome.claims[0].is_as_expected());
    CHECK(outcome.claims[0].results.front().points == 2);
    CHECK(outcome.claims[0].results.front().seeds == 3);
    const auto table = claims_table(outcome);
    CHECK(table.find("| 1 | EASY waits less than FCFS | +") != std::string::npos);
    CHECK(table.find("| 2 | jobs queue | so it is | given |") != std::string::npos);
    CHECK(runs == 12);  // 2 loads, 3 seeds, 2 policies
    CHECK(claims_table(run()) == table);
    CHECK(runs == 12);
    const auto json = claims_json(outcome).compact();
    CHECK(json.find("\"verdict\":\"reproduced\"") != std::string::npos);
    CHECK(json.find("\"given\":\"so it is\"") != std::string::npos);
    const auto dry = ClaimsStudy(folder.path(), library, {}, options).dry_run();
    CHECK(dry.starts_with("sweep.toml: 2 points, 3 seeds, 2 policies: 12 runs, "));
    const bool is_short =
        dry.find("12 runs, less than a second\n") != std::string::npos;
    CHECK(is_short != (dry.find("12 runs, about ") != std::string::npos));
  }

  TEST_CASE("a dry run judges the time of a packing study by its instances") {
    const ScratchFolder folder;
    (void)folder.file("sweep.toml",
                      "study = \"packing\"\n[packing]\nhosts = 2\njobs = 4\n"
                      "instances = 3\n[run]\npolicies = [\"mcb\", \"exact\"]\n"
                      "[sweep]\nseed = { from = 1, to = 3 }\n");
    (void)folder.file("claims.toml",
                      "[[claim]]\nid = \"1\"\nsays = \"x\"\nsweeps = "
                      "[\"sweep.toml\"]\npolicies = [\"exact\"]\nbase = \"mcb\"\n"
                      "metric = \"min_yield\"\ndirection = [0, 100]\n");
    const auto library = PolicyLibrary::standard();
    const auto dry = ClaimsStudy(folder.path(), library, {}, StudyOptions()).dry_run();
    CHECK(dry.starts_with("sweep.toml: 1 point, 3 seeds, 2 policies: 6 runs, "));
  }

  TEST_CASE("a run that fails or is interrupted leaves no claim to judge") {
    const ScratchFolder folder;
    std::string sweep(kSmallSweep);
    sweep.replace(sweep.find("\"easy\""), 6, "\"fails.lua\"");
    (void)folder.file("sweep.toml", sweep);
    std::string claims(kClaims);
    claims.replace(claims.find("\"easy\""), 6, "\"fails\"");
    (void)folder.file("claims.toml", claims);
    (void)folder.file("fails.lua", "return { schedule = function() error 'no' end }");
    const auto library = PolicyLibrary::standard();
    StudyOptions options;
    try {
      (void)ClaimsStudy(folder.path(), library, {}, options).run();
      FAIL("it is judged");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kPolicy);
      CHECK(
          std::string(error.what()).find("workload.load=0.6,seed=1: fails.lua:1: no") !=
          std::string::npos);
    }
    options.interrupted = [] { return true; };
    CHECK_THROWS_AS((void)ClaimsStudy(folder.path(), library, {}, options).run(),
                    Interrupted);
  }
}
