// R4 and R5 in the fair order: policies that break them are found.

#include "engine/audit/fair_line.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include "engine/audit/auditor.hpp"
#include "engine/share/shares.hpp"
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

std::map<std::int32_t, double> usage_of(const sim::Simulation& simulation) {
  std::map<std::int32_t, double> usage;
  const auto& shares = *simulation.world().shares();
  for (Shares::Number user = 0; user < shares.known(); ++user) {
    usage[shares.name(user)] = shares.usage(user, simulation.world().now());
  }
  return usage;
}

// What the audit says of a policy that `schedule`s so in the fair order; "" if nothing.
// `planted`: what the auditor is told of the shares instead.
std::string said_of(const std::string& promise, const std::string& schedule,
                    const std::vector<Job>& jobs, const ShareSettings& shares,
                    const std::optional<ShareSettings>& planted = {}) {
  const auto policy =
      policy_of("return { order = 'fair_share', promises = '" + promise +
                "', schedule = function(queue, cluster) " + schedule + " end }");
  const auto machine = a_machine(1);
  sim::Settings settings;
  settings.shares = shares;
  sim::Simulation simulation(machine, settings, jobs, *policy,
                             make_model(machine, jobs));
  if (planted) settings.shares = planted;
  audit::Auditor auditor({machine, settings, jobs, policy->traits()},
                         law_of(machine, jobs));
  simulation.audience().observe(auditor);
  try {
    simulation.advance(kNever);
    simulation.finish();
    auditor.check_usage(usage_of(simulation), simulation.world().now());
    CHECK(auditor.checked().count("W9") == 1);
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
    audit::FairLine line(settings, kinds_of(1, {}));
    const auto first = of_user(1, 0, 1, 10);
    const auto second = of_user(2, 0, 2, 10);
    line.join(JobId{5}, first);
    line.join(JobId{6}, second);
    line.hold(first, 0, {});
    line.release(first, seconds(10), {});
    CHECK(line.first(seconds(99)) == std::vector{JobId{5}});
    CHECK(line.first(seconds(100)) == std::vector{JobId{6}});
    line.hold(second, seconds(100), {});
    CHECK(line.first(seconds(199)) == std::vector{JobId{6}});
    CHECK(line.first(seconds(200)) == std::vector{JobId{5}});
    settings.period = 0;
    settings.users = {{2, 20.0}};
    audit::FairLine weighted(settings, kinds_of(1, {}));
    weighted.join(JobId{5}, first);
    weighted.join(JobId{6}, second);
    weighted.hold(first, 0, {});
    weighted.hold(second, 0, {});
    CHECK(weighted.first(seconds(5)) == std::vector{JobId{6}});
  }

  TEST_CASE("users whose usage differs by rounding alone may both be first") {
    audit::FairLine line(no_decay(), kinds_of(1, {}));
    const auto first = of_user(1, 0, 1, 10);
    const auto second = of_user(2, 0, 2, 10);
    line.join(JobId{5}, first);
    line.join(JobId{6}, second);
    CHECK(line.first(0) == std::vector{JobId{5}});
    line.hold(first, 0, {});
    line.hold(second, 0, {});
    CHECK(line.first(seconds(3)) == std::vector{JobId{5}, JobId{6}});
  }

  TEST_CASE("F34: engine and auditor agree who is first after any number of halvings") {
    std::mt19937 random(34);
    ShareSettings settings;
    settings.half_life = seconds(1);
    settings.users = {{1, 1e9}, {2, 0.001}};
    int told_apart = 0;  // where what both have is below the precision of what was
    for (int round = 0; round < 300; ++round) {
      Shares shares(settings, kinds_of(8, {}));
      audit::FairLine line(settings, kinds_of(8, {}));
      Time now = 0;
      for (std::int32_t user = 0; user < 6; ++user) {
        const auto job = of_user(user, 0, user, 1);
        shares.submitted(job);
        line.join(JobId{static_cast<std::uint32_t>(user)}, job);
        if (random() % 4 == 0) continue;
        shares.holds(job, now);
        line.hold(job, now, {});
        now += seconds(1) + static_cast<Time>(random() % 300) * kSecond / 7;
        shares.releases(job, now);
        line.release(job, now, {});
      }
      for (int look = 0; look < 20; ++look) {
        now += static_cast<Time>(random() % 100) * kSecond;
        std::pair<double, JobId> first{1e300, JobId{0}};
        for (std::int32_t user = 0; user < 6; ++user) {
          const auto number = *shares.find(user);
          const auto own = shares.usage(number, now);
          CHECK(line.is_usage(own, user, now));
          if (own > 0) CHECK_FALSE(line.is_usage(0, user, now));
          if (own > 0) CHECK_FALSE(line.is_usage(own * 1.001, user, now));
          if (own == 0) CHECK_FALSE(line.is_usage(0x1p-900, user, now));
          told_apart += own > 0 && own < 1e-16;
          first = std::min(first, {shares.standing(number, now),
                                   JobId{static_cast<std::uint32_t>(user)}});
        }
        const auto allowed = line.first(now);
        CHECK(std::find(allowed.begin(), allowed.end(), first.second) != allowed.end());
        CHECK(allowed.size() == 1);
      }
    }
    CHECK(told_apart > 1000);
  }

  TEST_CASE("usage that is not the sum over the user's jobs breaks W9") {
    const std::string all = "cluster:start_all(queue)";
    const auto jobs = three_jobs();
    auto decays = no_decay();
    decays.half_life = seconds(20);
    auto factors = no_decay();
    factors.class_factor = {{kUnknown, 0.5}};
    auto weights = no_decay();
    weights.users = {{1, 2.0}};
    for (const auto& right : {no_decay(), decays, factors, weights}) {
      CHECK(said_of("in_order", all, jobs, right, {}) == "");
    }
    for (const auto& wrong : {decays, factors}) {
      const auto said = said_of("in_order", all, jobs, no_decay(), wrong);
      CHECK_MESSAGE(said.find("W9") != std::string::npos, said);
    }
    const auto said = said_of("in_order", all, jobs, decays, no_decay());
    CHECK_MESSAGE(said.find("W9") != std::string::npos, said);
  }

  TEST_CASE("charges by dominant share and by weights are derived anew") {
    constexpr std::int64_t kGib = 1'048'576;
    Resources resources;
    resources.memory = 16 * kGib;
    const auto job = of_user(1, 0, 1, 10);
    const std::vector<std::int64_t> amounts{1, 8 * kGib};
    const auto usage = [&](ShareSettings settings) {
      settings.half_life = 0;
      audit::FairLine line(settings, kinds_of(8, resources));
      line.hold(job, 0, amounts);
      line.release(job, seconds(10), amounts);
      return line.usage(1, seconds(20));
    };
    ShareSettings settings;
    CHECK(usage(settings) == 10);
    settings.charge = Charge::kDominant;
    CHECK(usage(settings) == 40);
    settings.charge = Charge::kBilling;
    settings.billing = {{"processors", 3}, {"memory", 0.25}};
    CHECK(usage(settings) == 50);
    settings.billing_rule = BillingRule::kMax;
    CHECK(usage(settings) == 30);
  }
}
