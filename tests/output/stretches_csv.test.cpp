#include "engine/output/stretches_csv.hpp"

#include <doctest/doctest.h>

#include "tests/output/run_of_four.hpp"

namespace berth {

namespace {

const std::string kHeader = "job_id,from,to,kind,tier,yield,resources\n";

}  // namespace

TEST_SUITE("output/stretches_csv") {
  TEST_CASE("a suspended job has a stretch for everything it did") {
    StringSink sink;
    StretchesCsv csv(sink);
    test::watch_suspended(csv);
    CHECK(sink.text() == kHeader +
                             "1,0,10,running,,1,0-3\n"
                             "1,10,30,suspended,,,\n"
                             "1,30,35,frozen,,0,0-3\n"
                             "1,35,125,running,,1,0-3\n");
  }

  TEST_CASE("stretches come by their end") {
    StringSink sink;
    StretchesCsv csv(sink);
    test::watch_four(csv);
    CHECK(sink.text() == kHeader +
                             "7,0,100,running,,1,0-5\n"
                             "10,120,150,running,,1,8-9\n"
                             "8,100,150.25,running,,1,0-7\n");
  }

  TEST_CASE("a job suspended for good is suspended until the run is over") {
    StringSink sink;
    StretchesCsv csv(sink);
    auto machine = test::a_machine(1);
    machine.preemption = true;
    test::watch(csv, {test::a_job(1, 0, 1, 50), test::a_job(2, 4, 1, 5)}, machine,
                [](sim::Simulation& it) {
                  if (it.world().now() == 0) (void)it.actions().start(JobId{0});
                  if (it.world().now() != seconds(4)) return;
                  it.actions().suspend(JobId{0});
                  (void)it.actions().start(JobId{1});
                });
    CHECK(sink.text() == kHeader +
                             "1,0,4,running,,1,0\n"
                             "2,4,9,running,,1,0\n"
                             "1,4,9,suspended,,,\n");
  }
}

}  // namespace berth
