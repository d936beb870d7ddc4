// The book from Lua.

#include <doctest/doctest.h>

#include "tests/bindings/scene.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

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
