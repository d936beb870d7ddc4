#include "engine/audit/placement_check.hpp"

#include <doctest/doctest.h>

#include "engine/machines/fractional/fractional_settings.hpp"
#include "engine/machines/network/slots_settings.hpp"
#include "engine/machines/sharing_models.hpp"
#include "tests/support/builders.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::audit;  // NOLINT(google-build-using-namespace)
using namespace berth::test;   // NOLINT(google-build-using-namespace)

namespace {

const std::vector<Job>& jobs() {
  static const std::vector kJobs{a_job(1, 0, 4, 10), a_job(2, 5, 4, 10)};
  return kJobs;
}

// On a star of two servers with four slots, whose links carry `link_rate` Mb/s; each
// VM asks for 25.
ScheduleReport check(const std::vector<Stay>& stays, double link_rate = 100) {
  auto machine = default_machine("slots", 1);
  SlotsSettings settings;
  settings.topology = NetworkShape::kStar;
  settings.servers = 2;
  settings.slots = 4;
  settings.link_rate = link_rate;
  settings.rule = BandwidthRule::kGiven;
  settings.bandwidth = 25;
  machine.model_settings = settings;
  machine.processors = 8;
  const auto spec = berth::spec_of(machine, jobs(), 1);
  const auto& schedules = model_of(machine).schedules;
  const auto law = schedules.law(spec);
  return check_placements(jobs(), stays, schedules.places(spec), *law);
}

// Two VMs on each server, from this slot of each.
Stay stay(std::uint32_t job, std::int64_t from, std::optional<std::int64_t> to,
          std::int32_t slot, std::string reserved = "100") {
  Stay made{.job = JobId{job}, .from = seconds(from)};
  if (to) made.to = seconds(*to);
  made.places = {{slot, slot + 1}, {slot + 4, slot + 5}};
  made.of_machine = {"edge 0", std::move(reserved)};
  return made;
}

using Broken = std::map<std::string, std::int64_t>;

}  // namespace

TEST_SUITE("audit/placement_check") {
  TEST_CASE("a right schedule breaks no rule, whether it tells reservations or not") {
    CHECK(check({stay(0, 0, 10, 0), stay(1, 5, 15, 2)}).broken.empty());
    CHECK(check({stay(0, 0, 10, 0, {}), stay(1, 10, 20, 0, {})}).broken.empty());
    CHECK(check({stay(0, 0, 10, 0)}).checked.at("links") == 1);
  }

  TEST_CASE(
      "a job that was suspended may have been in two places, one after the other") {
    CHECK(check({stay(0, 0, 4, 0), stay(1, 5, 15, 0), stay(0, 15, 21, 2)})
              .broken.empty());
    CHECK(check({stay(0, 0, 4, 0), stay(0, 3, 9, 2)}).broken ==
          Broken{{"whole placement", 1}});
  }

  TEST_CASE("a link over its capacity by one kbit/s is found") {
    const auto found = check({stay(0, 0, 10, 0), stay(1, 5, 15, 2)}, 99.999);
    CHECK(found.broken == Broken{{"links", 1}});
    CHECK(found.violations.front().text().find("a link carries more") !=
          std::string::npos);
  }

  TEST_CASE("a reservation off by one kbit/s is found") {
    CHECK(check({stay(0, 0, 10, 0, "100.001")}).broken == Broken{{"links", 1}});
  }

  TEST_CASE("a reservation that is never given back is found by the job it shuts out") {
    CHECK(check({stay(0, 0, {}, 0), stay(1, 12, 22, 2)}, 99.999).broken ==
          Broken{{"links", 1}});
    CHECK(check({stay(0, 0, 10, 0), stay(1, 12, 22, 2)}, 99.999).broken.empty());
  }

  TEST_CASE("a slot that is used twice is found") {
    CHECK(check({stay(0, 0, 10, 0), stay(1, 5, 15, 1)}).broken == Broken{{"slots", 1}});
  }

  TEST_CASE("a switch that does not exist, and slots beyond the network, are found") {
    auto wrong = stay(0, 0, 10, 0);
    wrong.of_machine[0] = "core 0";
    CHECK(check({wrong}).broken == Broken{{"whole placement", 1}});
    auto beyond = stay(0, 0, 10, 0);
    beyond.places = {{6, 9}};
    CHECK(check({beyond}).broken == Broken{{"whole placement", 1}});
  }

  TEST_CASE("a job that starts before it was submitted is found") {
    CHECK(check({stay(1, 4, 14, 0)}).broken == Broken{{"order", 1}});
  }

  // One host of 1 GiB; the tasks of both jobs can use half of it and 0.4 of its memory.
  TEST_CASE("F36: two tasks of a job may sit on one host, as far as it has room") {
    FractionalSettings settings;
    settings.memory = 1;
    settings.cpu = 0.5;
    auto machine = default_machine("fractional", 2);
    machine.model_settings = settings;
    std::vector all{a_job(1, 0, 2, 10), a_job(2, 0, 1, 10)};
    for (auto& job : all) job.memory_kib = 419'430;
    const auto broken = [&](double yield, std::int32_t host) {
      Stay two{.job = JobId{0}, .from = 0, .to = seconds(20)};
      two.yield = yield;
      two.places = {{0, 0}, {0, 0}};
      Stay one{.job = JobId{1}, .from = 0, .to = seconds(10)};
      one.places = {{host, host}};
      const auto spec = berth::spec_of(machine, all);
      const auto& schedules = model_of(machine).schedules;
      const auto law = schedules.law(spec);
      return check_placements(all, std::vector{two, one}, schedules.places(spec), *law)
          .broken;
    };
    CHECK(broken(1, 1).empty());
    CHECK(broken(0.5, 0) == Broken{{"memory", 1}});
    for (auto& job : all) job.memory_kib = 0;
    CHECK(broken(0.5, 0).empty());
    CHECK(broken(1, 0) == Broken{{"shares", 1}});
  }

  // Its row does not tell which process sits on which processor.
  TEST_CASE("F29: a slot of a tier serves one job, and a processor has two") {
    const auto machine = a_two_tier_machine(2);
    const auto broken = [&](Tier tier) {
      Stay above{.job = JobId{0}, .from = 0, .to = seconds(10)};
      above.tier = Tier::kForeground;
      above.places = {{0, 0}};
      Stay below{.job = JobId{1}, .from = 0, .to = seconds(10)};
      below.tier = tier;
      below.places = {{0, 1}};
      const std::vector all{a_job(1, 0, 1, 10), a_job(2, 0, 2, 10)};
      const auto spec = test::spec_of(machine, all);
      const auto& schedules = model_of(machine).schedules;
      const auto law = schedules.law(spec);
      return check_placements(all, std::vector{above, below}, schedules.places(spec),
                              *law)
          .broken;
    };
    CHECK(broken(Tier::kBackground).empty());
    CHECK(broken(Tier::kForeground) == Broken{{"tiers", 1}});
  }
}
