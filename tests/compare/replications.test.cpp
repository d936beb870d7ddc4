#include <doctest/doctest.h>

#include <cmath>
#include <deque>

#include "bindings/tools/comparison_page.hpp"
#include "engine/compare/comparison.hpp"
#include "engine/compare/renderers.hpp"

using namespace berth;

namespace {

// Keeps the runs that the cells point to.
class Runs {
 public:
  const ComparedRun* with(double mean_wait, std::int64_t n = 10) {
    auto& run = runs_.emplace_back();
    run.summary.metrics = {{"mean_wait", mean_wait, "s", n}};
    return &run;
  }
  // The difference to the first policy is over `n` common jobs.
  const ComparedRun* common(double mean_wait, double base, std::int64_t n) {
    with(mean_wait);
    runs_.back().common = {n, {{"mean_wait", {base, mean_wait}}}};
    return &runs_.back();
  }
  const ComparedRun* with_users(double first, double second) {
    with(first);
    runs_.back().summary.users = {{1, 4, 4, first, {}, 0.0},
                                  {2, 6, 6, second, {}, 0.0}};
    return &runs_.back();
  }
  const ComparedRun* undefined() {
    auto& run = runs_.emplace_back();
    run.summary.metrics = {{"mean_wait", {}, "s", 0}};
    return &run;
  }

