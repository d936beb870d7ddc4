#include <doctest/doctest.h>

#include <atomic>

#include "engine/base/error.hpp"
#include "study/claims/claims_run.hpp"
#include "study/claims/conversion.hpp"
#include "study/common/exit_code.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/small_sweep.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)
using namespace berth::test;   // NOLINT(google-build-using-namespace)

namespace {

constexpr std::string_view kClaims = R"(
paper { title = "Does backfilling pay?", axis = "workload.load", axis_name = "load" }
claim { "1", says = "EASY waits less than FCFS", sweep = "sweep.toml", of = "easy",
        against = "fcfs", metric = "mean_wait", rule = "on_average" }
claim { "2", says = "jobs queue", given = "so it is" }
)";

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string table_of(const ClaimsOutcome& outcome) {
  return bindings::as_markdown(outcome.answer.page);
}

// What a folder with a small sweep and this claim is refused with, from the name of the
// file on, before anything runs.
std::string told(const std::string& keys, const std::vector<std::string>& only = {}) {
  const ScratchFolder folder;
  (void)folder.file("sweep.toml", kSmallSweep);
  (void)folder.file("claims.lua",
                    "claim { '7', says = 'x', sweep = 'sweep.toml', "
                    "rule = 'always', " +
                        keys + " }");
  StudyOptions options;
  options.progress = [](std::string_view, std::size_t, std::size_t) { FAIL("runs"); };
  const auto library = PolicyLibrary::standard();
  try {
    (void)ClaimsStudy(folder.path(), library, only, options);
  } catch (const Error& error) {
    const std::string text = error.what();
    const auto at = text.find("claims.lua");
    return at == std::string::npos ? text : text.substr(at);
  }
  return "";
}

}  // namespace

