#include "engine/metrics/run_metrics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/random_stream.hpp"
#include "engine/metrics/metric_options.hpp"
#include "engine/metrics/metric_record.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/sim/selection.hpp"
#include "engine/sim/simulation.hpp"
#include "tests/support/builders.hpp"

namespace berth {

namespace {

using test::a_job;
using test::a_machine;
using test::ScriptedPolicy;

Job of_user(Job job, std::int32_t user) {
  job.user = user;
  return job;
}

// Ten processors.  Under FCFS: 1 runs 0-100, 2 100-150, 3 150-170; 4 is too wide.
std::vector<Job> three_jobs_and_a_giant() {
  return {of_user(a_job(1, 0, 6, 100), 1), of_user(a_job(2, 10, 8, 50), 2),
          of_user(a_job(3, 20, 4, 20), 1), of_user(a_job(4, 200, 11, 5), 2)};
}

struct Measured {
  Summary summary;
  std::vector<JobOutcome> outcomes;

  [[nodiscard]] double operator[](std::string_view name) const {
    const auto* metric = summary.find(name);
    REQUIRE_MESSAGE(metric != nullptr, std::string(name));
    REQUIRE_MESSAGE(metric->value.has_value(), std::string(name));
    return *metric->value;
  }
  [[nodiscard]] std::int64_t n(std::string_view name) const {
    return summary.find(name)->n;
  }
  [[nodiscard]] bool undefined(std::string_view name) const {
    return !summary.find(name)->value;
  }
};

struct Setting {
  sim::Machine machine = a_machine(10);
  Window window;
  MetricOptions options;
  sim::Observer* beside = nullptr;
};

Measured measure(const std::vector<Job>& jobs, ScriptedPolicy::Schedule schedule,
                 const Setting& setting = {}) {
  ScriptedPolicy policy(std::move(schedule));
  sim::Simulation simulation(setting.machine, {}, jobs, policy,
                             make_model(setting.machine, jobs));
  RunMetrics metrics(jobs, setting.window, setting.options);
  simulation.audience().observe(metrics);
  if (setting.beside != nullptr) simulation.audience().observe(*setting.beside);
  simulation.advance(kNever);
  simulation.finish();
  const OutcomeView outcomes(metrics.outcomes());
  return {metrics.summary(), {outcomes.begin(), outcomes.end()}};
}

}  // namespace

TEST_SUITE("metrics/run_metrics") {
  TEST_CASE("means and quantiles run over finished jobs") {
    const auto run = measure(three_jobs_and_a_giant(), test::fcfs);
    CHECK(run["mean_wait"] == doctest::Approx(220.0 / 3));  // 0, 90, 130
    CHECK(run["median_wait"] == 90.0);
    CHECK(run["p95_wait"] == doctest::Approx(126.0));
    CHECK(run["p99_wait"] == doctest::Approx(129.2));
    CHECK(run["max_wait"] == 130.0);
    CHECK(run["mean_response"] == 130.0);                      // 100, 140, 150
    CHECK(run["mean_slowdown"] == doctest::Approx(11.3 / 3));  // 1, 2.8, 7.5
    CHECK(run["max_bounded_slowdown"] == 7.5);
    CHECK(run["mean_per_processor_bounded_slowdown"] == doctest::Approx(3.875 / 3));
    CHECK(run["max_lost_time"] == 0.0);
    CHECK(run["mean_service_stretch"] == 1.0);
    CHECK(run.n("mean_wait") == 3);
  }

  TEST_CASE("the machine is measured from the first submit to the last end") {
    const auto run = measure(three_jobs_and_a_giant(), test::fcfs);
    CHECK(run["makespan"] == 170.0);
    CHECK(run["utilisation"] == doctest::Approx(1080.0 / 1700));
    CHECK(run["useful_utilisation"] == doctest::Approx(1080.0 / 1700));
    CHECK(run["throughput"] == doctest::Approx(3.0 / 170));
    CHECK(run["mean_queue_length"] == doctest::Approx(220.0 / 170));
    CHECK(run["max_queue_length"] == 2.0);
    CHECK(run["backlog_at_last_submit"] == 0.0);
    CHECK(run["long_waits"] == 0.0);
  }

  TEST_CASE("capacity is lost while a job in the queue needs no more than is idle") {
    // 4 are idle from 20 to 100 while job 3 needs 4; from 100 to 150 only 2 are.
    const auto run = measure(three_jobs_and_a_giant(), test::fcfs);
    CHECK(run["loss_of_capacity"] == doctest::Approx(320.0 / 1700));
    CHECK(measure(three_jobs_and_a_giant(), test::easy)["loss_of_capacity"] == 0.0);
  }

  TEST_CASE("rejected jobs are counted and in no mean") {
    const auto run = measure(three_jobs_and_a_giant(), test::fcfs);
    CHECK(run.summary.jobs.submitted == 4);
    CHECK(run.summary.jobs.rejected_by_machine == 1);
    CHECK(run.summary.jobs.rejected_by_policy == 0);
    CHECK(run.summary.jobs.finished == 3);
    CHECK(run["accept_rate"] == 0.75);
    CHECK(run.n("accept_rate") == 4);

    const auto picky = measure(three_jobs_and_a_giant(), [](sim::Simulation& it) {
      while (const auto head = it.queue(0).head()) {
        if (it.world().jobs().job(head->job).size > 6) {
          it.actions().reject(head->job);
        } else if (!it.actions().start(head->job)) {
          return;
        }
      }
    });
    CHECK(picky.summary.jobs.rejected_by_policy == 1);
    CHECK(picky["accept_rate"] == 0.5);
    CHECK(picky["mean_wait"] == 0.0);
  }

  TEST_CASE("a start is backfilled if an earlier member stays in the queue") {
    CHECK(measure(three_jobs_and_a_giant(), test::fcfs)
              .summary.counts.backfilled_starts == 0);
    const auto run = measure(three_jobs_and_a_giant(), test::easy);
    CHECK(run.summary.counts.backfilled_starts == 1);  // job 3, at 20
    CHECK(run["mean_wait"] == 30.0);
  }

  TEST_CASE("starts in reverse order are not backfilled if all start in one pass") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 5), a_job(2, 0, 2, 5)};
    const auto run = measure(jobs, [](sim::Simulation& it) {
      const auto head = it.queue(0).head();
      if (!head) return;
      if (const auto last = it.queue(0).nth_behind(*head, 1))
        (void)it.actions().start(last->job);
      (void)it.actions().start(head->job);
    });
    CHECK(run.summary.counts.backfilled_starts == 0);
    CHECK(run.summary.jobs.finished == 2);
  }

  TEST_CASE("users are told apart and compared") {
    const auto run = measure(three_jobs_and_a_giant(), test::fcfs);
    REQUIRE(run.summary.users.size() == 2);
    CHECK(run.summary.users[0].mean_wait == 65.0);
    CHECK(run.summary.users[0].mean_bounded_slowdown == 4.25);
    CHECK(run.summary.users[0].processor_seconds == 680.0);
    CHECK(run.summary.users[1].mean_wait == 90.0);
    CHECK(run["deviation_of_user_waits"] == 12.5);
    CHECK(run["jain_index_of_user_waits"] == doctest::Approx(24025.0 / 24650));
    CHECK(run.n("jain_index_of_user_waits") == 3);
  }

  TEST_CASE("weighted means are given when asked for") {
    const auto plain = measure(three_jobs_and_a_giant(), test::fcfs);
    CHECK(plain.summary.find("weighted_mean_wait") == nullptr);
    Setting setting;
    setting.options.weight = Weight::kArea;
    const auto run = measure(three_jobs_and_a_giant(), test::fcfs, setting);
    CHECK(run["weighted_mean_wait"] == doctest::Approx((36000.0 + 10400.0) / 1080));
  }

  TEST_CASE("metrics come in the order of their records") {
    Setting setting;
    setting.options.weight = Weight::kArea;
    const auto run = measure(three_jobs_and_a_giant(), test::fcfs, setting);
    std::size_t next = 0;
    for (const auto& record : common_metrics()) {
      if (record.name == "violated_jobs") break;  // others have those from here on
      REQUIRE(next < run.summary.metrics.size());
      CHECK(run.summary.metrics[next].name == record.name);
      CHECK(run.summary.metrics[next].unit == record.unit);
      ++next;
    }
    CHECK(next == run.summary.metrics.size());
  }

  TEST_CASE("the backlog is what waits just after the pass of the last submit") {
    const std::vector<Job> jobs{a_job(1, 0, 1, 100), a_job(2, 10, 1, 100),
                                a_job(3, 20, 1, 100), a_job(4, 30, 1, 100)};
    Setting setting;
    setting.machine = a_machine(1);
    const auto run = measure(jobs, test::fcfs, setting);
    CHECK(run["backlog_at_last_submit"] == 300.0);
    CHECK(run.n("backlog_at_last_submit") == 3);
    CHECK(run.summary.never_empty_since == seconds(10));
    CHECK(run.summary.queue_never_empties);
    CHECK(run.summary.longest_queue_stretch == seconds(20));
    CHECK(run.summary.submit_span == seconds(30));
  }

  TEST_CASE("a queue that fills up only near the end does not count as never empty") {
    const std::vector<Job> jobs{a_job(1, 0, 1, 1), a_job(2, 90, 1, 100),
                                a_job(3, 95, 1, 100), a_job(4, 100, 1, 100)};
    Setting setting;
    setting.machine = a_machine(1);
    const auto run = measure(jobs, test::fcfs, setting);
    CHECK(run.summary.never_empty_since == seconds(95));
    CHECK_FALSE(run.summary.queue_never_empties);
  }

  TEST_CASE("a queue that was full for long and empties at last is remembered") {
    // One processor: job 2 waits from 10 to 100, job 4 comes when all is done.
    const std::vector<Job> jobs{a_job(1, 0, 1, 100), a_job(2, 10, 1, 5),
                                a_job(3, 105, 1, 5), a_job(4, 120, 1, 5)};
    Setting setting;
    setting.machine = a_machine(1);
    const auto run = measure(jobs, test::fcfs, setting);
    CHECK(run.summary.never_empty_since == std::nullopt);
    CHECK_FALSE(run.summary.queue_never_empties);
    CHECK(run.summary.longest_queue_stretch == seconds(90));
    CHECK(run.summary.submit_span == seconds(120));
  }

  TEST_CASE("suspended and frozen time is lost to the job, not to the clock") {
    // Runs 0-10, is suspended until 30, frozen until 35, runs until 125.
    Setting setting;
    setting.machine = a_machine(4);
    setting.machine.preemption = true;
    setting.machine.migration_cost = seconds(5);
    const std::vector<Job> jobs{a_job(1, 0, 4, 100)};
    const auto schedule = [](sim::Simulation& it) {
      if (it.world().now() == 0) {
        (void)it.actions().start(JobId{0});
        it.actions().wake_at(seconds(10));
      } else if (it.world().now() == seconds(10)) {
        it.actions().suspend(JobId{0});
        it.actions().wake_at(seconds(30));
      } else if (it.world().now() == seconds(30)) {
        (void)it.actions().start(JobId{0});
      }
    };
    for (const bool reads_placements : {true, false}) {
      setting.options.reads_placements = reads_placements;
      const auto run = measure(jobs, schedule, setting);
      CHECK(run["makespan"] == 125.0);
      CHECK(run["mean_lost_time"] == 25.0);
      CHECK(run["mean_service_stretch"] == 1.25);
      CHECK(run["frozen_time"] == 5.0);
      CHECK(run["utilisation"] == doctest::Approx(105.0 / 125));
      CHECK(run["useful_utilisation"] == doctest::Approx(100.0 / 125));
      CHECK(run["mean_queue_length"] == doctest::Approx(20.0 / 125));
      CHECK(run["loss_of_capacity"] == doctest::Approx(20.0 / 125));
      CHECK(run.summary.counts.suspensions == 1);
      CHECK(run.summary.counts.resumes == 1);
      CHECK(run.summary.users[0].processor_seconds == 420.0);
    }
  }

  TEST_CASE("work of a job killed at its walltime is held but not useful") {
    Setting setting;
    setting.machine = a_machine(2);
    setting.machine.overrun = sim::Overrun::kKill;
    const std::vector<Job> jobs{a_job(1, 0, 1, 100, 40), a_job(2, 0, 1, 80)};
    const auto run = measure(jobs, test::fcfs, setting);
    CHECK(run.summary.jobs.failed == 1);
    CHECK(run.summary.jobs.finished == 1);
    CHECK(run.summary.jobs.outlived_walltime == 1);
    CHECK(run.summary.counts.failures == 1);
    CHECK(run["wasted_work"] == 40.0);
    CHECK(run["utilisation"] == doctest::Approx(120.0 / 160));
    CHECK(run["useful_utilisation"] == doctest::Approx(80.0 / 160));
    CHECK(run.n("mean_wait") == 1);
    CHECK(run.n("makespan") == 2);
  }

  TEST_CASE("jobs that outlive their walltime and run on are counted") {
    const std::vector<Job> jobs{a_job(1, 0, 1, 100, 40), a_job(2, 0, 1, 80)};
    const auto run = measure(jobs, test::fcfs);
    CHECK(run.summary.jobs.outlived_walltime == 1);
    CHECK(run.summary.jobs.failed == 0);
  }

  TEST_CASE("a steady window leaves out the warm-up and the empty machine at the end") {
    // One processor is always busy: job i runs from 10 i to 10 i + 10.
    std::vector<Job> jobs;
    for (int i = 0; i < 10; ++i) jobs.push_back(a_job(i, 10 * i, 1, 10));
    Setting setting;
    setting.machine = a_machine(1);
    setting.window = window_of(jobs, Measure::kSteady, 0.1);
    const auto run = measure(jobs, test::fcfs, setting);
    CHECK(run["utilisation"] == 1.0);
    CHECK(run["useful_utilisation"] == 1.0);
    CHECK(run["throughput"] == doctest::Approx(8.0 / 80));  // 20, 30, ... 90
    CHECK(run["makespan"] == 90.0);
    CHECK(run.n("mean_wait") == 9);
    CHECK(run.summary.jobs.submitted == 10);
  }

  TEST_CASE("a job killed behind the window loses only its work inside") {
    // The window is 0-20 (submits); job 1 is killed at 40 and did 20 s of it inside.
    Setting setting;
    setting.machine = a_machine(2);
    setting.machine.overrun = sim::Overrun::kKill;
    const std::vector<Job> jobs{a_job(1, 0, 1, 100, 40), a_job(2, 0, 1, 80),
                                a_job(3, 20, 1, 1)};
    setting.window = window_of(jobs, Measure::kSteady, 0.0);
    const auto run = measure(jobs, test::fcfs, setting);
    CHECK(run["utilisation"] == 1.0);
    CHECK(run["useful_utilisation"] == 0.5);
  }

  TEST_CASE("jobs left over are counted and make no window longer") {
    const auto run = measure(three_jobs_and_a_giant(), [](sim::Simulation& it) {
      if (it.world().now() == 0) (void)it.actions().start(JobId{0});
    });
    CHECK(run.summary.jobs.not_finished == 2);
    CHECK(run.summary.jobs.finished == 1);
    CHECK(run["makespan"] == 100.0);
    CHECK(run["utilisation"] == 0.6);
    CHECK(run["mean_queue_length"] == doctest::Approx((90.0 + 80.0) / 100));
    CHECK(run["backlog_at_last_submit"] == 480.0);
    CHECK(run.outcomes.size() == 3);
  }

  TEST_CASE("a run without jobs has no value for any metric") {
    const auto run = measure({}, test::fcfs);
    for (const auto& metric : run.summary.metrics) {
      CAPTURE(metric.name);
      CHECK(metric.value == std::nullopt);
      CHECK(metric.n == 0);
    }
  }

  TEST_CASE("a run without finished jobs has no means") {
    const auto run = measure(three_jobs_and_a_giant(), [](sim::Simulation&) {});
    CHECK(run.undefined("mean_wait"));
    CHECK(run.undefined("utilisation"));
    CHECK(run.undefined("makespan"));
    CHECK(run.summary.jobs.not_finished == 3);
    CHECK(run["accept_rate"] == 0.75);
  }

  TEST_CASE("a job of no length has a wait but no slowdown") {
    const std::vector<Job> jobs{a_job(1, 0, 10, 50), a_job(2, 0, 10, 0)};
    const auto run = measure(jobs, test::fcfs);
    CHECK(run.n("mean_wait") == 2);
    CHECK(run.n("mean_slowdown") == 1);
    CHECK(run.n("mean_bounded_slowdown") == 2);
    CHECK(run["max_bounded_slowdown"] == 5.0);
  }

  TEST_CASE("utilisation agrees with the starts and ends of the jobs") {
    auto engine = random_stream(11, "test");
    std::vector<Job> jobs;
    for (int i = 0; i < 400; ++i) {
      const auto whole = [&](int n) { return static_cast<int>(uniform(engine) * n); };
      jobs.push_back(a_job(i, whole(20'000), 1 + whole(12), whole(900), 900));
    }
    std::sort(jobs.begin(), jobs.end(), comes_first);
    test::Remembering watched;
    Setting setting;
    setting.beside = &watched;
    const auto run = measure(jobs, test::easy, setting);

    double held = 0;
    double waited = 0;
    double first = 1e18;
    double last = 0;
    for (const auto& job : jobs) {
      first = std::min(first, to_seconds(job.submit));
      const auto at = watched.spans.find(job.id);
      if (at == watched.spans.end()) continue;
      held += job.size * (at->second.end - at->second.start);
      waited += at->second.start - to_seconds(job.submit);
      last = std::max(last, at->second.end);
    }
    setting.beside = nullptr;
    setting.options.reads_placements = false;
    const auto by_size = measure(jobs, test::easy, setting);
    CHECK(run["utilisation"] == by_size["utilisation"]);
    CHECK(run["loss_of_capacity"] == by_size["loss_of_capacity"]);
    CHECK(run["utilisation"] == doctest::Approx(held / (10 * (last - first))));
    CHECK(run["useful_utilisation"] == doctest::Approx(run["utilisation"]));
    CHECK(run["mean_queue_length"] == doctest::Approx(waited / (last - first)));
    CHECK(run["makespan"] == last - first);
    CHECK(run.summary.jobs.rejected() + run.summary.jobs.finished == 400);
    CHECK(run.summary.jobs.rejected_by_machine > 0);
    CHECK(run.summary.counts.backfilled_starts > 0);
  }

  TEST_CASE(
      "a start is backfilled if a member stands before it at the end of the pass") {
    const Job jobs[] = {a_job(1, 0, 1, 10), a_job(2, 0, 1, 10)};
    const JobEntry entry;
    const Placement one = IntervalSet(0, 0);
    const auto backfilled = [&](double key_at_start, std::optional<Place> first) {
      RunMetrics metrics(jobs);
      const sim::Subject a{JobId{0}, &jobs[0], &entry};
      const sim::Subject b{JobId{1}, &jobs[1], &entry};
      metrics.note(sim::CapacityRecord{0, 4});
      metrics.note(sim::SubmitRecord{0, a, 5.0});
      metrics.note(sim::SubmitRecord{0, b, 3.0});
      metrics.note(sim::StartRecord{0, a, &one, false, 0, 1.0, {}, key_at_start});
      metrics.note(sim::PassRecord{0, 1, sim::kSubmit, 1, first});
      return metrics.summary().counts.backfilled_starts;
    };
    CHECK(backfilled(5, Place{3, JobId{1}}) == 1);  // 3 < 5 stays
    CHECK(backfilled(5, Place{7, JobId{1}}) == 0);  // its key is another one now
    CHECK(backfilled(2, Place{3, JobId{1}}) == 0);
    CHECK(backfilled(5, std::nullopt) == 0);  // no job waits
  }

  TEST_CASE("a machine that grows is measured with the capacity of each instant") {
    const Job job = a_job(1, 0, 2, 20);
    JobEntry entry;
    const Placement two = IntervalSet(0, 1);
    const sim::Subject who{JobId{0}, &job, &entry};
    RunMetrics metrics(std::span(&job, 1));
    metrics.note(sim::CapacityRecord{0, 2});
    metrics.note(sim::SubmitRecord{0, who, 0.0});
    entry.first_start = 0;
    metrics.note(sim::StartRecord{0, who, &two, false, 0, 1.0, {}});
    metrics.note(sim::PassRecord{0, 1, sim::kSubmit, 1});
    metrics.note(sim::CapacityRecord{seconds(10), 6});
    entry.state = JobState::kFinished;
    metrics.note(sim::EndRecord{seconds(20), who, &two});
    metrics.finish(seconds(20));
    // 2 of 2 for ten seconds, 2 of 6 for ten more.
    CHECK(*metrics.summary().find("utilisation")->value == doctest::Approx(40.0 / 80));
  }
}

}  // namespace berth

namespace berth {

namespace {

std::vector<Job> every_ten_seconds(int n) {
  std::vector<Job> jobs;
  for (int i = 0; i < n; ++i) jobs.push_back(test::a_job(i, 10 * i, 1, 10));
  return jobs;
}

}  // namespace

TEST_SUITE("metrics/metric_options") {
  TEST_CASE("a steady window leaves out the first tenth and ends at the last submit") {
    const auto window = window_of(every_ten_seconds(25), Measure::kSteady, 0.1);
    CHECK(window.first_job == 2);
    CHECK(window.begin == seconds(20));
    CHECK(window.end == seconds(240));
  }

  TEST_CASE("without a warm-up it begins with the first job") {
    const auto window = window_of(every_ten_seconds(3), Measure::kSteady, 0.0);
    CHECK(window.first_job == 0);
    CHECK(window.begin == 0);
  }

  TEST_CASE("everything has no end of its own") {
    const auto window = window_of(every_ten_seconds(25), Measure::kAll, 0.1);
    CHECK(window.first_job == 0);
    CHECK(window.end == std::nullopt);
    CHECK(window_of({}, Measure::kSteady, 0.1).end == std::nullopt);
  }
}

}  // namespace berth