 private:
  std::deque<ComparedRun> runs_;
};

constexpr std::string_view kMeanWait[] = {"mean_wait"};

// With its notes.
Comparison noted(std::span<const ComparedCell> cells,
                 std::span<const std::string_view> metrics,
                 const CompareOptions& options = {}) {
  auto made = berth::compare(cells, metrics, options);
  made.notes = bindings::notes_on(made, cells, sim::Overrun::kRunOn);
  return made;
}

Comparison compare(const std::vector<ComparedPolicy>& policies) {
  const ComparedCell cell{{{"workload.load", "0.5"}}, policies};
  return noted({&cell, 1}, kMeanWait);
}

bool has_note(const Comparison& comparison, std::string_view part) {
  for (const auto& note : comparison.notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_SUITE("compare/replications") {
  TEST_CASE("means and paired differences have Student t intervals over seeds") {
    Runs runs;
    // Means 20 and 17; differences -2, -3, -4: mean -3, variance 1, n 3.
    const auto made = compare({{"a", {runs.with(10), runs.with(20), runs.with(30)}},
                               {"b", {runs.with(8), runs.with(17), runs.with(26)}}});
    const auto& a = made.rows[0].entries[0];
    const auto& b = made.rows[0].entries[1];
    CHECK(a.verdict == Verdict::kBase);
    CHECK(a.value->mean == 20.0);
    CHECK(*a.value->half_width == doctest::Approx(4.302653 * 10 / std::sqrt(3.0)));
    CHECK(b.value->mean == 17.0);
    CHECK(b.difference->mean == -3.0);
    // t(2, 0.975) = 4.302653, divided by sqrt(3).
    CHECK(*b.difference->half_width == doctest::Approx(2.484138));
    CHECK(*b.improvement == doctest::Approx(15.0));
    CHECK(b.verdict == Verdict::kBetter);
    CHECK(b.n == 30);
  }

  TEST_CASE("differences of both signs show nothing, and the words say so") {
    Runs runs;
    const auto made = compare({{"a", {runs.with(10), runs.with(20), runs.with(30)}},
                               {"b", {runs.with(12), runs.with(19), runs.with(30)}}});
    CHECK(made.rows[0].entries[1].verdict == Verdict::kNotShown);
    CHECK(bindings::as_text(made).find("not shown") != std::string::npos);
  }

  TEST_CASE("with more than two policies p-values are corrected by Holm's method") {
    Runs runs;
    const auto base = [&] {
      return ComparedPolicy{"a", {runs.with(10), runs.with(20), runs.with(30)}};
    };
    // Differences 1, 2, 4: t = 2.6458, p = 0.1181.
    const auto other = [&](const char* name) {
      return ComparedPolicy{name, {runs.with(11), runs.with(22), runs.with(34)}};
    };
    const double alone = *compare({base(), other("b")}).rows[0].entries[1].p_value;
    CHECK(alone == doctest::Approx(0.1181).epsilon(0.001));
    const auto both = compare({base(), other("b"), other("c")});
    CHECK(*both.rows[0].entries[1].p_value == doctest::Approx(2 * alone));
    CHECK(both.comparisons == 2);
    CHECK(has_note(both, "Holm's method for the 2 comparisons of this table"));
  }

  TEST_CASE("a difference is over the jobs that finished under both policies") {
    Runs runs;
    const auto made = compare({{"a", {runs.with(10), runs.with(20)}},
                               {"b", {runs.common(5, 6, 7), runs.common(9, 8, 8)}}});
    const auto& b = made.rows[0].entries[1];
    CHECK(b.difference->mean == 0.0);  // -1 and 1, not -5 and -11
    CHECK(b.common_jobs == 15);
    CHECK(b.value->mean == 7.0);
  }

  TEST_CASE("seeds that all gave the same are one run without an interval") {
    Runs runs;
    const auto made = compare(
        {{"a", {runs.with(10), runs.with(10)}}, {"b", {runs.with(8), runs.with(8)}}});
    const auto& b = made.rows[0].entries[1];
    CHECK(b.runs == 1);
    CHECK_FALSE(b.value->half_width);
    CHECK(b.difference->mean == -2.0);
    CHECK_FALSE(b.difference->half_width);
    CHECK(b.verdict == Verdict::kOneRun);
    CHECK(has_note(made, "workload.load=0.5: all 2 seeds gave the same under a"));
  }

  TEST_CASE("one run has the interval of its batch means where it has batches") {
    ComparedRun a;
    a.summary.metrics = {{"mean_wait", 11.0, "s", 90}};
    a.batches = {{"mean_wait", {8, 9, 10, 11, 12}}};
    ComparedRun b = a;
    // Less by 2 on average; t = 2 / sqrt(0.5 / 5) = 6.32 with 4 degrees of freedom.
    b.batches = {{"mean_wait", {6, 8, 8, 8, 10}}};
    const auto made = compare({{"a", {&a}}, {"b", {&b}}});
    const auto& entry = made.rows[0].entries[1];
    CHECK(made.rows[0].entries[0].value->mean == 10.0);
    // t(4, 0.975) = 2.776445, variance 2.5: 2.776445 * sqrt(2.5 / 5).
    CHECK(*made.rows[0].entries[0].value->half_width == doctest::Approx(1.963243));
    CHECK(entry.difference->mean == -2.0);
    CHECK(*entry.p_value == doctest::Approx(0.003195).epsilon(0.001));
    CHECK(entry.verdict == Verdict::kBetter);
    CHECK(has_note(made, "the half-width exceeds 5 % of the mean"));
    CHECK(has_note(made, "neighbouring batches correlate (0.40)"));
  }

  TEST_CASE("two policies that agree in every replication are equal") {
    Runs runs;
    const auto made = compare(
        {{"a", {runs.with(10), runs.with(12)}}, {"b", {runs.with(10), runs.with(12)}}});
    CHECK(made.rows[0].entries[1].verdict == Verdict::kEqual);
  }

  TEST_CASE("a missing replication leaves no mean of the others") {
    Runs runs;
    const auto made = compare({{"a", {runs.with(10), runs.with(12)}},
                               {"b", {runs.with(10), nullptr}},
                               {"c", {runs.with(9), runs.with(12)}}});
    const auto& entries = made.rows[0].entries;
    CHECK_FALSE(entries[1].value);
    CHECK(entries[1].verdict == Verdict::kIncomplete);
    CHECK(entries[2].value->mean == 10.5);
    CHECK(has_note(made, "no result of b in 1 of 2 replications: no mean"));
  }

  TEST_CASE("without the base nothing is compared") {
    Runs runs;
    const auto made = compare(
        {{"a", {runs.with(10), nullptr}}, {"b", {runs.with(10), runs.with(11)}}});
    const auto& b = made.rows[0].entries[1];
    CHECK(b.value->mean == 10.5);
    CHECK_FALSE(b.difference);
    CHECK(b.verdict == Verdict::kIncomplete);
  }

  TEST_CASE("a metric without a value in one replication is undefined") {
    Runs runs;
    const auto made = compare({{"a", {runs.with(10), runs.with(12)}},
                               {"b", {runs.with(10), runs.undefined()}}});
    CHECK(made.rows[0].entries[1].verdict == Verdict::kUndefined);
    CHECK_FALSE(made.rows[0].entries[1].value);
  }

  TEST_CASE("the users whose mean wait fell and rose most are named") {
    Runs runs;
    const auto made =
        compare({{"a", {runs.with_users(10, 10), runs.with_users(20, 20)}},
                 {"b", {runs.with_users(8, 11), runs.with_users(16, 25)}}});
    REQUIRE(made.users.size() == 1);
    CHECK(made.users[0].best.user == 1);
    CHECK(made.users[0].best.wait == -3.0);
    CHECK(made.users[0].worst.user == 2);
    CHECK(made.users[0].worst.wait == 3.0);
    CHECK(made.users[0].worst.jobs == 12);
  }

  TEST_CASE("sentences over several cells say what is shown, and no more") {
    Runs runs;
    const auto base = [&] {
      return ComparedPolicy{"a", {runs.with(10), runs.with(20), runs.with(30)}};
    };
    const ComparedPolicy worse{"b", {runs.with(15), runs.with(25.1), runs.with(35)}};
    const ComparedPolicy unclear{"b", {runs.with(12), runs.with(19), runs.with(30)}};
    const std::vector<ComparedCell> cells = {
        {{{"workload.load", "0.5"}}, {base(), unclear}},
        {{{"workload.load", "0.6"}}, {base(), worse}},
        {{{"workload.load", "0.7"}}, {base(), unclear}}};
    const auto made = noted(cells, kMeanWait);
    CHECK(has_note(made,
                   "mean_wait: b against a: worse at 1 of 3 loads (by 25.2 %), no "
                   "difference shown at 2"));
    CHECK_FALSE(has_note(made, "improves"));
  }

  TEST_CASE("without a primary metric the correction covers the whole table") {
    Runs runs;
    const auto both = [&](double wait, double used) {
      auto& run = const_cast<ComparedRun&>(*runs.with(wait));
      run.summary.metrics.push_back({"utilisation", used, "fraction", 10});
      return &run;
    };
    const ComparedCell cell{{},
                            {{"a", {both(10, 0.1), both(20, 0.2), both(30, 0.3)}},
                             {"b", {both(11, 0.11), both(22, 0.22), both(34, 0.34)}}}};
    constexpr std::string_view kNames[] = {"mean_wait", "utilisation"};
    // Each alone has p = 0.1181.
    const auto all = berth::compare({&cell, 1}, kNames);
    CHECK(all.comparisons == 2);
    CHECK(*all.rows[0].entries[1].p_value == doctest::Approx(0.2362).epsilon(0.001));
    CompareOptions options;
    options.primary = "mean_wait";
    const auto one = noted({&cell, 1}, kNames, options);
    CHECK(one.comparisons == 1);
    CHECK(*one.rows[0].entries[1].p_value == doctest::Approx(0.1181).epsilon(0.001));
    CHECK_FALSE(one.rows[0].exploratory);
    CHECK(one.rows[1].exploratory);
    CHECK(has_note(one, "the 1 comparisons of mean_wait; the other 1 are exploratory"));
  }

  TEST_CASE("seeds that all gave the same count their jobs once") {
    Runs runs;
    const auto made = compare({{"a", {runs.with(10, 7), runs.with(10, 7)}},
                               {"b", {runs.with(8, 7), runs.with(9, 7)}}});
    CHECK(made.rows[0].entries[0].n == 7);
    CHECK(made.rows[0].entries[1].n == 14);
  }

  TEST_CASE("a policy of another point is compared by values, not by its own base") {
    Runs runs;
    const auto* other = runs.common(5, 6, 7);
    const ComparedCell cell{{}, {{"a", {runs.with(10)}}, {"b", {other}, false}}};
    const auto made = berth::compare({&cell, 1}, kMeanWait);
    CHECK(made.rows[0].entries[1].difference->mean == -5.0);
    CHECK(made.rows[0].entries[1].common_jobs == 0);
  }

  TEST_CASE("programs get every number unrounded, one row for each policy") {
    Runs runs;
    const auto made =
        compare({{"a", {runs.with(10)}}, {"b(x=1,y=2)", {runs.with(7.5)}}});
    CHECK(as_csv(made) ==
          "workload.load,metric,unit,better,policy,runs,n,mean,half_width,difference,"
          "difference_half_width,p_value,improvement_percent,common_jobs,verdict,"
          "exploratory,comparisons,load,warning\n"
          "0.5,mean_wait,s,lower,a,1,10,10,,,,,,0,base,0,0,,\n"
          "0.5,mean_wait,s,lower,\"b(x=1,y=2)\",1,10,7.5,,-2.5,,,25,0,no interval,0,0,,"
          "\n");
  }
}
