#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/compare/renderers.hpp"
#include "study/results/sweep_merge.hpp"
#include "study/runs/study_run.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using namespace berth;
using namespace berth::study;

namespace {

using test::berth_says;

constexpr auto kBase =
    "[machine]\nprocessors = 16\n[workload]\nmodel = \"lublin\"\njobs = 300\n"
    "estimates = \"factor\"\nload = 0.9\n[run]\npolicies = [\"fcfs\", \"easy\"]\n";

// One class in the older form, as masks and row by row.
constexpr auto kThrice =
    "[classes]\nold = \"walltime <= 1h and size >= 4\"\n"
    "new = \"job.walltime <= 3600 and job.size >= 4\"\n"
    "row = \"math.max(job.walltime, 0) <= 3600 and job.size >= 4\"\n";

std::string table(const Scenario& scenario) {
  const auto outcome = run_study(scenario, PolicyLibrary::standard(), {});
  CHECK(outcome.code() == 0);
  return as_csv(comparison_of(scenario, outcome, Rows::kAll));
}

// The lines of the class, without its name.
std::string lines_of(const std::string& table, const std::string& name) {
  std::string all;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find("@" + name);
    if (at != std::string::npos) all += line.erase(at, name.size() + 1) + "\n";
  }
  return all;
}

// What `berth run` says of a scenario with this class, with its code.
std::string said_of(const std::string& condition,
                    const std::vector<std::string>& more = {}) {
  const test::ScratchFolder scratch;
  const auto file = scratch.file(
      "s.toml", fmt::format("{}[classes]\nshort = '{}'\n", kBase, condition));
  std::vector<std::string> arguments{"run", file};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto said = berth_says(arguments);
  return fmt::format("{}: {}", said.code, said.err);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE("study/job_classes") {
  TEST_CASE("every metric of a class is that of the same class in the older form") {
    for (const std::string more :
         {"batches = 4\n", "measure = \"steady\"\nweight = \"area\"\n",
          "[sweep]\nworkload.load = [0.5, 0.9]\nseed = { from = 1, to = 3 }\n"}) {
      CAPTURE(more);
      const auto text = table(read_scenario("s.toml", kBase + more + kThrice));
      const auto old = lines_of(text, "old");
      CHECK(std::count(old.begin(), old.end(), '\n') > 10);
      CHECK(lines_of(text, "new") == old);
      CHECK(lines_of(text, "row") == old);
    }
  }

  TEST_CASE("so is every value of a summary, and a metric of one's own") {
    const test::ScratchFolder scratch;
    const auto lua = scratch.file("mine.lua",
                                  "return metric {\n  name = \"mine\",\n"
                                  "  each = function(run) return run.finished.wait * "
                                  "run.finished.size end,\n}\n");
    const auto file = scratch.file("s.toml", std::string(kBase) + kThrice);
    const auto said = berth_says({"run", file, "--metric", lua, "--json"});
    REQUIRE(said.code == 0);
    const auto runs = nlohmann::json::parse(said.out);
    std::size_t compared = 0;
    for (const auto& run : runs) {
      const auto& metrics = run["metrics"];
      for (const auto& item : metrics.items()) {
        const auto name = item.key();
        const auto& value = item.value();
        const auto at = name.find("@old");
        if (at == std::string::npos) continue;
        CAPTURE(name);
        CHECK(value["n"] > 0);
        CHECK(metrics[name.substr(0, at) + "@new"] == value);
        CHECK(metrics[name.substr(0, at) + "@row"] == value);
        ++compared;
      }
      CHECK(metrics.contains("mine@old"));
    }
    CHECK(compared > 20);
  }

  TEST_CASE("a class by `or` and the one by its `not` are all jobs together") {
    const test::ScratchFolder scratch;
    const auto file = scratch.file(
        "s.toml", std::string(kBase) +
                      "[classes]\nsome = \"job.size >= 4 or job.walltime > 60\"\n"
                      "rest = \"not (job.size >= 4 or job.walltime > 60)\"\n");
    const auto said = berth_says({"run", file, "--json"});
    REQUIRE(said.code == 0);
    const auto metrics = nlohmann::json::parse(said.out)[0]["metrics"];
    const auto jobs = [&](const char* name) { return metrics[name]["n"].get<int>(); };
    CHECK(jobs("mean_wait@some") > 0);
    CHECK(jobs("mean_wait@rest") > 0);
    CHECK(jobs("mean_wait@some") + jobs("mean_wait@rest") == jobs("mean_wait"));
  }

  TEST_CASE("what is wrong with an expression is said at its place, or of its class") {
    CHECK(has(said_of("job.size >"),
              "s.toml:11:9: classes.short: unexpected symbol near <eof>"));
    CHECK(has(said_of("size > 10m"), "classes.short: '10m' is no number"));
    CHECK(has(said_of("job.size"),
              "class short: answered a number, expected true or false"));
    CHECK(said_of("job.size").starts_with("4: "));
    CHECK(has(said_of("job.wait > 60"),
              "class short: a row of submitted jobs has no 'wait'"));
    CHECK(has(said_of("wide(job)"),
              "class short: attempt to call a nil value (global 'wide')"));
    const auto endless =
        said_of("(function() while true do end end)(job)", {"--time-limit", "0.3"});
    CAPTURE(endless);
    CHECK(endless.starts_with("5: "));
    CHECK(has(endless, "class short"));
    CHECK(said_of("size <= 2", {"--set", "classes.short=job.size <="})
              .starts_with("2: "));
    CHECK(said_of("size <= 2", {"--set", "classes.short=job.size <= 2"})
              .starts_with("0: "));
  }

  TEST_CASE("a merged sweep keeps the expression") {
    const test::ScratchFolder scratch;
    const auto scenario = read_scenario(
        "s.toml", std::string(kBase) + kThrice + "[sweep]\nseed = [1, 2]\n");
    StudyOptions options;
    options.out = scratch.path() / "whole";
    const auto whole = run_study(scenario, PolicyLibrary::standard(), options);
    const auto merged = merge_sweep({scratch.path() / "whole"}, Gaps::kRefuse);
    const auto text =
        as_csv(comparison_of(merged.scenario, merged.outcome, Rows::kAll));
    CHECK(text == as_csv(comparison_of(scenario, whole, Rows::kAll)));
    CHECK(lines_of(text, "new") != "");
  }
}
