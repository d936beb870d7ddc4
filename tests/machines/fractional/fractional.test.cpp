// Hosts shared by fractions: where a limit ends the work with a job of many tasks.

#include "engine/machines/fractional/fractional.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/fractions.hpp"
#include "tests/support/limited.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

TEST_SUITE("machines/fractional/fractional") {
  // An action on 10^7 tasks looked at no limit and ended the process, with exit 7.
  TEST_CASE("what walks over the tasks of a job looks at the limit") {
    constexpr std::int32_t kTasks = 20'000;
    constexpr JobId kJob{0};
    const std::vector jobs{a_job(1, 0, kTasks, 9)};
    const auto demand = jobs.front().demand();
    const auto machine = a_fractional_machine(kTasks);
    const auto hosts = make_model(machine, jobs);
    const auto ends = [&](const auto& work) {
      const auto limited = [&](Budget& own) {
        hosts->charge_to(own);
        work();
      };
      const bool is_ended = ended_at(kTasks / 2, limited).has_value();
      static Budget unlimited;
      hosts->charge_to(unlimited);
      return is_ended;
    };
    CHECK(ends([&] { (void)hosts->choose(kJob, demand, nullptr); }));
    const auto place = hosts->choose(kJob, demand, nullptr).value();
    CHECK(ends([&] { (void)hosts->choose(kJob, demand, &place); }));
    const std::vector seats{Seat{kJob, *place.form_if<TaskHosts>()}};
    const auto* fractions = capability<Fractions>(*hosts);
    CHECK(ends([&] { (void)fractions->can_seat(seats); }));
  }
}
