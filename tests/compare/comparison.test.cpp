#include "engine/compare/comparison.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"

namespace berth {

namespace {

using Names = std::vector<std::string_view>;

LabelledSummary labelled(std::string label, std::optional<double> wait, double used) {
  LabelledSummary run{std::move(label), {}};
  run.summary.metrics = {{"mean_wait", wait, "s", 3},
                         {"utilisation", used, "fraction", 4}};
  return run;
}

}  // namespace

TEST_SUITE("compare/comparison") {
  TEST_CASE("the best of a row is the lowest or the highest, as its metric says") {
    const std::vector runs{labelled("fcfs", 73.5, 0.5), labelled("easy", 30.0, 0.75)};
    const auto table = compare(runs, Names{"utilisation", "mean_wait"}, {});
    REQUIRE(table.rows.size() == 2);
    CHECK(table.labels == std::vector<std::string>{"fcfs", "easy"});
    CHECK(table.rows[0].metric == "utilisation");
    CHECK_FALSE(table.rows[0].cells[0].best);
    CHECK(table.rows[0].cells[1].best);
    CHECK(*table.rows[0].cells[1].improvement == doctest::Approx(50));
    CHECK(table.rows[1].cells[1].best);
    CHECK(*table.rows[1].cells[1].improvement == doctest::Approx(100 * 43.5 / 73.5));
    CHECK(table.rows[1].cells[0].improvement == std::nullopt);
    CHECK(table.rows[1].cells[1].n == 3);
    CHECK(table.rows[1].unit == "s");
  }

  TEST_CASE("equal values have no best, equal best ones are all marked") {
    const Names names{"mean_wait"};
    const auto even =
        compare(std::vector{labelled("a", 5, 0), labelled("b", 5, 0)}, names, {});
    CHECK_FALSE(even.rows[0].cells[0].best);
    const auto shared = compare(
        std::vector{labelled("a", 5, 0), labelled("b", 5, 0), labelled("c", 6, 0)},
        names, {});
    CHECK(shared.rows[0].cells[0].best);
    CHECK(shared.rows[0].cells[1].best);
    CHECK_FALSE(shared.rows[0].cells[2].best);
  }

  TEST_CASE("an undefined value is never the best and gives no improvement") {
    const auto table = compare(
        std::vector{labelled("a", {}, 0), labelled("b", 5, 0), labelled("c", 6, 0)},
        Names{"mean_wait"}, {});
    CHECK_FALSE(table.rows[0].cells[0].best);
    CHECK(table.rows[0].cells[1].best);
    CHECK(table.rows[0].cells[1].improvement == std::nullopt);
  }

  TEST_CASE(
      "a metric that no summary has makes an empty row, an unknown one an error") {
    const std::vector runs{labelled("a", 5, 0)};
    const auto table = compare(runs, Names{"makespan"}, {});
    CHECK(table.rows[0].cells[0].value == std::nullopt);
    CHECK(table.rows[0].cells[0].n == 0);
    CHECK_THROWS_AS((void)compare(runs, Names{"no_such_thing"}, {}), Error);
    CHECK(all_metrics(runs) == Names{"mean_wait", "utilisation"});
  }

  TEST_CASE("the metrics of the table all exist") {
    for (const auto& name : default_metrics()) CHECK(metric_record(name).name == name);
  }

  TEST_CASE("the notes give the outlived walltimes and the rule in force") {
    std::vector runs{labelled("fcfs", 1, 0), labelled("easy", 1, 0)};
    CHECK(compare(runs, {}, sim::Overrun::kRunOn).notes ==
          std::vector<std::string>{
              "jobs that outlived their walltime: 0 (overrun = run_on)"});
    runs[0].summary.jobs.outlived_walltime = 475;
    runs[1].summary.jobs.outlived_walltime = 475;
    CHECK(compare(runs, {}, sim::Overrun::kKill).notes[0] ==
          "jobs that outlived their walltime: 475 (overrun = kill)");
    runs[1].summary.jobs.outlived_walltime = 470;
    CHECK(compare(runs, {}, sim::Overrun::kKill).notes[0] ==
          "jobs that outlived their walltime: fcfs 475, easy 470 (overrun = kill)");
  }

  TEST_CASE("the notes name what is in no mean, and queues that never empty") {
    std::vector runs{labelled("fcfs", 1, 0), labelled("easy", 1, 0)};
    runs[0].summary.queue_never_empties = true;
    runs[0].summary.jobs.not_finished = 2;
    for (auto& run : runs) run.summary.jobs.rejected_by_machine = 3;
    runs[1].summary.jobs.rejected_by_policy = 1;
    runs[1].summary.jobs.failed = 4;
    CHECK(
        compare(runs, {}, {}).notes ==
        std::vector<std::string>{
            "jobs that outlived their walltime: 0 (overrun = run_on)",
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
    const auto notes = compare(runs, {}, {}).notes;
    REQUIRE(notes.size() == 2);
    CHECK(notes[1] ==
          "the queue does not empty for 201 s under fcfs, 67 % of the time of submits: "
          "the mean wait depends on the length of the trace");
    runs[0].summary.queue_never_empties = true;
    CHECK(compare(runs, {}, {}).notes.size() == 2);
  }

  TEST_CASE("no policy makes an empty table") {
    const auto table = compare({}, Names{"mean_wait"}, {});
    CHECK(table.labels.empty());
    CHECK(table.notes.empty());
  }
}

}  // namespace berth
