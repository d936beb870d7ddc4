#include "engine/output/machine_csv.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "engine/hosts/host_events.hpp"
#include "tests/output/run_of_four.hpp"

namespace berth {

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
