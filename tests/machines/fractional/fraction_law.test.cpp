#include "engine/machines/fractional/fraction_law.hpp"

#include <doctest/doctest.h>

#include "tests/support/fractions.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::audit;  // NOLINT(google-build-using-namespace)
using namespace berth::test;   // NOLINT(google-build-using-namespace)

namespace {

constexpr std::int64_t kKib = 1024 * 1024;  // of a host
constexpr JobId kOne{0};
constexpr JobId kTwo{1};

const std::vector<Job>& jobs() {
  static const std::vector kJobs{with_memory(a_job(1, 0, 2, 9), 0.5),
                                 with_memory(a_job(2, 0, 1, 9), 0.5),
                                 with_memory(a_job(3, 0, 1, 9), 2)};
  return kJobs;
}

// Two hosts, CPU needs of 0.6; one action moves half of a host's memory.
std::unique_ptr<Law> a_law() {
  auto machine = a_fractional_machine(2, 0.6);
  fractions_of(machine).migration_budget = 0.5;
  return law_of(machine, jobs());
}

Placement on(std::vector<std::int32_t> hosts, double yield) {
  return placement_of(TaskHosts(std::move(hosts), yield));
}

// "C3 what", or "" if the rule holds.
std::string said(const Verdict& verdict) {
  if (!verdict) return "";
  return std::string(verdict->rule.code) + " " + std::string(verdict->what);
}

std::string start(Law& law, JobId job, const Placement& placement) {
  return said(law.start(job, &placement, false));
}

std::string share(Law& law, JobId job, const Placement& placement, bool moved) {
  using Effect = sim::ChangeRecord::Effect;
  const sim::ChangeRecord record{0,
                                 {job, nullptr, nullptr},
                                 &placement,
                                 "",
                                 moved ? Effect::kMigrates : Effect::kShares,
                                 0,
                                 1,
                                 nullptr,
                                 {}};
  return said(law.change(record));
}

std::string repack(Law& law, bool is_over, double yield = 1, std::int64_t moved = 0) {
  using Bracket = sim::MachineRecord::Bracket;
  const RepackFact fact(is_over, yield, moved);
  return said(
      law.note({0, {}, is_over ? Bracket::kEnds : Bracket::kBegins, &fact, {}}));
}

}  // namespace

TEST_SUITE("machines/fractional/fraction_law") {
  TEST_CASE("every task has a host that exists") {
    const auto law = a_law();
    CHECK(start(*law, kOne, on({0}, 1)) == "C7 it has not one host for each task");
    CHECK(start(*law, kOne, on({0, 2}, 1)) == "C7 it is on a host that does not exist");
    CHECK(start(*law, kOne, on({0, -1}, 1)) ==
          "C7 it is on a host that does not exist");
    CHECK(start(*law, kOne, Placement(IntervalSet(0, 1))) ==
          "C7 its tasks have no hosts");
    CHECK(said(law->start(kOne, nullptr, false)) == "C7 its tasks have no hosts");
  }

  TEST_CASE("no host's memory is overfilled, to the KiB") {
    const auto law = a_law();
    CHECK(start(*law, kOne, on({0, 1}, 0.5)).empty());
    CHECK(start(*law, kTwo, on({0}, 0.5)).empty());
    law->leave(kTwo);
    auto larger = jobs();
    larger[1].memory_kib = kKib / 2 + 1;
    auto machine = a_fractional_machine(2, 0.6);
    const auto other = law_of(machine, larger);
    CHECK(start(*other, kOne, on({0, 1}, 0.5)).empty());
    CHECK(start(*other, kTwo, on({0}, 0.5)) ==
          "C2 the tasks of a host need more memory than it has");
    CHECK(law->fit()->never_fits(JobId{2}));
    CHECK_FALSE(law->fit()->never_fits(kTwo));
  }

  TEST_CASE("shares add up to at most 1, yields are from 0 to 1") {
    const auto law = a_law();
    CHECK(start(*law, kOne, on({0, 1}, 1.1)) == "C3 its yield is not from 0 to 1");
    CHECK(start(*law, kOne, on({0, 1}, -0.1)) == "C3 its yield is not from 0 to 1");
    CHECK(start(*law, kOne, on({0, 1}, 1)).empty());
    CHECK(start(*law, kTwo, on({1}, 2.0 / 3)).empty());
    CHECK(law->used() == 2);
    CHECK(law->rate(kTwo) == 2.0 / 3);
    CHECK(share(*law, kTwo, on({1}, 0.7), false) ==
          "C3 the shares of a host add up to more than 1");
  }

  TEST_CASE("inside of a repacking hosts may be overfilled, not at its end") {
    const auto law = a_law();
    CHECK(start(*law, kOne, on({0, 1}, 1)).empty());
    CHECK(repack(*law, false).empty());
    CHECK(start(*law, kTwo, on({1}, 1)).empty());
    CHECK(share(*law, kOne, on({0, 1}, 0.8), false).empty());
    CHECK(law->take_affected().empty());
    CHECK(repack(*law, true, 0.8) == "C3 the shares of a host add up to more than 1");
  }

  TEST_CASE("the smallest yield and the memory moved are what the records come to") {
    const auto law = a_law();
    CHECK(start(*law, kOne, on({0, 1}, 0.5)).empty());
    CHECK(start(*law, kTwo, on({0}, 0.5)).empty());
    CHECK(repack(*law, false).empty());
    CHECK(repack(*law, false) ==
          "C3 a repacking begins inside another, or ends without one");
    CHECK(repack(*law, true, 0.6) ==
          "C3 the smallest yield that it tells is not that of the jobs");
    CHECK(repack(*law, false).empty());
    CHECK(share(*law, kTwo, on({1}, 0.5), true).empty());
    CHECK(repack(*law, true, 0.5, kKib / 4) ==
          "C8 the memory moved that it tells is not that of the jobs");
    CHECK(repack(*law, false).empty());
    CHECK(share(*law, kTwo, on({0}, 0.5), true).empty());
    CHECK(repack(*law, true, 0.5, kKib / 2).empty());
    CHECK(law->take_affected().size() == 4);
  }

  TEST_CASE("one action moves no more memory than the machine allows") {
    const auto law = a_law();
    CHECK(start(*law, kOne, on({0, 0}, 0.5)).empty());
    CHECK(repack(*law, false).empty());
    CHECK(share(*law, kOne, on({1, 1}, 0.5), true).empty());
    CHECK(repack(*law, true, 0.5, kKib) ==
          "C8 it moves more memory than the machine allows");
    CHECK(share(*law, kOne, on({0, 1}, 0.5), true) ==
          "C8 it moves outside of a repacking");
  }

  TEST_CASE("a migration is a record in which a host changed") {
    const auto law = a_law();
    CHECK(start(*law, kOne, on({0, 1}, 0.5)).empty());
    CHECK(repack(*law, false).empty());
    CHECK(share(*law, kOne, on({1, 0}, 0.5), true).substr(0, 2) == "W8");
    CHECK(share(*law, kOne, on({1, 1}, 0.5), false).substr(0, 2) == "W8");
    CHECK(share(*law, kOne, on({1, 1}, 0.5), false) ==
          "C3 its share is told although nothing of it changed");
  }

  TEST_CASE("what fits is a plain start, once jobs have left") {
    const auto law = a_law();
    CHECK(start(*law, kTwo, on({0}, 1)).empty());
    CHECK(law->fit()->fits_without(kTwo, {}));
    CHECK_FALSE(law->fit()->fits_without(kOne, {}));
    CHECK(law->fit()->fits_without(kOne, std::array{kTwo}));
  }
}
