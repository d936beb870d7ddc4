#include "engine/compare/comparison.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/tools/comparison_page.hpp"
#include "engine/base/error.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/machines/metric_list.hpp"

namespace berth {

using bindings::as_text;

namespace {

using Names = std::vector<std::string_view>;

struct LabelledRun {
  std::string label;
  ComparedRun run;
  Summary& summary = run.summary;

  LabelledRun(std::string name, ComparedRun of)
      : label(std::move(name)), run(std::move(of)) {}
  LabelledRun(const LabelledRun& other) : LabelledRun(other.label, other.run) {}
};

LabelledRun labelled(std::string label, std::optional<double> wait, double used) {
  LabelledRun run(std::move(label), {});
  run.summary.metrics = {{"mean_wait", wait, "s", 3},
                         {"utilisation", used, "fraction", 4}};
  return run;
}

std::vector<ComparedCell> cells_of(const std::vector<LabelledRun>& runs) {
  ComparedCell cell;
  for (const auto& run : runs) cell.policies.push_back({run.label, {&run.run}});
  return {cell};
}

// One run of each policy.
Comparison compare(const std::vector<LabelledRun>& runs, const Names& names) {
  return ::berth::compare(cells_of(runs), names, {Layout::kRun});
}

std::vector<std::string> notes_of(const std::vector<LabelledRun>& runs,
                                  sim::Overrun rule = sim::Overrun::kRunOn) {
  return bindings::notes_on(compare(runs, {}), cells_of(runs), rule);
}

}  // namespace

TEST_SUITE("compare/comparison") {
  TEST_CASE("the best of a row is the lowest or the highest, as its metric says") {
    const std::vector runs{labelled("fcfs", 73.5, 0.5), labelled("easy", 30.0, 0.75)};
    const auto table = compare(runs, Names{"utilisation", "mean_wait"});
    REQUIRE(table.rows.size() == 2);
    CHECK(table.policies == std::vector<std::string>{"fcfs", "easy"});
    CHECK(table.rows[0].metric == "utilisation");
    CHECK_FALSE(table.rows[0].entries[0].best);
    CHECK(table.rows[0].entries[1].best);
    CHECK(*table.rows[0].entries[1].improvement == doctest::Approx(50));
    CHECK(table.rows[1].entries[1].best);
    CHECK(*table.rows[1].entries[1].improvement == doctest::Approx(100 * 43.5 / 73.5));
    CHECK(table.rows[1].entries[0].improvement == std::nullopt);
    CHECK(table.rows[1].entries[1].n == 3);
    CHECK(table.rows[1].unit == "s");
  }

  TEST_CASE("equal values have no best, equal best ones are all marked") {
    const Names names{"mean_wait"};
    const auto even =
        compare(std::vector{labelled("a", 5, 0), labelled("b", 5, 0)}, names);
    CHECK_FALSE(even.rows[0].entries[0].best);
    const auto shared = compare(
        std::vector{labelled("a", 5, 0), labelled("b", 5, 0), labelled("c", 6, 0)},
        names);
    CHECK(shared.rows[0].entries[0].best);
    CHECK(shared.rows[0].entries[1].best);
    CHECK_FALSE(shared.rows[0].entries[2].best);
  }

  TEST_CASE("an undefined value is never the best and gives no improvement") {
    const auto table = compare(
        std::vector{labelled("a", {}, 0), labelled("b", 5, 0), labelled("c", 6, 0)},
        Names{"mean_wait"});
    CHECK_FALSE(table.rows[0].entries[0].best);
    CHECK(table.rows[0].entries[1].best);
    CHECK(table.rows[0].entries[1].improvement == std::nullopt);
  }

  TEST_CASE(
      "a metric that no summary has makes an empty row, an unknown one an error") {
    const std::vector runs{labelled("a", 5, 0)};
    const auto table = compare(runs, Names{"makespan"});
    CHECK(table.rows[0].entries[0].value == std::nullopt);
    CHECK(table.rows[0].entries[0].n == 0);
    CHECK_THROWS_AS((void)compare(runs, Names{"no_such_thing"}), Error);
    CHECK(all_metrics(cells_of(runs)) == Names{"mean_wait", "utilisation"});
  }

  TEST_CASE("the metrics of the table all exist") {
    for (const auto& name : default_metrics({}))
      CHECK(metric_record(name).name == name);
  }

  TEST_CASE("the notes give the outlived walltimes and the rule in force") {
    std::vector runs{labelled("fcfs", 1, 0), labelled("easy", 1, 0)};
    CHECK(notes_of(runs) ==
          std::vector<std::string>{
              "jobs that exceeded their walltime: 0 (overrun = run_on)"});
    runs[0].summary.jobs.outlived_walltime = 475;
    runs[1].summary.jobs.outlived_walltime = 475;
    CHECK(notes_of(runs, sim::Overrun::kKill)[0] ==
          "jobs that exceeded their walltime: 475 (overrun = kill)");
    runs[1].summary.jobs.outlived_walltime = 470;
    CHECK(notes_of(runs, sim::Overrun::kKill)[0] ==
          "jobs that exceeded their walltime: fcfs 475, easy 470 (overrun = kill)");
  }

  TEST_CASE("the notes name what is in no mean, and queues that never empty") {
    std::vector runs{labelled("fcfs", 1, 0), labelled("easy", 1, 0)};
    runs[0].summary.queue_never_empties = true;
    runs[0].summary.jobs.not_finished = 2;
    for (auto& run : runs) run.summary.jobs.rejected_by_machine = 3;
    runs[1].summary.jobs.rejected_by_policy = 1;
    runs[1].summary.jobs.failed = 4;
    CHECK(
        notes_of(runs) ==
        std::vector<std::string>{
            "jobs that exceeded their walltime: 0 (overrun = run_on)",
            "the queue never empties under fcfs: the mean wait measures the length of "
            "the trace",
            "jobs rejected by the machine, as wider than it: 3",
            "jobs rejected by the policy: fcfs 0, easy 1",
            "jobs killed at their walltime, in no mean: fcfs 0, easy 4",
            "jobs not finished when nothing could happen any more: fcfs 2, easy 0"});
  }

  TEST_CASE("the notes name a queue that is full for most of the trace") {
    std::vector runs{labelled("fcfs", 1, 0), labelled("easy", 1, 0)};
    for (auto& run : runs) run.summary.submit_span = seconds(300);
    runs[0].summary.longest_queue_stretch = seconds(201);
    runs[1].summary.longest_queue_stretch = seconds(150);
    const auto notes = notes_of(runs);
    REQUIRE(notes.size() == 2);
    CHECK(notes[1] ==
          "the queue does not empty for 3 m 21 s under fcfs, 67 % of the time of "
          "submits: "
          "the mean wait depends on the length of the trace");
    runs[0].summary.queue_never_empties = true;
    CHECK(notes_of(runs).size() == 2);
  }

  TEST_CASE("a median is no best value of the policy that is the worst in the mean") {
    std::vector runs{labelled("fills", 9, 0), labelled("easy", 5, 0)};
    runs[0].summary.metrics.push_back({"median_wait", 0.0, "s", 3});
    runs[1].summary.metrics.push_back({"median_wait", 1.0, "s", 3});
    runs[0].summary.metrics.push_back({"long_waits", 0.0, "jobs", 3});
    runs[1].summary.metrics.push_back({"long_waits", 2.0, "jobs", 3});
    const auto table = compare(runs, Names{"median_wait", "long_waits"});
    for (const auto& row : table.rows) {
      CHECK_FALSE(row.entries[0].best);
      CHECK_FALSE(row.entries[1].best);
    }
    runs[0].summary.metrics[0].value = 4;
    const auto good = compare(runs, Names{"median_wait"});
    CHECK(good.rows[0].entries[0].best);
  }

  TEST_CASE("a value that a full queue spoils says so, other values do not") {
    std::vector runs{labelled("fcfs", 9, 0.5), labelled("easy", 5, 0.6)};
    runs[0].summary.queue_never_empties = true;
    const auto table = compare(runs, Names{"mean_wait", "utilisation"});
    CHECK(table.rows[0].entries[0].warning == "the queue never empties");
    CHECK(table.rows[0].entries[1].warning.empty());
    CHECK(table.rows[1].entries[0].warning.empty());
    CHECK(as_csv(table).find("fcfs,9,3,0,,the queue never empties\n") !=
          std::string::npos);
    CHECK(as_json(table).find("\"warning\": \"the queue never empties\"") !=
          std::string::npos);
    CHECK(as_text(table).find("9!") != std::string::npos);
  }

  TEST_CASE("a mean that leaves more than 2 % of the jobs out says so") {
    std::vector runs{labelled("a", 5, 0), labelled("b", 4, 0)};
    for (auto& run : runs) run.summary.jobs.submitted = 1000;
    runs[0].summary.jobs.rejected_by_policy = 20;
    runs[1].summary.jobs.rejected_by_policy = 15;
    runs[1].summary.jobs.rejected_by_machine = 9;
    const auto table = compare(runs, Names{"mean_wait", "utilisation"});
    CHECK(table.rows[0].entries[0].warning == "");
    CHECK(table.rows[0].entries[1].warning == "2.4 % of the jobs were rejected");
    CHECK(table.rows[1].entries[1].warning == table.rows[0].entries[1].warning);
    runs[1].summary.queue_never_empties = true;
    CHECK(compare(runs, Names{"mean_wait"}).rows[0].entries[1].warning ==
          "the queue never empties; 2.4 % of the jobs were rejected");
  }

  TEST_CASE("no policy makes an empty table") {
    const auto table = compare({}, Names{"mean_wait"});
    CHECK(table.policies.empty());
    CHECK(notes_of({}).empty());
  }

  TEST_CASE("less is better for waits, more for utilisation") {
    CHECK(*improvement_percent(10, 6, Better::kLower) == doctest::Approx(40));
    CHECK(*improvement_percent(100, 90, Better::kLower) == doctest::Approx(10));
    CHECK(*improvement_percent(10, 15, Better::kLower) == doctest::Approx(-50));
    CHECK(*improvement_percent(0.5, 0.6, Better::kHigher) == doctest::Approx(20));
  }

  TEST_CASE("nothing is an improvement on 0, or without a direction") {
    CHECK(improvement_percent(0, 5, Better::kLower) == std::nullopt);
    CHECK(improvement_percent(5, 4, Better::kNeither) == std::nullopt);
  }
}

}  // namespace berth
