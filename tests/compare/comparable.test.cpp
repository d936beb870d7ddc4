#include "engine/compare/comparable.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "bindings/tools/comparison_page.hpp"
#include "engine/compare/renderers.hpp"

namespace berth {

using bindings::as_latex;
using bindings::as_markdown;
using bindings::as_text;

namespace {

// A run that finished so many of 500 jobs; `set` says which.
ComparedRun run_of(std::int64_t finished, std::uint64_t set, double wait) {
  ComparedRun run;
  run.summary.jobs.submitted = 500;
  run.summary.jobs.finished = finished;
  run.summary.finished_digest = set;
  run.summary.metrics = {{"mean_wait", wait, "s", finished},
                         {"mean_response", wait + 100, "s", finished},
                         {"utilisation", wait / 1000, "fraction", finished},
                         {"accept_rate", wait / 1000, "fraction", 500}};
  return run;
}

// One run of each policy, called a, b, c.
struct Runs {
  std::vector<ComparedRun> runs;

  [[nodiscard]] Comparison table(const std::vector<std::string_view>& metrics) const {
    ComparedCell cell;
    char name = 'a';
    for (const auto& run : runs) cell.policies.push_back({{name++}, {&run}, false});
    return compare(std::vector{cell}, metrics, {Layout::kRun});
  }
};

// Two policies over two seeds.
Comparison sweep_of(const std::vector<ComparedRun>& base,
                    const std::vector<ComparedRun>& other,
                    const std::vector<std::string_view>& metrics) {
  ComparedCell cell;
  for (const auto* runs : {&base, &other}) {
    ComparedPolicy policy{runs == &base ? "a" : "b", {}, false};
    for (const auto& run : *runs) policy.runs.push_back(&run);
    cell.policies.push_back(policy);
  }
  return compare(std::vector{cell}, metrics);
}

std::size_t marks_in(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text) count += c == '*' ? 1 : 0;
  return count;
}

}  // namespace

