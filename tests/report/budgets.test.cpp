// A limit of work, or the wish to stop, ends the reading of results and the making of a
// page: at the same unit every time.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "engine/base/interrupt.hpp"
#include "report/bars.hpp"
#include "report/figures.hpp"
#include "report/page.hpp"
#include "report/stretches_file.hpp"
#include "report/waits_file.hpp"
#include "tests/support/limited.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;

namespace {

constexpr int kJobs = 6'000;  // more than one stride of the meter

std::string jobs_text() {
  std::string text =
      "job_id,submission_time,requested_number_of_resources,starting_time,finish_time,"
      "requested_time,user,allocated_resources\n";
  for (int id = 1; id <= kJobs; ++id) {
    text += fmt::format("{},{},1,{},{},100,{},{}\n", id, id, id + 7, id + 60, id % 30,
                        id % 64);
  }
  return text;
}

std::string stretches_text() {
  std::string text = "job_id,from,to,kind,tier,yield,resources\n";
  for (int id = 1; id <= kJobs; ++id) {
    text +=
        fmt::format("{},{},{},running,foreground,1,{}\n", id, id + 7, id + 60, id % 64);
  }
  return text;
}

std::string waits_text() {
  std::string text = "job_id,reason,passes,seconds,blocker\n";
  for (int id = 1; id <= kJobs; ++id) {
    text += fmt::format("{},busy,2,7,{}\n", id, id + 1);
  }
  return text;
}

report::JobsOfFile jobs_of(Budget& budget) {
  test::MemorySource source(jobs_text());
  return report::read_jobs(source, "jobs.csv", {PlaceForm::kSet, 64}, budget);
}

report::StretchesOfFile stretches_of(Budget& budget) {
  test::MemorySource source(stretches_text());
  return report::read_stretches(source, "s.csv", jobs_of(test::unlimited()),
                                {PlaceForm::kSet, 64}, budget);
}

report::Results results_of(bool has_stretches) {
  report::RunResult run;
  run.label = "one";
  run.jobs = jobs_of(test::unlimited());
  if (has_stretches) run.stretches = stretches_of(test::unlimited());
  run.processors = 64;
  run.unix_start = 0;
  report::Results results;
  results.runs.push_back(std::move(run));
  return results;
}

class Nowhere final : public Sink {
 public:
  void write(std::string_view) override {}
};

// The units that it charges in all.
std::int64_t check(const std::function<void(Budget&)>& work) {
  test::Limited meter;
  Budget budget(meter);
  work(budget);
  const auto half = budget.charged() / 2;
  const auto end = test::ended_at(half, work);
  REQUIRE(end.has_value());
  CHECK(*end > half);
  CHECK(test::ended_at(half, work) == end);
  request_interrupt();
  CHECK_THROWS_AS(work(test::unlimited()), Interrupted);
  clear_interrupt();
  return budget.charged();
}

}  // namespace

TEST_SUITE("report/budgets") {
  TEST_CASE("readers charge for each row at least") {
    CHECK(check([](Budget& budget) { (void)jobs_of(budget); }) >= kJobs);
    CHECK(check([](Budget& budget) { (void)stretches_of(budget); }) >= kJobs);
    CHECK(check([](Budget& budget) {
            test::MemorySource source(waits_text());
            (void)report::read_waits(source, "waits.csv", budget);
          }) >= kJobs);
    CHECK(check([](Budget& budget) {
            report::refuse_overlaps(jobs_of(test::unlimited()), "jobs.csv", budget);
          }) >= kJobs);
  }

  TEST_CASE("figures and pages charge for each job several times") {
    for (const bool has_stretches : {false, true}) {
      CAPTURE(has_stretches);
      const auto results = results_of(has_stretches);
      // A page with bins as well as one with every rectangle.
      for (const std::int64_t most : {0, 1'000'000}) {
        report::PageOptions options;
        options.most_rectangles = most;
        CHECK(check([&](Budget& budget) {
                report::Blocks blocks(budget);
                (void)report::figures_of(results, options, blocks);
              }) >= 5 * kJobs);
      }
      CHECK(check([&](Budget& budget) {
              Nowhere sink;
              (void)report::write_page(results, {}, sink, budget);
            }) >= 5 * kJobs);
    }
  }

  TEST_CASE("bars are charged for one by one") {
    const auto results = results_of(true);
    int bars = 0;
    const auto end = test::ended_at(2'000, [&](Budget& budget) {
      report::each_bar(results.runs.front(), budget,
                       [&](const report::Bar&) { ++bars; });
    });
    REQUIRE(end.has_value());
    // Two units each, and the stride of the meter.
    CHECK(bars == Budget::kStride / 2);
  }
}
