// The policy API called by number, from outside a script.

#include "bindings/numbered_calls.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "engine/base/error.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/kinds.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;            // NOLINT(google-build-using-namespace)
using namespace berth::bindings;  // NOLINT(google-build-using-namespace)
using namespace berth::test;      // NOLINT(google-build-using-namespace)

namespace {

using Type = PlainValue::Type;
using Values = std::vector<PlainValue>;

PlainValue handle(std::uint64_t number) {
  return {.type = Type::kHandle, .handle = number};
}
PlainValue whole(std::int64_t number) {
  return {.type = Type::kWhole, .whole = number};
}
PlainValue text(std::string_view of) { return {.type = Type::kText, .text = of}; }

std::size_t number_of(std::string_view name) {
  const auto all = numbered_primitives();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::string(all[i].family->reach) + "." + std::string(all[i].primitive->name) ==
        name) {
      return i;
    }
  }
  FAIL(std::string(name));
  return 0;
}

// Four processors; jobs 1 (2 processors, user 7) and 2 (4 processors) wait at 0.
struct Waiting {
  Waiting() {
    jobs.front().user = 7;
    REQUIRE(simulation.to_pass(kNever));
  }

  Values call(std::string_view name, Values arguments = {}) {
    const auto found = policy->calls(simulation).call(number_of(name), arguments);
    return {found.begin(), found.end()};
  }
  // What it says of a wrong call, without the place in the run.
  std::string wrong(std::string_view name, Values arguments = {}) {
    try {
      (void)call(name, std::move(arguments));
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kPolicy);
      const std::string all = error.what();
      return all.substr(0, all.find('\n'));
    }
    return "";
  }
  void next_pass() {
    simulation.close_pass();
    REQUIRE(simulation.to_pass(kNever));
  }

  TestMachine machine{a_machine(4)};
  std::vector<Job> jobs{a_job(1, 0, 2, 10, 60), a_job(2, 0, 4, 10, 60),
                        a_job(3, 5, 1, 10, 60)};
  std::unique_ptr<LuaPolicy> policy = policy_of(
      "return { orders = { widest = function(job) return -job.size end },"
      " schedule = function() end }");
  sim::Simulation simulation{machine, {}, jobs, *policy, make_model(machine, jobs)};
};

}  // namespace

