#include "engine/output/jobs_csv.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/audit/auditor.hpp"
#include "engine/base/error.hpp"
#include "engine/metrics/run_metrics.hpp"
#include "tests/output/run_of_four.hpp"

namespace berth {

namespace {

const std::string kHeader =
    "job_id,workload_name,profile,submission_time,requested_number_of_resources,"
    "requested_time,success,final_state,starting_time,execution_time,finish_time,"
    "waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata,"
    "user,group,length,slowdown,bounded_slowdown,suspended_time,frozen_time,lost_work,"
    "kills,migrations,swaps,suspensions,queue,partition,executable\n";

}  // namespace

TEST_SUITE("output/jobs_csv") {
  TEST_CASE("a row is written when a job leaves, with Batsim's columns first") {
    StringSink sink;
    JobsCsv csv(sink, "tiny");
    test::watch_four(csv);
    CHECK(sink.text() ==
          kHeader +
              "9,tiny,,20,11,5,0,REJECTED,,,,,,,,,,,,5,,,0,0,0,0,0,0,0,,,\n"
              "7,tiny,,0,6,120,1,COMPLETED_SUCCESSFULLY,0,100,100,0,100,1,0-5,,,"
              "3,1,100,1,1,0,0,0,0,0,0,0,,,\n"
              "10,tiny,,120,2,30,0,COMPLETED_WALLTIME_REACHED,120,30,150,0,30,1,8-9,,,"
              ",,70,,,0,0,30,0,0,0,0,,,\n"
              "8,tiny,,10.5,8,60,1,COMPLETED_SUCCESSFULLY,100,50.25,150.25,89.5,139.75,"
              "2.781094527363184,0-7,,,,,50.25,2.781094527363184,2.781094527363184,"
              "0,0,0,0,0,0,0,,,\n");
  }

  TEST_CASE("jobs left over come last and have no end") {
    StringSink sink;
    JobsCsv csv(sink, "tiny");
    test::watch(csv, {test::a_job(1, 0, 1, 5), test::a_job(2, 1, 1, 5)},
                test::a_machine(1), [](sim::Simulation& it) {
                  if (it.world().now() == 0) (void)it.actions().start(JobId{0});
                });
    CHECK(sink.text() ==
          kHeader +
              "1,tiny,,0,1,5,1,COMPLETED_SUCCESSFULLY,0,5,5,0,5,1,0,,,,,5,1,1,"
              "0,0,0,0,0,0,0,,,\n"
              "2,tiny,,1,1,5,0,NOT_FINISHED,,,,,,,,,,,,5,,,0,0,0,0,0,0,0,,,\n");
  }

  TEST_CASE("a job suspended for good has a start but no end") {
    StringSink sink;
    JobsCsv csv(sink, "tiny");
    auto machine = test::a_machine(1);
    machine.preemption = true;
    test::watch(csv, {test::a_job(1, 0, 1, 50), test::a_job(2, 4, 1, 5)}, machine,
                [](sim::Simulation& it) {
                  if (it.world().now() == 0) (void)it.actions().start(JobId{0});
                  if (it.world().now() != seconds(4)) return;
                  it.actions().suspend(JobId{0});
                  (void)it.actions().start(JobId{1});
                });
    CHECK(sink.text() ==
          kHeader +
              "2,tiny,,4,1,5,1,COMPLETED_SUCCESSFULLY,4,5,9,0,5,1,0,,,,,5,1,1,"
              "0,0,0,0,0,0,0,,,\n"
              "1,tiny,,0,1,50,0,NOT_FINISHED,0,,,0,,,,,,,,50,,,5,0,0,0,0,0,1,,,\n");
  }

  TEST_CASE("F42: all columns of a row are of the last placement") {
    // Two servers of two slots.  Job 2 is on server 1 from 0 to 6, makes way for job 3
    // and goes on at 11 on server 0, since job 1 has left it.
    auto machine = test::a_network_machine(4);
    machine.preemption = true;
    machine.migration_cost = 0;
    const std::vector jobs{test::a_job(1, 0, 2, 6), test::a_job(2, 0, 2, 10),
                           test::a_job(3, 1, 4, 5)};
    StringSink sink;
    const auto measure = make_measure(test::spec_of(machine, jobs), {});
    JobsCsv csv(sink, "tiny", {}, measure.get());
    test::ScriptedPolicy policy([](sim::Simulation& it) {
      if (it.world().now() == seconds(6)) it.actions().suspend(JobId{1});
      if (it.world().now() == seconds(6)) (void)it.actions().start(JobId{2});
      if (it.world().now() != 0 && it.world().now() != seconds(11)) return;
      if (it.world().now() == 0) (void)it.actions().start(JobId{0});
      (void)it.actions().start(JobId{1});
    });
    sim::Simulation simulation(machine, {}, jobs, policy,
                               test::make_model(machine, jobs));
    RunMetrics metrics(jobs);
    audit::Auditor auditor({machine, {}, jobs, policy.traits()},
                           test::law_of(machine, jobs));
    simulation.audience().observe(measure->observer());
    simulation.audience().observe(csv);
    simulation.audience().observe(metrics);
    simulation.audience().observe(auditor);
    simulation.advance(kNever);
    simulation.finish();
    const auto row = sink.text().substr(sink.text().find("\n2,") + 1);
    // Kills, migrations, swaps, suspensions.
    CHECK(row ==
          "2,tiny,,0,2,10,1,COMPLETED_SUCCESSFULLY,0,15,15,0,15,1,0-1,,,,,10,1.5,"
          "1.5,5,0,0,0,1,0,1,,,,10,edge 0,0,2\n");
    CHECK(metrics.summary().counts.migrations == 1);
    CHECK(metrics.summary().counts.suspensions == 1);
  }

  TEST_CASE("suspended and frozen time have columns of their own") {
    StringSink sink;
    JobsCsv csv(sink, "tiny");
    test::watch_suspended(csv);
    CHECK(sink.text() == kHeader +
                             "1,tiny,,0,4,100,1,COMPLETED_SUCCESSFULLY,0,125,125,0,125,"
                             "1,0-3,,,,,100,1.25,1.25,20,5,0,0,0,0,1,,,\n");
  }

  TEST_CASE("a job of no length has no stretch and no slowdown") {
    StringSink sink;
    JobsCsv csv(sink, "tiny");
    test::watch(csv, {test::a_job(1, 3, 1, 0)}, test::a_machine(1), test::fcfs);
    CHECK(sink.text() == kHeader +
                             "1,tiny,,3,1,0,1,COMPLETED_SUCCESSFULLY,3,0,3,0,0,,0,,,,,"
                             "0,,1,0,0,0,0,0,0,0,,,\n");
  }

  TEST_CASE("queue, partition and executable stand at the end") {
    StringSink sink;
    JobsCsv csv(sink, "tiny");
    auto job = test::a_job(1, 0, 2, 5);
    job.queue_class = 4;
    job.partition = 5;
    job.executable = 6;
    test::watch(csv, {job}, test::a_machine(1), test::fcfs);
    CHECK(sink.text().ends_with(",0,0,0,4,5,6\n"));
  }

  TEST_CASE("the name of the workload is quoted where it must be") {
    StringSink sink;
    JobsCsv csv(sink, "a,\"b\"");
    test::watch(csv, {test::a_job(1, 0, 2, 5)}, test::a_machine(1), test::fcfs);
    CHECK(sink.text() ==
          kHeader +
              "1,\"a,\"\"b\"\"\",,0,2,5,0,REJECTED,,,,,,,,,,,,5,,,0,0,0,0,0,0,0,,,\n");
  }

  TEST_CASE("of thousands of jobs every row comes, in the order of their ends") {
    std::vector<Job> jobs;
    std::string expected = kHeader;
    for (std::int64_t id = 1; id <= 2'000; ++id) {
      jobs.push_back(test::a_job(id, 10 * id, 2, 5));
      expected += fmt::format(
          "{},tiny,,{},2,5,1,COMPLETED_SUCCESSFULLY,{},5,{},0,5,1,0-1,,,,,5,1,1,"
          "0,0,0,0,0,0,0,,,\n",
          id, 10 * id, 10 * id, 10 * id + 5);
    }
    StringSink sink;
    JobsCsv csv(sink, "tiny");
    test::watch(csv, jobs, test::a_machine(2), test::fcfs);
    CHECK(sink.text() == expected);
  }

  TEST_CASE("a sink that takes no more ends the run") {
    struct FullSink : Sink {
      void write(std::string_view) override { throw Error(ErrorCode::kOutput, "full"); }
    };
    std::vector<Job> jobs;
    for (std::int64_t id = 1; id <= 2'000; ++id) {
      jobs.push_back(test::a_job(id, 10 * id, 2, 5));
    }
    FullSink sink;
    JobsCsv csv(sink, "tiny");
    CHECK_THROWS_WITH_AS(test::watch(csv, jobs, test::a_machine(2), test::fcfs), "full",
                         Error);
  }

  TEST_CASE("a run without jobs has a header and nothing else") {
    StringSink sink;
    JobsCsv csv(sink, "tiny");
    test::watch(csv, {}, test::a_machine(1), test::fcfs);
    CHECK(sink.text() == kHeader);
  }
}

}  // namespace berth
