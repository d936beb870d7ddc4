#include "engine/output/stretches_csv.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "engine/hosts/host_events.hpp"
#include "engine/output/machine_csv.hpp"
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

namespace {

const std::string kMachineHead = "event,from,to,name,users,processors,count\n";

std::shared_ptr<const std::vector<HostEvent>> events(std::vector<HostEvent> all) {
  return std::make_shared<const std::vector<HostEvent>>(std::move(all));
}

std::shared_ptr<const std::vector<MachineWindow>> windows(
    std::vector<MachineWindow> all) {
  return std::make_shared<const std::vector<MachineWindow>>(std::move(all));
}

}  // namespace

TEST_SUITE("output/machine_csv") {
  using Kind = HostEvent::Kind;

  TEST_CASE("hosts that were down come by their return, then those that are down") {
    auto machine = test::a_machine(4);
    machine.resources.hosts = {{"a", 2, 2}};
    machine.life.events = events({{seconds(5), Kind::kDown, 0, seconds(9)},
                                  {seconds(6), Kind::kDown, 1, seconds(9)},
                                  {seconds(8), Kind::kUp, 1, seconds(8)}});
    StringSink sink;
    MachineCsv csv(sink, {{0, 1}, {2, 3}});
    test::watch(csv, {test::a_job(1, 0, 1, 20), test::a_job(2, 10, 1, 5)}, machine,
                test::fcfs);
    CHECK(sink.text() == kMachineHead + "down,6,8,,,2-3,2\ndown,5,,,,0-1,2\n");
  }

  TEST_CASE("windows come with their names and users, of hosts with processors") {
    auto machine = test::a_machine(4);
    machine.life.windows =
        windows({{"a, b", seconds(5), seconds(7), 3, -kNever, {}},
                 {"course", seconds(6), seconds(90), 1, -kNever, {2, 7}}});
    StringSink pool;
    MachineCsv of_pool(pool, {});
    test::watch(of_pool, {test::a_job(1, 0, 1, 4), test::a_job(2, 10, 1, 5)}, machine,
                test::fcfs);
    CHECK(pool.text() ==
          kMachineHead + "window,5,7,\"a, b\",,,3\nwindow,6,,course,2 7,,1\n");
    machine.resources.hosts = {{"a", 2, 2}};
    machine.life.windows =
        windows({{"m", seconds(5), seconds(7), 2, -kNever, {}, false, {1}}});
    StringSink hosts;
    MachineCsv of_hosts(hosts, {{0, 1}, {2, 3}});
    test::watch(of_hosts, {test::a_job(1, 0, 1, 20)}, machine, test::fcfs);
    CHECK(hosts.text() == kMachineHead + "window,5,7,m,,2-3,2\n");
  }
}

}  // namespace berth
