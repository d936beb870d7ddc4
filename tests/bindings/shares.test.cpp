// Users from Lua: cluster.shares, view:users, view:of and the fair order.

#include <doctest/doctest.h>

#include "tests/bindings/scene.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

const std::string kShow =
    "local function show(...) local t = {} for j in ... do t[#t + 1] = j.id end "
    "print(table.concat(t, ' ')) end\n";

// Jobs of one processor and 10 s, all at 0, of these users.
std::vector<Job> jobs_of(std::initializer_list<std::int32_t> users) {
  std::vector<Job> jobs;
  for (const auto user : users) {
    jobs.push_back(a_job(static_cast<std::int64_t>(jobs.size()) + 1, 0, 1, 10));
    jobs.back().user = user;
  }
  return jobs;
}

// What the body prints at the first decision; it may call `show`.
Played at_once(const std::string& body, std::initializer_list<std::int32_t> users) {
  return play(once(kShow + body), jobs_of(users), a_machine(4));
}

}  // namespace

TEST_SUITE("bindings/shares") {
  TEST_CASE("users come in the order of their first members, once each") {
    CHECK(at_once("for user in queue:users() do print(user) end", {5, 3, 5, -1, 3})
              .printed == "5\n3\n-1\n");
  }

  TEST_CASE("the members of one user are a view like any other") {
    const auto said = at_once(
        "local mine = queue:of(5) show(mine:all()) print(mine:length(), "
        "mine:head().id) "
        "cluster:start(mine:head()) show(mine:all()) show(mine:fitting()) "
        "show(mine:by('submit'):all()) show(queue:of(3):all()) "
        "show(queue:of(99):all()) "
        "show(queue:of(job):all()) show(queue:of(-1):all())",
        {5, 3, 5, -1, 3, 5});
    CHECK(said.error == "");
    CHECK(said.printed == "1 3 6\n3\t1\n3 6\n3 6\n3 6\n2 5\n\n3 6\n4\n");
  }

  TEST_CASE("the view of a user follows the order of the view it is made from") {
    auto jobs = jobs_of({5, 3, 5, 5});
    jobs[2].size = 2;
    jobs[3].size = 3;
    const auto said = play(once(kShow + "show(queue:by('widest'):of(5):all()) "
                                        "show(queue:of(5):by('widest'):all()) "
                                        "show(queue:by('fair_share'):of(5):all())"),
                           jobs, a_machine(4));
    CHECK(said.printed == "4 3 1\n4 3 1\n1 3 4\n");
  }

  TEST_CASE("a policy of another order may look at the fair one") {
    // User 5 has had the machine for 10 s when the second decision comes.
    const auto text = "return { schedule = function(queue, cluster)\n" + kShow +
                      "if cluster:now() == 0 then cluster:start(queue:head()) "
                      "else show(queue:all()) show(queue:by('fair_share'):all()) "
                      "print(cluster.shares:usage(5), cluster.shares:rank(5), "
                      "cluster.shares:rank(3), cluster.shares:waiting(5), "
                      "cluster.shares:factor(3)) cluster:start_all(queue) end end }";
    const auto said = play(text, jobs_of({5, 5, 3}), a_machine(1));
    CHECK(said.error == "");
    CHECK(said.printed.starts_with("2 3\n3 2\n9.999"));  // of 10, a little decayed
    CHECK(said.printed.find("\t2\t1\t1\t1.0\n") != std::string::npos);
  }

  TEST_CASE("wrong calls say what is wrong") {
    const auto fails = [](const std::string& body, std::string_view what) {
      const auto said = at_once(body, {5, 3});
      CAPTURE(body);
      CHECK(said.fails_with(what));
      CHECK(said.code == ErrorCode::kPolicy);
    };
    fails("cluster.shares:usage(99)", "no job of user 99 has been submitted");
    fails("cluster.shares:usage('anna')", "a whole number expected");
    fails("cluster.shares:usage(1.5)", "is not a whole number");
    fails("cluster.shares:held(5, 'memory')", "one kind of resource");
    fails("cluster.shares.usage(5)", "call it with a colon");
    fails("queue:of(-2)", "is less than -1");
    fails("cluster:start_all(queue:users())",
          "a view, a selection or the book expected");
    fails("queue:by('fairshare')", "fair_share");
  }

  TEST_CASE(
      "every queue has the orders by arrival and by shares, none may declare them") {
    for (const std::string name : {"submit", "fair_share"}) {
      const auto said =
          play("return { orders = { " + name +
               " = function() return 1 end }, schedule = function() end }");
      CHECK(said.fails_with("orders." + name + ": every queue has this order"));
    }
    CHECK(play("return { order = 'submit', schedule = function(queue) "
               "print(queue:head().id) end }")
              .printed.starts_with("1\n"));
  }

  TEST_CASE("where no job names a user there is no fair order") {
    const auto said = at_once("queue:by('fair_share')", {-1, -1});
    CHECK(said.fails_with("no job names a user"));
    CHECK(at_once("print(cluster:has('shares'))", {-1}).printed == "false\n");
    CHECK(at_once("print(cluster:has('shares'))", {1}).printed == "true\n");
  }
}
