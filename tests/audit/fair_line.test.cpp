// R4 and R5 in the fair order: policies that break them are found.

#include "engine/audit/fair_line.hpp"

#include <doctest/doctest.h>

#include "engine/audit/auditor.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

Job of_user(std::int64_t id, std::int64_t submit, std::int32_t user,
            std::int64_t length) {
  auto job = a_job(id, submit, 1, length);
  job.user = user;
  return job;
}

// What the audit says of a policy that `schedule`s so in the fair order; "" if nothing.
std::string said_of(const std::string& promise, const std::string& schedule,
                    const std::vector<Job>& jobs, const ShareSettings& shares) {
  const auto policy =
      policy_of("return { order = 'fair_share', promises = '" + promise +
                "', schedule = function(queue, cluster) " + schedule + " end }");
  const auto machine = a_machine(1);
  sim::Settings settings;
  settings.shares = shares;
  sim::Simulation simulation(machine, settings, jobs, *policy,
                             make_model(machine, jobs));
  audit::Auditor auditor({machine, settings, jobs, policy->traits()},
                         law_of(machine, jobs));
  simulation.observe(auditor);
  try {
    simulation.advance(kNever);
    simulation.finish();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// User 1 has had ten seconds when the jobs 2 and 3 can start.
std::vector<Job> three_jobs() {
  return {of_user(1, 0, 1, 10), of_user(2, 1, 1, 2), of_user(3, 2, 2, 2)};
}

ShareSettings no_decay() {
  ShareSettings settings;
  settings.half_life = 0;
  return settings;
}

}  // namespace

TEST_SUITE("audit/fair_line") {
  TEST_CASE("a start out of the order by usage breaks R4") {
    const std::string by_arrival = "cluster:start_all(queue:by('submit'))";
    const auto said = said_of("in_order", by_arrival, three_jobs(), no_decay());
    CHECK(said.find("R4") != std::string::npos);
    CHECK(said.find("job 3 is the first") != std::string::npos);
    CHECK(said_of("in_order", "cluster:start_all(queue)", three_jobs(), no_decay()) ==
          "");
  }

  TEST_CASE("a first job that fits and is left waiting breaks R5") {
    const std::string none = "if cluster:now() < 10 then cluster:start_all(queue) end";
    const auto said = said_of("first_if_it_fits", none, three_jobs(), no_decay());
    CHECK(said.find("R5") != std::string::npos);
    CHECK(said.find("job 3") != std::string::npos);
    CHECK(said_of("first_if_it_fits", "cluster:start_all(queue)", three_jobs(),
                  no_decay()) == "");
  }

  TEST_CASE("weights, factors and periods count") {
    auto settings = no_decay();
    settings.period = seconds(100);
    audit::FairLine line(settings);
    const auto first = of_user(1, 0, 1, 10);
    const auto second = of_user(2, 0, 2, 10);
    line.join(JobId{5}, first);
    line.join(JobId{6}, second);
    line.hold(first, 0);
    line.release(first, seconds(10));
    CHECK(line.first(seconds(99)) == std::vector{JobId{5}});
    CHECK(line.first(seconds(100)) == std::vector{JobId{6}});
    line.hold(second, seconds(100));
    CHECK(line.first(seconds(199)) == std::vector{JobId{6}});
    CHECK(line.first(seconds(200)) == std::vector{JobId{5}});
    settings.period = 0;
    settings.users = {{2, 20.0}};
    audit::FairLine weighted(settings);
    weighted.join(JobId{5}, first);
    weighted.join(JobId{6}, second);
    weighted.hold(first, 0);
    weighted.hold(second, 0);
    CHECK(weighted.first(seconds(5)) == std::vector{JobId{6}});
  }

  TEST_CASE("users whose usage differs by rounding alone may both be first") {
    audit::FairLine line(no_decay());
    const auto first = of_user(1, 0, 1, 10);
    const auto second = of_user(2, 0, 2, 10);
    line.join(JobId{5}, first);
    line.join(JobId{6}, second);
    CHECK(line.first(0) == std::vector{JobId{5}});
    line.hold(first, 0);
    line.hold(second, 0);
    CHECK(line.first(seconds(3)) == std::vector{JobId{5}, JobId{6}});
  }
}
