#include "engine/metrics/window_delay.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "engine/hosts/host_events.hpp"
#include "tests/output/run_of_four.hpp"

namespace berth {

namespace {

// Four processors, all or those of the hosts kept from 10 to 20 s; job 1 outlives its
// walltime of 8 s and runs for 15.
double delay_of(bool hits, std::vector<std::int32_t> users,
                std::vector<std::int32_t> hosts) {
  auto machine = test::a_machine(4);
  const bool is_pool = hosts.empty();
  if (!is_pool) machine.resources.hosts = {{"a", 2, 2}};
  machine.life.windows = std::make_shared<const std::vector<MachineWindow>>(
      std::vector<MachineWindow>{{"m", seconds(10), seconds(20), is_pool ? 4 : 2,
                                  -kNever, std::move(users), hits, std::move(hosts)}});
  auto job = test::a_job(1, 0, 2, 15, 8);
  job.user = 7;
  WindowDelay delay(
      4, is_pool ? std::vector<Interval>() : std::vector<Interval>{{0, 1}, {2, 3}});
  test::watch(delay, {job, test::a_job(2, 9, 1, 1), test::a_job(3, 18, 4, 5)}, machine,
              test::fcfs);
  return to_seconds(delay.sum());
}

}  // namespace

TEST_SUITE("metrics/window_delay") {
  TEST_CASE("a window is delayed while a job of others has what is its own") {
    CHECK(delay_of(false, {}, {}) == 5);
    CHECK(delay_of(false, {}, {0}) == 5);
  }
  TEST_CASE("a window that hits jobs is not delayed, nor one whose user has it") {
    CHECK(delay_of(true, {}, {}) == 0);
    CHECK(delay_of(true, {}, {0}) == 0);
    CHECK(delay_of(false, {7}, {}) == 0);
    CHECK(delay_of(false, {7}, {0}) == 0);
  }
  TEST_CASE("a window of hosts on which no job is runs on time") {
    CHECK(delay_of(false, {}, {1}) == 0);
  }
}

}  // namespace berth