TEST_SUITE("study/claims") {
  TEST_CASE("what the sweeps do not have is named before anything runs") {
    const std::string good = "of = 'easy', against = 'fcfs', metric = 'mean_wait'";
    CHECK(told(good, {"7"}).empty());
    const auto both = told("of = 'eassy', against = 'sjf', metric = 'mean_wait'");
    CHECK(
        both.starts_with("claims.lua:1: claim 7: of: there is no eassy in sweep.toml, "
                         "did you mean 'easy'?\n"));
    CHECK(both.ends_with(
        "claims.lua:1: claim 7: against: there is no sjf in sweep.toml"));
    CHECK(told("of = 'easy', against = 'fcfs', metric = 'mean_wiat'") ==
          "claims.lua:1: claim 7: metric: there is no mean_wiat, did you mean "
          "'mean_wait'?");
    CHECK(told("of = 'easy', against = 'fcfs', metric = 'mean_wait@short'") ==
          "claims.lua:1: claim 7: metric: there is no class short in sweep.toml");
    CHECK(
        told(good + ", at = { ['machine.size'] = 1 }")
            .starts_with("claims.lua:1: claim 7: at: there is no axis machine.size in "
                         "sweep.toml"));
    CHECK(told(good + ", at = { ['workload.load'] = 0.7 }")
              .starts_with("claims.lua:1: claim 7: at: there is no point with "
                           "workload.load = 0.7 in sweep.toml"));
    CHECK(told(good, {"8"}) == "--claim: there is no claim 8, did you mean '7'?");
  }

  TEST_CASE("a folder of claims is run, judged, kept and taken again") {
    const ScratchFolder folder;
    (void)folder.file("sweep.toml", kSmallSweep);
    (void)folder.file("claims.lua", kClaims);
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
    CHECK(outcome.failures.empty());
    CHECK(outcome.answer.unexpected.empty());
    const auto table = table_of(outcome);
    CHECK(has(table, "2 claims of the paper: 1 reproduced, 1 given."));
    CHECK(has(table, "| 1     | EASY waits less than FCFS |"));
    CHECK(has(table, "| jobs queue "));
    CHECK(runs == 12);  // 2 loads, 3 seeds, 2 policies
    CHECK(table_of(run()) == table);
    CHECK(runs == 12);
    const auto json = outcome.answer.json.compact();
    CHECK(has(json, "\"verdict\":\"reproduced\""));
    CHECK(has(json, "\"given\":\"so it is\""));
    const auto dry = ClaimsStudy(folder.path(), library, {}, options).dry_run();
    CHECK(dry.starts_with("sweep.toml: 2 points, 3 seeds, 2 policies: 12 runs, "));
    const bool is_short = has(dry, "12 runs, less than a second\n");
    CHECK(is_short != has(dry, "12 runs, about "));
  }

  TEST_CASE("one run has intervals over batches, of any two of its policies") {
    const ScratchFolder folder;
    std::string sweep(kSmallSweep);
    sweep.replace(sweep.find("jobs = 60"), 9, "jobs = 600");
    sweep.replace(sweep.find("\"easy\"]"), 7, "\"easy\", \"sjf\"]\nbatches = 10");
    sweep.erase(sweep.find("seed ="));
    (void)folder.file("sweep.toml", sweep);
    const auto judged = [&](const std::string& interval) {
      (void)folder.file("claims.lua",
                        "paper { interval = '" + interval +
                            "' } claim { '1', says = 'x', sweep = 'sweep.toml', of = "
                            "'sjf', against = 'easy', metric = 'mean_wait', rule = "
                            "'on_average' }");
      const auto library = PolicyLibrary::standard();
      return ClaimsStudy(folder.path(), library, {}, {}).run().answer.json.compact();
    };
    CHECK(has(judged("seeds"), "\"half_width\":null"));
    CHECK(has(judged("seeds"), "one run: no interval"));
    CHECK_FALSE(has(judged("batches"), "\"half_width\":null"));
  }

  TEST_CASE("a full queue, one run and equal runs are told in footnotes") {
    const auto sweep = [](std::string_view load, std::string_view axes) {
      return "[machine]\nprocessors = 16\n[workload]\nmodel = \"lublin\"\njobs = "
             "300\nload = " +
             std::string(load) + "\n[run]\npolicies = [\"fcfs\", \"easy\"]\n[sweep]\n" +
             std::string(axes);
    };
    const ScratchFolder folder;
    (void)folder.file("full.toml", sweep("4.0", "seed = [1, 2, 3]\n"));
    (void)folder.file("one.toml", sweep("0.8", "\"run.ties\" = [\"ends_first\"]\n"));
    (void)folder.file("equal.toml", sweep("0.001", "seed = [1, 2, 3]\n"));
    const auto claim = [](std::string_view of, std::string_view rule) {
      return "claim { '" + std::string(of) + ' ' + std::string(rule) +
             "', says = 'x', sweep = '" + std::string(of) +
             ".toml', of = 'easy', against = 'fcfs', metric = 'mean_response', rule = "
             "'" +
             std::string(rule) + "' }\n";
    };
    (void)folder.file("claims.lua", claim("full", "always") + claim("one", "always") +
                                        claim("one", "on_average") +
                                        claim("equal", "always") +
                                        claim("equal", "same"));
    const auto library = PolicyLibrary::standard();
    const auto outcome = ClaimsStudy(folder.path(), library, {}, {}).run();
    const auto table = table_of(outcome);
    CAPTURE(table);
    CHECK(outcome.failures.empty());
    CHECK(has(
        table,
        "5 claims of the paper: 2 reproduced, 2 in the mean only, 1 no difference."));
    CHECK(has(table,
              "the queue is full for most of the time: the value depends on the "
              "length of the workload"));
    CHECK(has(table, "one run: no interval"));
    const auto rows = outcome.answer.json.compact();
    CHECK(has(rows, "\"verdict\":\"no difference\""));
  }

  TEST_CASE("a dry run judges the time of a packing study by its instances") {
    const ScratchFolder folder;
    (void)folder.file("sweep.toml",
                      "study = \"packing\"\n[packing]\nhosts = 2\njobs = 4\n"
                      "instances = 3\n[run]\npolicies = [\"mcb\", \"exact\"]\n"
                      "[sweep]\nseed = { from = 1, to = 3 }\n");
    (void)folder.file("claims.lua",
                      "claim { '1', says = 'x', sweep = 'sweep.toml', of = 'exact', "
                      "against = 'mcb', metric = 'min_yield', rule = 'always' }");
    const auto library = PolicyLibrary::standard();
    const auto dry = ClaimsStudy(folder.path(), library, {}, StudyOptions()).dry_run();
    CHECK(dry.starts_with("sweep.toml: 1 point, 3 seeds, 2 policies: 6 runs, "));
  }

  TEST_CASE("all inputs that are not there are named before anything runs") {
    const ScratchFolder folder;
    const auto sweep = [](std::string_view trace) {
      return "[workload]\ntrace = \"" + std::string(trace) +
             ".swf\"\n[run]\npolicies = [\"fcfs\", \"easy\"]\n[sweep]\n"
             "\"machine.processors\" = [4, 8]\n";
    };
    for (const auto* name : {"first", "second", "third"}) {
      (void)folder.file(std::string(name) + ".toml", sweep(name));
    }
    (void)folder.file("again.toml", sweep("first"));
    (void)folder.file(
        "second.swf",
        "; MaxProcs: 8\n1 0 -1 10 1 -1 -1 1 10 -1 1 1 -1 -1 -1 -1 -1 -1\n");
    (void)folder.file("claims.lua",
                      "claim { '1', says = 'x', sweep = { 'first.toml', 'second.toml', "
                      "'third.toml', 'again.toml' }, of = 'easy', against = 'fcfs', "
                      "metric = 'mean_wait', rule = 'always' }");
    const auto library = PolicyLibrary::standard();
    const auto study = [&] {
      return ClaimsStudy(folder.path(), library, {}, StudyOptions());
    };
    std::string text;
    try {
      (void)study();
    } catch (const Error& error) {
      text = error.what();
    }
    CHECK(has(text,
              "put them beside claims.lua, or name their folder in BERTH_TRACES:\n"
              "  first.swf (for first.toml, again.toml)\n"
              "  third.swf (for third.toml)"));
    CHECK_FALSE(has(text, "second.swf"));
    for (const auto* name : {"first.swf", "third.swf"}) {
      std::filesystem::copy(folder.path() / "second.swf", folder.path() / name);
    }
    const auto dry = study().dry_run();
    CHECK(has(dry, "third.toml: 2 points"));
    CHECK(has(dry, "  reads " + (folder.path() / "third.swf").string() + "\n"));
  }

  TEST_CASE("a run that fails has a row without result, one that is stopped has none") {
    const ScratchFolder folder;
    std::string sweep(kSmallSweep);
    sweep.replace(sweep.find("\"easy\""), 6, "\"fails.lua\"");
    (void)folder.file("sweep.toml", sweep);
    std::string claims(kClaims);
    claims.replace(claims.find("\"easy\""), 6, "\"fails\"");
    (void)folder.file("claims.lua", claims);
    (void)folder.file("fails.lua", "return { schedule = function() error 'no' end }");
    const auto library = PolicyLibrary::standard();
    StudyOptions options;
    const auto outcome = ClaimsStudy(folder.path(), library, {}, options).run();
    REQUIRE(outcome.failures.size() == 6);
    CHECK(outcome.failures[0].code == static_cast<int>(ErrorCode::kPolicy));
    CHECK(has(outcome.failures[0].text, "workload.load=0.6,seed=1: fails.lua:1: no"));
    CHECK(has(table_of(outcome), "| no result |"));
    CHECK(has(table_of(outcome), "0.6, 0.9: fails failed: fails.lua:1: no"));
    options.interrupted = [] { return true; };
    CHECK_THROWS_AS((void)ClaimsStudy(folder.path(), library, {}, options).run(),
                    Interrupted);
  }

  TEST_CASE("a claims.toml is converted, row by row, into what is judged") {
    const ScratchFolder folder;
    const std::string old = R"(
title = "Does backfilling pay?"
assumptions = ["small"]
[[claim]]
id = "1"
says = "EASY waits less than FCFS, and this says so in more than seventy-two characters"
sweeps = ["sweep.toml"]
policies = ["easy"]
base = ["fcfs"]
metric = "mean_wait"
over = "each"
where = { "workload.load" = [0.9] }
reproduced = [20, 40]
published = 30
best = "stand-in"
[[claim]]
id = "2"
says = "a wait"
sweeps = ["sweep.toml"]
policies = ["easy"]
metric = "mean_wait"
reproduced = [0, 1e6]
own = true
[[claim]]
id = "3"
says = "a tab \t and a quote \""
sweeps = ["sweep.toml"]
policies = ["fcfs"]
base = "easy"
metric = "mean_wait"
reproduced = [-1000000, -3]
)";
    (void)folder.file("sweep.toml", kSmallSweep);
    (void)folder.file("claims.toml", old);
    const auto library = PolicyLibrary::standard();
    const auto made = [&] {
      return ClaimsStudy(folder.path(), library, {}, {}).run().answer.json.compact();
    };
    try {
      (void)made();
      FAIL("it is read");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kInput);
      CHECK(has(error.what(), "berth claims --convert"));
    }
    const auto lua = converted_claims("claims.toml", old);
    CHECK(has(lua, "rule = \"always\""));
    CHECK(has(lua, "number = 30"));
    CHECK(has(lua, "at = { [\"workload.load\"] = 0.9 }"));
    (void)folder.file("claims.lua", lua);
    const auto json = made();
    CHECK(has(json, "\"within\":{\"least\":0,\"most\":1000000}"));
    CHECK(has(json, "\"number\":30,\"within\":null"));
    CHECK(has(lua, "a tab \\009 and a quote \\\""));
    CHECK(has(lua, "side = \"worse\",\n        within = { 3, 1000000 }"));
    CHECK(has(json, "a workload that stands in for the paper's"));
    CHECK_THROWS_AS((void)converted_claims("x.toml", "title = \"t\"\n"), Error);
  }
}
