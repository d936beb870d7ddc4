// Plans and the book from Lua.

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

TEST_SUITE("bindings/book") {
  TEST_CASE("the book is kept between decisions, in seconds") {
    const std::vector jobs{a_job(1, 0, 4, 3, 5), a_job(2, 0, 4, 5), a_job(3, 0, 4, 5)};
    const auto said = play(R"(
return { schedule = function(queue, cluster)
  local book = cluster:book()
  print(cluster:now(), book:update(), book:next(), book:free_at(cluster:now()))
  for job in book:due() do print('start', job.id, book:of(job), cluster:start(job)) end
  if book:next() then cluster:wake_at(book:next()) end
end })",
                           jobs);
    CHECK(said.error.empty());
    CHECK(said.printed ==
          "0.0\tplaced\t5.0\t0\nstart\t1\t0.0\ttrue\n"
          "3.0\tcompressed\t8.0\t0\nstart\t2\t3.0\ttrue\n"
          "8.0\tunchanged\tnil\t0\nstart\t3\t8.0\ttrue\n"
          "13.0\tunchanged\tnil\t4\n");
  }

  TEST_CASE("jobs are placed, dropped and asked for one by one") {
    const auto said = play(once(R"(
local book, wide = cluster:book(), queue:by('widest'):head()
print(book:place(wide), book:place(job), book:of(wide), book:of(job), book:next())
book:drop(wide)
print(book:of(wide), book:of(job), book:place(job), book:next())
print(book:earliest(4, 60), book:earliest(2, 60), book:earliest(2, 60, 30), book:earliest(5, 1))
print(book:free_at(0), book:free_at(59.9), book:free_at(60))
book:rebuild(queue:by('widest'))
print(book:of(wide), book:of(job))
)"));
    CHECK(said.error.empty());
    CHECK(said.printed ==
          "0.0\t60.0\t0.0\t60.0\t60.0\nnil\t60.0\t0.0\tnil\n60.0\t0.0\t30.0\tnil\n"
          "2\t2\t4\n0.0\t60.0\n");
  }

  TEST_CASE("a start elsewhere makes the next update rebuild") {
    const auto said = play(once(R"(
local book, wide = cluster:book(), queue:by('widest'):head()
book:place(wide)
cluster:start(job)
print(book:update(), book:of(wide), book:update(), book:update(queue, 'every_pass'))
)"));
    CHECK(said.printed == "rebuilt\t60.0\tunchanged\tcompressed\n");
  }

  TEST_CASE("start_all of the book starts who is due, as due() shows them") {
    const auto said = play(once(R"(
local book = cluster:book()
print(cluster:start_all(book))
book:update()
print(cluster:start_all(book), job.state, queue:length(), book:next())
)"));
    CHECK(said.error.empty());
    CHECK(said.printed == "nil\nnil\trunning\t1\t60.0\n");
  }

  // At 8e10 s a float tells instants 16 ticks apart.  Job 2 is reserved for the end of
  // job 1, which comes 3 ticks after the arrival of job 3.
  TEST_CASE("a reservation a few ticks from now, late in time, is no wrong wake-up") {
    std::vector jobs{a_job(1, 80'000'000'000, 4, 10), a_job(2, 80'000'000'000, 4, 10),
                     a_job(3, 80'000'000'010, 4, 10)};
    jobs[0].length = jobs[0].walltime = seconds(10) + 3;
    Remembering watched;
    const auto said = play(
        "return { schedule = function(queue, cluster) local book = cluster:book() "
        "book:update() cluster:start_all(book) cluster:wake_at(book:next()) end }",
        jobs, a_machine(4), {}, &watched);
    CHECK(said.error.empty());
    CHECK(watched.starts.at(2) == jobs[0].submit + jobs[0].length);
    CHECK(watched.starts.at(3) == jobs[0].submit + jobs[0].length + seconds(10));
  }
}