TEST_SUITE("compare/comparable") {
  TEST_CASE("two runs finished the same jobs if number and digest are equal") {
    const auto all = run_of(500, 7, 1);
    CHECK(same_jobs(all.summary, run_of(500, 7, 9).summary));
    CHECK_FALSE(same_jobs(all.summary, run_of(500, 8, 9).summary));
    CHECK_FALSE(same_jobs(all.summary, run_of(42, 7, 9).summary));
  }

  TEST_CASE("without a digest only runs that finished every job are known to agree") {
    auto old = run_of(500, 7, 1).summary;
    old.finished_digest.reset();
    CHECK(same_jobs(old, run_of(500, 7, 9).summary));
    old.jobs.finished = 42;
    CHECK_FALSE(same_jobs(old, run_of(42, 7, 9).summary));
  }

  TEST_CASE(
      "F37: a policy that finished 42 of 500 jobs gets no mark and no percentage") {
    const Runs runs{{run_of(500, 7, 100), run_of(42, 5, 1)}};
    const auto table = runs.table({"mean_wait", "utilisation"});
    for (const auto& row : table.rows) {
      CHECK_FALSE(row.entries[0].best);
      CHECK_FALSE(row.entries[1].best);
      CHECK_FALSE(row.entries[1].improvement);
      CHECK(row.entries[0].not_comparable.empty());
      CHECK(row.entries[1].not_comparable == "other jobs: 42 of 500");
    }
    CHECK(marks_in(as_text(table)) == 0);
    CHECK(as_text(table).find("other jobs: 42 of 500") != std::string::npos);
    CHECK(as_markdown(table).find("(other jobs: 42 of 500)") != std::string::npos);
    CHECK(as_markdown(table).find("**") == std::string::npos);
    CHECK(as_latex(table).find("textbf") == std::string::npos);
    CHECK(as_latex(table).find("(other jobs: 42 of 500)") != std::string::npos);
    CHECK(as_csv(table).find("b,1,42,0,,other jobs: 42 of 500\n") != std::string::npos);
    CHECK(as_json(table).find("\"warning\": \"other jobs: 42 of 500\"") !=
          std::string::npos);
    CHECK(as_json(table).find("\"best\": true") == std::string::npos);
  }

  TEST_CASE("the policy with other jobs is named, wherever it stands") {
    const Runs runs{{run_of(42, 5, 1), run_of(500, 7, 100), run_of(500, 7, 50)}};
    const auto table = runs.table({"mean_wait"});
    const auto& entries = table.rows[0].entries;
    CHECK(entries[0].not_comparable == "other jobs: 42 of 500");
    CHECK(entries[1].not_comparable.empty());
    CHECK(entries[2].not_comparable.empty());
    CHECK_FALSE(entries[1].improvement);
    CHECK(entries[2].verdict == Verdict::kNotComparable);
    CHECK_FALSE(entries[2].best);
  }

  TEST_CASE("as many jobs, but not the same ones, are other jobs") {
    const Runs runs{{run_of(499, 7, 100), run_of(499, 5, 1)}};
    const auto table = runs.table({"mean_wait"});
    CHECK(table.rows[0].entries[1].not_comparable == "other jobs: 499 of 500");
  }

  TEST_CASE("a metric over all submitted jobs compares policies that reject") {
    const Runs runs{{run_of(500, 7, 100), run_of(42, 5, 1)}};
    const auto table = runs.table({"accept_rate"});
    CHECK(table.rows[0].entries[0].best);
    CHECK(table.rows[0].entries[1].not_comparable.empty());
    CHECK(*table.rows[0].entries[1].improvement == doctest::Approx(-99));
  }

  TEST_CASE("F37: a wait that ends at the first of several starts is not compared") {
    Runs runs{{run_of(500, 7, 100), run_of(500, 7, 1)}};
    runs.runs[1].summary.counts.suspensions = 3;
    const auto table = runs.table({"mean_wait", "mean_response"});
    CHECK(table.rows[0].entries[1].not_comparable ==
          "ends at the first of several starts");
    CHECK_FALSE(table.rows[0].entries[1].best);
    CHECK_FALSE(table.rows[0].entries[1].improvement);
    CHECK(table.rows[1].entries[1].best);
    CHECK(*table.rows[1].entries[1].improvement == doctest::Approx(49.5));
  }

  TEST_CASE("responses and lost times stand for waits where a job was suspended") {
    const auto plain = run_of(500, 7, 1);
    auto suspends = plain;
    suspends.summary.counts.suspensions = 1;
    ComparedCell cell;
    cell.policies = {{"a", {&plain}, false}, {"b", {&suspends}, false}};
    const auto metrics = default_metrics(std::vector{cell});
    CHECK(std::vector<std::string_view>(metrics.begin(), metrics.end()) ==
          std::vector<std::string_view>{
              "mean_response", "mean_lost_time", "p95_response", "max_response",
              "mean_bounded_slowdown", "utilisation", "load"});
    cell.policies.pop_back();
    CHECK(default_metrics(std::vector{cell}).front() == "mean_wait");
  }

  TEST_CASE("F38: the mark of a sweep is its verdict") {
    const auto even = sweep_of({run_of(500, 7, 10), run_of(500, 8, 20)},
                               {run_of(500, 7, 9), run_of(500, 8, 21)}, {"mean_wait"});
    for (const auto& entry : even.rows[0].entries) CHECK_FALSE(entry.best);
    CHECK(even.rows[0].entries[1].verdict == Verdict::kNotShown);
    CHECK(marks_in(as_text(even)) == 0);
  }

  TEST_CASE("a sweep gives the reason instead of a verdict, and tests nothing") {
    const auto table = sweep_of({run_of(500, 7, 10), run_of(500, 8, 20)},
                                {run_of(40, 1, 1), run_of(42, 2, 2)}, {"mean_wait"});
    const auto& entry = table.rows[0].entries[1];
    CHECK(entry.verdict == Verdict::kNotComparable);
    CHECK(entry.not_comparable == "other jobs: 82 of 1000");
    CHECK_FALSE(entry.p_value);
    CHECK_FALSE(entry.improvement);
    CHECK(table.comparisons == 0);
    CHECK(as_text(table).find("other jobs: 82 of 1000") != std::string::npos);
    CHECK(as_csv(table).find("not comparable") != std::string::npos);
  }
}

}  // namespace berth
