// Plans from Lua.

#include <doctest/doctest.h>

#include "tests/bindings/scene.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// 10 processors: 1 (6) runs until 10, 2 (8) waits with shadow 10 and spare 2.
std::string with_plan(const std::string& body) {
  const std::vector jobs{a_job(1, 0, 6, 10), a_job(2, 0, 8, 5), a_job(3, 0, 4, 10),
                         a_job(4, 0, 2, 11), a_job(5, 0, 3, 11)};
  const auto said =
      play(once("cluster:start(job) local plan = cluster:reserve(queue:head())"
                " local j = {} for x in queue:all() do j[x.id] = x end " +
                body),
           jobs, a_machine(10));
  CHECK(said.error.empty());
  return said.printed;
}

}  // namespace

TEST_SUITE("bindings/plans") {
  TEST_CASE("a plan shows its job, its start in seconds and its spare") {
    CHECK(with_plan("print(plan.job == j[2], plan.start, plan.spare, plan.broken, "
                    "plan:spare_of(1), plan:spare_of('processors'))") ==
          "true\t10.0\t2\tfalse\t2\t2\n");
  }

  TEST_CASE("admits tells in time from out of the spare, on ticks") {
    CHECK(with_plan("print(plan:admits(j[3]), plan:admits(j[4]), plan:admits(j[5]))") ==
          "in_time\tspare\tnil\n");
    CHECK(with_plan("print(plan:admits(j[3], 0), plan:admits(j[3], 0.0000004), "
                    "plan:admits(j[3], 0.000001))") == "in_time\tin_time\tnil\n");
  }

  TEST_CASE("room is something to start in, or nil") {
    CHECK(with_plan("print(plan:room(j[5]), cluster:start(j[3], plan:room(j[3])))") ==
          "nil\ttrue\n");
  }

  TEST_CASE("starts are charged, and under a plan they may be held") {
    CHECK(with_plan("print(cluster:start(j[5], { under = plan })) print(plan.spare) "
                    "print(cluster:start(j[4], { under = plan })) print(plan.spare) "
                    "print(cluster:start(j[5], { under = plan }))") ==
          "nil\theld\n2\ntrue\n0\nnil\tbusy\n");
    CHECK(with_plan("cluster:start(j[5]) print(plan.spare, plan.broken)") ==
          "-1\ttrue\n");
  }

  TEST_CASE("with keep a plan leaves so many processors free beside the job") {
    CHECK(with_plan("local kept = cluster:reserve(j[2], { keep = 2 }) "
                    "print(kept.start, kept.spare, kept:admits(j[4])) "
                    "print(cluster:reserve(j[4], { keep = 3 }).start) "
                    "print(cluster:reserve(j[2], { keep = 3 })) "
                    "print(cluster:reserve(j[2], {}).spare)") ==
          "10.0\t0\tnil\n10.0\nnil\ttoo_big\n2\n");
  }

  TEST_CASE("65,536 plans are enough for one decision, more are refused") {
    const std::string enough = "for i = 1, 65536 do cluster:reserve(job) end ";
    CHECK(play(once(enough)).error.empty());
    const auto said =
        play(once(enough + "print(pcall(cluster.reserve, cluster, job))"));
    CHECK(said.code == ErrorCode::kMemory);
    CHECK(said.fails_with("65,537 plans in one decision (limit 65,536)"));
  }
}
