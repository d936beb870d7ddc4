// Views and selections from Lua: what the engine's tests say of them, through the
// border.

#include <doctest/doctest.h>

#include "tests/bindings/scene.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Prints the numbers that a selection shows.
const std::string kShow =
    "local function show(...) local t = {} for j in ... do t[#t + 1] = j.id end "
    "print(table.concat(t, ' ')) end\n";

std::string shown(const std::string& body, std::initializer_list<std::int32_t> sizes) {
  std::vector<Job> jobs;
  std::int64_t id = 0;
  for (const auto size : sizes) jobs.push_back(a_job(++id, 0, size, 10));
  const auto said = play(once(kShow + body), jobs, a_machine(10));
  CHECK(said.error.empty());
  return said.printed;
}

}  // namespace

TEST_SUITE("bindings/views") {
  TEST_CASE("each selection shows its members") {
    CHECK(shown("show(queue:all()) show(queue:after(job)) show(queue:startable()) "
                "show(queue:fitting()) show(queue:fitting(job)) "
                "show(queue:by('widest'):all()) print(queue:tightest().id)",
                {4, 9, 10, 1}) ==
          "1 2 3 4\n2 3 4\n1 2 3 4\n1 2 3 4\n2 3 4\n3 2 1 4\n3\n");
  }

  TEST_CASE("selections follow what is started between two steps") {
    CHECK(shown("for j in queue:fitting() do cluster:start(j) print(j.id) end "
                "print(queue:length(), queue:head().id, cluster:idle())",
                {4, 9, 5, 2, 1}) == "1\n3\n5\n2\t2\t0\n");
  }

  TEST_CASE("startable stops at the first that does not fit") {
    CHECK(shown("for j in queue:startable() do cluster:start(j) print(j.id) end",
                {4, 5, 2, 1}) == "1\n2\n");
  }

  TEST_CASE("start_all starts a view in order and gives the first that is refused") {
    CHECK(shown("print(cluster:start_all(queue).id, cluster:idle()) show(queue:all())",
                {4, 5, 2, 1}) == "3\t1\n3 4\n");
    CHECK(shown("print(cluster:start_all(queue:by('widest')).id) show(queue:all())",
                {4, 5, 2, 1}) == "3\n3 4\n");
    CHECK(shown("print(cluster:start_all(queue), queue:length())", {4, 5}) ==
          "nil\t0\n");
  }

  TEST_CASE("start_all starts what a selection shows, which follows each start") {
    CHECK(shown("print(cluster:start_all(queue:fitting())) show(queue:all())",
                {4, 9, 5, 2, 1}) == "nil\n2 4\n");
    CHECK(shown("print(cluster:start_all(queue:all()).id) show(queue:all())",
                {4, 9, 5, 2, 1}) == "2\n2 3 4 5\n");
    CHECK(shown("cluster:start(job) local plan = cluster:reserve(queue:head()) "
                "cluster:start_all(queue:backfillable(plan)) show(queue:all())",
                {6, 8, 5, 1, 3}) == "2 3\n");
  }

  TEST_CASE(
      "backfill starts in order, then jobs that do not delay the first one refused") {
    const std::string kPrint =
        "if plan then print(plan.job.id, plan.start, plan.spare) end show(queue:all())";
    CHECK(shown("local plan = cluster:backfill(queue) " + kPrint, {6, 8, 5, 4, 3}) ==
          "2\t10.0\t2\n2 3 5\n");
    CHECK(shown("local plan = cluster:backfill(queue, 1) " + kPrint, {6, 8, 5, 4, 3}) ==
          "2\t10.0\t2\n2 3 4 5\n");
    CHECK(shown("local plan = cluster:backfill(queue, 2) " + kPrint, {6, 8, 5, 4, 3}) ==
          "2\t10.0\t2\n2 3 5\n");
    CHECK(shown("local plan = cluster:backfill(queue, 0) " + kPrint, {6, 8, 5, 4, 3}) ==
          "2\t10.0\t2\n2 3 4 5\n");
    CHECK(shown("local plan = cluster:backfill(queue, -1) " + kPrint,
                {6, 8, 5, 1, 3}) == "2\t10.0\t2\n2 3\n");
    CHECK(shown("local plan = cluster:backfill(queue) " + kPrint, {4, 6}) == "\n");
  }

  TEST_CASE("backfill goes by the order of the view") {
    // widest: 9, 5, 4, 2, 1; the 9 starts, the 5 is refused, of the rest 1 fits.
    CHECK(shown("print(cluster:backfill(queue:by('widest')).job.id) show(queue:all())",
                {4, 9, 5, 2, 1}) == "3\n1 3 4\n");
  }

  TEST_CASE("backfill charges its plan with those that outlast it") {
    const auto said = play(once("local plan = cluster:backfill(queue) "
                                "print(plan.start, plan.spare, queue:length())"),
                           {a_job(1, 0, 6, 10), a_job(2, 0, 7, 10), a_job(3, 0, 2, 20),
                            a_job(4, 0, 2, 20), a_job(5, 0, 1, 20)},
                           a_machine(10));
    CHECK(said.error.empty());
    CHECK(said.printed == "10.0\t0\t2\n");  // 3 of 3 spare: jobs 3 and 5
  }

  TEST_CASE("backfillable takes plans and a depth") {
    CHECK(shown("cluster:start(job) local plan = cluster:reserve(queue:head()) "
                "print(plan.job.id, plan.start, plan.spare) "
                "show(queue:backfillable(plan)) show(queue:backfillable(plan, 1)) "
                "show(queue:backfillable(plan, 2)) show(queue:backfillable(plan, 0)) "
                "show(queue:backfillable(plan, nil))",
                {6, 8, 5, 4, 3}) == "2\t10.0\t2\n4 5\n\n4\n\n4 5\n");
  }

  TEST_CASE("why_not gives the reason, the amounts and whose plan is in the way") {
    const auto said = play(
        once("cluster:start(job) local head = queue:head() local plan = "
             "cluster:reserve(head) "
             "local small = queue:tightest() "
             "print(queue:why_not(head)) print(queue:why_not(small)) "
             "local why, needed, available, by = queue:why_not(small, plan) "
             "print(why, needed, available, by.id) "
             "print(cluster:start(small, { under = plan })) print(plan:admits(small)) "
             "print(plan:room(small)) print(cluster:start(small)) "
             "print(plan.spare, plan.broken)"),
        {a_job(1, 0, 6, 10), a_job(2, 0, 9, 10), a_job(3, 0, 2, 20)}, a_machine(10));
    CHECK(said.error.empty());
    CHECK(said.printed ==
          "busy\t9\t4\tnil\nnil\nheld\t2\t1\t2\nnil\theld\nnil\nnil\ntrue\n-1\ttrue\n");
  }

  TEST_CASE("print shows the members of a view, at most twenty of them") {
    CHECK(shown("print(queue, queue:by('widest')) cluster:start(job) print(queue)",
                {4, 9, 1}) ==
          "queue of 3 jobs: 1, 2, 3\tview of 3 jobs: 2, 1, 3\nqueue of 2 jobs: 2, 3\n");
    std::vector<Job> jobs;
    for (std::int64_t i = 1; i <= 22; ++i) jobs.push_back(a_job(i, 0, 1, 1));
    const auto many = play(once("print(queue)"), jobs, a_machine(1)).printed;
    CHECK(many.find("queue of 22 jobs: 1, 2, ") == 0);
    CHECK(many.find(" 20, ...\n") != std::string::npos);
  }

  TEST_CASE("running is a snapshot by expected end") {
    const auto said =
        play(once("for j in queue:fitting() do cluster:start(j) end "
                  "for j in cluster:running() do print(j.id, j.expected_end) end"),
             {a_job(1, 0, 1, 9), a_job(2, 0, 1, 5), a_job(3, 0, 1, 7)}, a_machine(10));
    CHECK(said.printed == "2\t5.0\n3\t7.0\n1\t9.0\n");
  }

  TEST_CASE("every call of a view counts as one crossing") {
    const auto crossings = [](const std::string& call) {
      return play(once(call)).crossings - play(once("")).crossings;
    };
    for (const auto* call :
         {"queue:head()", "queue:length()", "queue:all()", "queue:after(job)",
          "queue:startable()", "queue:fitting()", "queue:tightest()",
          "queue:by('widest')", "queue:why_not(job)", "cluster:now()", "cluster:idle()",
          "cluster:running()", "local x = job.size"}) {
      CAPTURE(call);
      CHECK(crossings(call) == 1);
    }
    // Two steps and the end of the walk.
    CHECK(crossings("for _ in queue:all() do end") == 4);
  }
}