TEST_SUITE("bindings/numbered_calls") {
  TEST_CASE("EASY by calls starts what EASY in Lua starts") {
    Waiting run;
    const auto head = run.call("queue.head").front();
    CHECK(head.type == Type::kHandle);
    CHECK(run.call("job.size", {head}).front().whole == 2);
    CHECK(run.call("job.user", {head}).front().whole == 7);
    CHECK(run.call("job.group", {head}).front().type == Type::kNil);
    CHECK(run.call("job.state", {head}).front().text == "waiting");
    CHECK(run.call("job.walltime", {head}).front().number == 60.0);
    const auto blocked = run.call("cluster.start_all", {{}, handle(kTheQueue)});
    REQUIRE(blocked.size() == 1);
    CHECK(run.call("job.id", {blocked.front()}).front().whole == 2);
    CHECK(run.call("job.state", {head}).front().text == "running");
    const auto plan = run.call("cluster.reserve", {{}, blocked.front()}).front();
    CHECK(run.call("plan.start", {plan}).front().number == 60.0);
    const auto selection = run.call("queue.backfillable", {{}, plan}).front();
    CHECK(selection.type == Type::kSelection);
    CHECK(run.policy->calls(run.simulation).walk(selection.handle).front().type ==
          Type::kNil);
    run.simulation.close_pass();
  }

  TEST_CASE("a refusal is nil and its reason, as in a script") {
    Waiting run;
    const auto head = run.call("queue.head").front();
    CHECK(run.call("cluster.start", {{}, head}).front().whole == 1);
    const auto wide = run.call("queue.head").front();
    const auto refused = run.call("cluster.start", {{}, wide});
    REQUIRE(refused.size() == 2);
    CHECK(refused[0].type == Type::kNil);
    CHECK(refused[1].text == "busy");
  }

  TEST_CASE("a selection is walked job by job, and so is an iterator of users") {
    Waiting run;
    auto& calls = run.policy->calls(run.simulation);
    for (const auto* name : {"queue.all", "queue.users"}) {
      CAPTURE(name);
      const auto selection = run.call(name).front();
      REQUIRE(selection.type == Type::kSelection);
      Values seen;
      for (;;) {
        const auto next = calls.walk(selection.handle);
        if (next.front().type == Type::kNil) break;
        seen.push_back(next.front());
      }
      REQUIRE(seen.size() == 2);
      if (std::string(name) == "queue.users") {
        CHECK(seen[0].whole == 7);
        CHECK(seen[1].whole == -1);
      } else {
        CHECK(run.call("job.id", {seen[1]}).front().whole == 2);
      }
    }
  }

  TEST_CASE("arguments are counted as in a script, whatever is wrong with them") {
    Waiting run;
    CHECK(run.wrong("cluster.start", {{}, whole(3)})
              .find("bad argument #1 to 'start': a job expected, got number") !=
          std::string::npos);
    CHECK(run.wrong("cluster.start").find("bad argument #1 to 'start'") !=
          std::string::npos);
    CHECK(run.wrong("queue.by", {{}, text("widst")}).find("did you mean 'widest'?") !=
          std::string::npos);
    CHECK(run.wrong("job.size").find("bad argument #1 to 'size': a job expected") !=
          std::string::npos);
    CHECK(run.wrong("cluster.start", {{}, handle(16 * 2)})  // not submitted yet
              .find("bad argument #1 to 'start': no such job") != std::string::npos);
    CHECK(run.wrong("cluster.start", {{}, handle(16 * 99)}).find("no such job") !=
          std::string::npos);
    const auto head = run.call("queue.head").front();
    CHECK(run.wrong("plan.start", {head})
              .find("bad argument #1 to 'start': a plan expected, got a job") !=
          std::string::npos);
    CHECK(run.wrong("job.size", {handle(kTheQueue)}) != "");
    CHECK(run.call("cluster.start", {{}, head}).front().whole == 1);
    CHECK(run.wrong("cluster.start", {{}, head}).find("start") != std::string::npos);
    CHECK(run.wrong("cluster.start", {{}, text(std::string(1U << 20U, '\xff'))}) != "");
  }

  TEST_CASE("a handle that was not given out in this pass raises, and harms nothing") {
    Waiting run;
    (void)run.call("cluster.start", {{}, run.call("queue.head").front()});
    const auto plan =
        run.call("cluster.reserve", {{}, run.call("queue.head").front()}).front();
    const auto users = run.call("queue.users").front();
    const auto forged = handle(plan.handle + 16);
    CHECK(run.wrong("plan.start", {forged}).find("no such plan") != std::string::npos);
    CHECK(run.wrong("queue.backfillable", {{}, handle(plan.handle + 5)}) != "");
    for (std::uint64_t kind = 0; kind < 16; ++kind) {
      for (const auto name :
           {"plan.start", "queue.head", "cluster.start", "job.size"}) {
        CHECK(run.wrong(name, {handle((std::uint64_t{1} << 50U) + kind), forged}) !=
              "");
      }
    }
    run.next_pass();
    CHECK(run.wrong("plan.start", {plan})
              .find("this plan belongs to an earlier decision") != std::string::npos);
    CHECK_THROWS_AS((void)run.policy->calls(run.simulation).walk(users.handle), Error);
    CHECK(run.call("queue.length").front().whole == 2);
  }

  TEST_CASE("tables cross as pairs, in the order of `pairs`") {
    Waiting run;
    const auto head = run.call("queue.head").front();
    const PlainValue one_pair{.type = Type::kTable, .whole = 1};
    CHECK(run.wrong("cluster.start", {{}, head, one_pair, text("tie"), text("x")})
              .find("bad argument #2 to 'start': there is no option 'tie'") !=
          std::string::npos);
    CHECK(run.wrong("cluster.start", {{}, head, one_pair, text("tie")})
              .find("a table of 1 pairs is not given whole") != std::string::npos);
    CHECK(run.wrong("cluster.start", {{}, head, one_pair, {}, whole(1)})
              .find("a key of a table") != std::string::npos);
    CHECK(run.call("cluster.start", {{}, head, {.type = Type::kTable}}).front().whole ==
          1);
    CHECK(run.call("cluster.params").front().type == Type::kTable);
  }

  TEST_CASE("fields of many jobs come in one call, NaN for what is no number") {
    Waiting run;
    const std::vector<std::size_t> fields{number_of("job.size"), number_of("job.user"),
                                          number_of("job.state")};
    const std::vector<JobId> jobs{JobId{0}, JobId{1}};
    std::vector<double> out(9, -5);
    run.policy->calls(run.simulation).read_fields(jobs, fields, out.data(), 3);
    CHECK(out[0] == 2);
    CHECK(out[1] == 4);
    CHECK(out[2] == -5);
    CHECK(out[3] == 7);
    CHECK(std::isnan(out[4]));
    CHECK(std::isnan(out[6]));
  }

  TEST_CASE("after a limit every call gives that error") {
    Waiting run;
    const auto policy = [] {
      PolicyOptions options;
      options.limits.work_units = 100'000;
      options.limits.time_seconds = 0;
      return std::make_unique<LuaPolicy>(
          PolicyFile{"t", "t.lua",
                     "return { schedule = function() while true do end end }"},
          options);
    }();
    sim::Simulation simulation(run.machine, {}, run.jobs, *policy,
                               make_model(run.machine, run.jobs));
    REQUIRE(simulation.to_pass(kNever));
    CHECK(policy->calls(simulation).call(number_of("queue.length"), {}).front().whole ==
          2);
    const auto code = [&](const auto& act) {
      try {
        act();
      } catch (const Error& error) {
        return error.code();
      }
      return ErrorCode::kDefect;
    };
    CHECK(code([&] { policy->schedule(simulation); }) == ErrorCode::kTime);
    CHECK(code([&] {
            (void)policy->calls(simulation).call(number_of("queue.length"), {});
          }) == ErrorCode::kTime);
  }

  TEST_CASE("each method of a family can be called, and raises at worst") {
    Waiting run;
    const auto all = numbered_primitives();
    int answered = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      CAPTURE(std::string(all[i].family->reach));
      CAPTURE(std::string(all[i].primitive->name));
      for (const auto& first : {PlainValue{}, handle(kTheQueue),
                                run.call("queue.head").front(), whole(1)}) {
        try {
          (void)run.policy->calls(run.simulation).call(i, std::vector{first});
          ++answered;
        } catch (const Error& error) {
          CHECK(error.code() == ErrorCode::kPolicy);
        }
      }
    }
    CHECK(answered > 40);
  }
}
