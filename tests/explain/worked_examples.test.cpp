// The reason of every waiting job at every pass of small examples that are worked out
// by hand, under the built-in policies.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "engine/explain/explainer.hpp"
#include "engine/explain/words.hpp"
#include "engine/sim/simulation.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// "0 3 no_room 1, ...": time, job, reason and the job in the way, by pass and job.
std::string all_reasons(std::vector<Job> jobs, const std::string& policy_name,
                        std::map<std::string, std::string> parameters = {},
                        const TestMachine& machine = a_machine(10)) {
  std::sort(jobs.begin(), jobs.end(), comes_first);
  const auto policy = lua_policy(policy_name, std::move(parameters));
  ExplainWhat what;
  what.each_pass = true;
  for (std::uint32_t i = 0; i < jobs.size(); ++i) what.in_detail.push_back(JobId{i});
  Explainer explainer(*policy, what);
  sim::Simulation simulation(machine, {}, jobs, *policy, make_model(machine, jobs));
  simulation.audience().inspect(explainer);
  simulation.audience().observe(explainer);
  simulation.advance(kNever);
  simulation.finish();
  std::multimap<Time, std::string> by_time;
  for (const auto& [job, explained] : explainer.jobs()) {
    for (const auto& line : explained.lines) {
      const auto& blocker = line.first.blocker;
      by_time.emplace(
          line.from,
          fmt::format(
              "{} {}{}", jobs[index(job)].id, line.first.why.record().name,
              blocker ? fmt::format(" {}", jobs[index(*blocker)].id) : std::string()));
    }
  }
  std::string text;
  Time at = -1;
  for (const auto& [time, reason] : by_time) {
    text += time == at ? ", " : fmt::format("\n{}: ", seconds_text(time));
    text += reason;
    at = time;
  }
  return text + "\n";
}

std::vector<Job> seven() {
  return {a_job(1, 0, 6, 6), a_job(2, 0, 3, 7), a_job(3, 0, 8, 5), a_job(4, 1, 2, 4),
          a_job(5, 1, 4, 4), a_job(6, 2, 8, 2), a_job(7, 3, 1, 7)};
}

std::vector<Job> overrun() {
  return {a_job(1, 0, 6, 9, 6), a_job(2, 0, 8, 5), a_job(3, 1, 3, 5),
          a_job(4, 1, 2, 20), a_job(5, 7, 4, 1)};
}

std::vector<Job> early_end() {
  auto jobs = seven();
  jobs.front() = a_job(1, 0, 6, 3, 6);
  return jobs;
}

std::vector<Job> zero_length() {
  return {a_job(1, 0, 10, 5), a_job(2, 1, 4, 0), a_job(3, 1, 10, 0),
          a_job(4, 1, 10, 3)};
}

std::vector<Job> compressed() {
  return {a_job(1, 0, 5, 5, 9), a_job(2, 0, 7, 8), a_job(3, 0, 5, 8), a_job(4, 0, 5, 1),
          a_job(5, 3, 2, 6, 8)};
}

// Figure 1 of the paper on two-tier consolidation, as the policies' own tests have it.
std::vector<Job> twelve() {
  return {a_job(1, 0, 2, 10), a_job(2, 0, 4, 6),  a_job(3, 0, 2, 5),
          a_job(4, 0, 1, 11), a_job(5, 0, 1, 2),  a_job(6, 0, 1, 3),
          a_job(7, 0, 1, 5),  a_job(8, 0, 1, 4),  a_job(9, 0, 1, 5),
          a_job(10, 0, 1, 5), a_job(11, 0, 5, 4), a_job(12, 0, 4, 3)};
}

TestMachine two_tiers() {
  CpuGivenTable given;
  for (const auto& job : twelve()) {
    given[job.id] = {.use = std::vector(static_cast<std::size_t>(job.size),
                                        job.size == 1 ? 1.0 : 0.5),
                     .efficiency = 0.8};
  }
  auto machine = a_two_tier_machine(5, std::move(given));
  machine.migration_cost = seconds(1);
  return machine;
}

}  // namespace

TEST_SUITE("explain/worked examples") {
  TEST_CASE("seven jobs under fcfs") {
    CHECK(all_reasons(seven(), "fcfs") == R"(
0: 3 no_room 2
1: 3 no_room 2, 4 no_room 1, 5 no_room 1
2: 3 no_room 2, 4 no_room 1, 5 no_room 1, 6 no_room 2
3: 3 no_room 2, 4 no_room 1, 5 no_room 1, 6 no_room 2, 7 order 3
6: 3 no_room 2, 4 order 3, 5 order 3, 6 no_room 2, 7 order 3
7: 5 no_room 3, 6 no_room 3, 7 no_room 4
11: 5 no_room 3, 6 no_room 3, 7 order 5
12: 6 no_room 5, 7 order 6
)");
  }
  TEST_CASE("seven jobs under sjf") {
    CHECK(all_reasons(seven(), "sjf") == R"(
0: 1 no_room 3, 2 no_room 3
1: 1 no_room 3, 2 no_room 3, 5 no_room 3
2: 1 no_room 3, 2 no_room 3, 5 no_room 3, 6 no_room 3
3: 1 no_room 3, 2 no_room 3, 5 no_room 3, 6 no_room 3, 7 no_room 3
5: 1 no_room 6, 2 no_room 6, 5 no_room 6, 7 order 5
7: 2 no_room 5, 7 no_room 5
)");
  }
  TEST_CASE("seven jobs under easy") {
    CHECK(all_reasons(seven(), "easy") == R"(
0: 3 no_room 2
1: 3 no_room 2, 4 no_room 1, 5 no_room 1
2: 3 no_room 2, 4 no_room 1, 5 no_room 1, 6 no_room 2
3: 3 no_room 2, 4 no_room 1, 5 no_room 1, 6 no_room 2
6: 3 no_room 2, 4 would_delay 3, 5 would_delay 3, 6 no_room 2
7: 4 no_room 7, 5 no_room 3, 6 no_room 3
10: 5 no_room 3, 6 no_room 3
12: 6 no_room 5
14: 6 no_room 5
)");
  }
  TEST_CASE("seven jobs under conservative") {
    CHECK(all_reasons(seven(), "conservative") == R"(
0: 3 no_room 2
1: 3 no_room 2, 4 no_room 1, 5 no_room 1
2: 3 no_room 2, 4 no_room 1, 5 no_room 1, 6 no_room 2
3: 3 no_room 2, 4 no_room 1, 5 no_room 1, 6 no_room 2, 7 later_reservation 4
6: 3 no_room 2, 5 later_reservation 3, 6 no_room 2, 7 later_reservation 3
7: 5 no_room 3, 6 no_room 3, 7 no_room 4
10: 5 no_room 3, 6 no_room 3
12: 6 no_room 5
)");
  }
  TEST_CASE("seven jobs under first_fit") {
    CHECK(all_reasons(seven(), "first_fit") == R"(
0: 3 no_room 2
1: 3 no_room 2, 4 no_room 1, 5 no_room 1
2: 3 no_room 2, 4 no_room 1, 5 no_room 1, 6 no_room 2
3: 3 no_room 2, 4 no_room 1, 5 no_room 1, 6 no_room 2
6: 3 no_room 5, 6 no_room 5
7: 3 no_room 5, 6 no_room 5
10: 6 no_room 3
)");
  }
  TEST_CASE("a job that ends early under fcfs") {
    CHECK(all_reasons(early_end(), "fcfs") == R"(
0: 3 no_room 2
1: 3 no_room 2, 4 no_room 1, 5 no_room 1
2: 3 no_room 2, 4 no_room 1, 5 no_room 1, 6 no_room 2
3: 3 no_room 2, 4 order 3, 5 order 3, 6 no_room 2, 7 order 3
7: 5 no_room 3, 6 no_room 3, 7 no_room 4
11: 5 no_room 3, 6 no_room 3, 7 order 5
12: 6 no_room 5, 7 order 6
)");
  }
  TEST_CASE("a job that ends early under sjf") {
    CHECK(all_reasons(early_end(), "sjf") == R"(
0: 1 no_room 3, 2 no_room 3
1: 1 no_room 3, 2 no_room 3, 5 no_room 3
2: 1 no_room 3, 2 no_room 3, 5 no_room 3, 6 no_room 3
3: 1 no_room 3, 2 no_room 3, 5 no_room 3, 6 no_room 3, 7 no_room 3
5: 1 no_room 6, 2 no_room 6, 5 no_room 6, 7 order 5
7: 2 no_room 5, 7 no_room 5
)");
  }
  TEST_CASE("a job that ends early under easy") {
    CHECK(all_reasons(early_end(), "easy") == R"(
0: 3 no_room 2
1: 3 no_room 2, 4 no_room 1, 5 no_room 1
2: 3 no_room 2, 4 no_room 1, 5 no_room 1, 6 no_room 2
3: 3 no_room 5, 6 no_room 5
7: 6 no_room 3
10: 6 no_room 3
)");
  }
  TEST_CASE("a job that ends early under conservative") {
    CHECK(all_reasons(early_end(), "conservative") == R"(
0: 3 no_room 2
1: 3 no_room 2, 4 no_room 1, 5 no_room 1
2: 3 no_room 2, 4 no_room 1, 5 no_room 1, 6 no_room 2
3: 3 no_room 5, 6 no_room 5
7: 6 no_room 3
10: 6 no_room 3
)");
  }
  TEST_CASE("a job that ends early under first_fit") {
    CHECK(all_reasons(early_end(), "first_fit") == R"(
0: 3 no_room 2
1: 3 no_room 2, 4 no_room 1, 5 no_room 1
2: 3 no_room 2, 4 no_room 1, 5 no_room 1, 6 no_room 2
3: 3 no_room 5, 6 no_room 5
7: 6 no_room 3
10: 6 no_room 3
)");
  }
  TEST_CASE("an overrun under fcfs") {
    CHECK(all_reasons(overrun(), "fcfs") == R"(
0: 2 no_room 1
1: 2 no_room 1, 3 order 2, 4 order 2
7: 2 no_room 1, 3 order 2, 4 order 2, 5 order 2
9: 3 no_room 2, 4 order 3, 5 no_room 2
)");
  }
  TEST_CASE("an overrun under sjf") {
    CHECK(all_reasons(overrun(), "sjf") == R"(
0: 1 no_room 2
1: 1 no_room 2, 3 no_room 2, 4 order 3
5: 4 no_room 3
7: 4 no_room 3, 5 no_room 3
10: 4 no_room 1
)");
  }
  TEST_CASE("an overrun under easy") {
    CHECK(all_reasons(overrun(), "easy") == R"(
0: 2 no_room 1
1: 2 no_room 3, 4 no_room 1
6: 2 no_room 1
7: 2 no_room 1, 5 no_room 4
9: 5 no_room 2
)");
  }
  TEST_CASE("an overrun under conservative") {
    CHECK(all_reasons(overrun(), "conservative") == R"(
0: 2 no_room 1
1: 2 no_room 3, 4 no_room 1
6: 2 no_room 1
7: 2 no_room 1, 5 no_room 4
9: 5 no_room 2
)");
  }
  TEST_CASE("an overrun under first_fit") {
    CHECK(all_reasons(overrun(), "first_fit") == R"(
0: 2 no_room 1
1: 2 no_room 3, 4 no_room 1
6: 2 no_room 1
7: 2 no_room 1, 5 no_room 4
9: 5 no_room 2
)");
  }
  TEST_CASE("jobs of length zero under fcfs") {
    CHECK(all_reasons(zero_length(), "fcfs") == R"(
1: 2 no_room 1, 3 no_room 1, 4 no_room 1
5: 3 no_room 2, 4 no_room 2, 4 no_room 3
)");
  }
  TEST_CASE("jobs of length zero under sjf") {
    CHECK(all_reasons(zero_length(), "sjf") == R"(
1: 2 no_room 1, 3 no_room 1, 4 no_room 1
5: 3 no_room 2, 4 no_room 2, 4 no_room 3
)");
  }
  TEST_CASE("jobs of length zero under easy") {
    CHECK(all_reasons(zero_length(), "easy") == R"(
1: 2 no_room 1, 3 no_room 1, 4 no_room 1
5: 3 no_room 2, 4 no_room 2, 4 no_room 3
)");
  }
  TEST_CASE("jobs of length zero under conservative") {
    CHECK(all_reasons(zero_length(), "conservative") == R"(
1: 2 no_room 1, 3 no_room 1, 4 no_room 1
5: 3 no_room 2, 4 no_room 2, 4 no_room 3
)");
  }
  TEST_CASE("jobs of length zero under first_fit") {
    CHECK(all_reasons(zero_length(), "first_fit") == R"(
1: 2 no_room 1, 3 no_room 1, 4 no_room 1
5: 3 no_room 2, 4 no_room 2, 4 no_room 3
)");
  }
  TEST_CASE("reservations that move forward under fcfs") {
    CHECK(all_reasons(compressed(), "fcfs") == R"(
0: 2 no_room 1, 3 order 2, 4 order 2
3: 2 no_room 1, 3 order 2, 4 order 2, 5 order 2
5: 3 no_room 2, 4 no_room 2, 5 order 3
13: 5 no_room 4
)");
  }
  TEST_CASE("reservations that move forward under sjf") {
    CHECK(all_reasons(compressed(), "sjf") == R"(
0: 1 order 2, 2 no_room 4, 3 order 2
1: 1 no_room 2, 3 no_room 2
3: 1 no_room 2, 3 no_room 2, 5 order 3
9: 1 no_room 3
)");
  }
  TEST_CASE("reservations that move forward under easy") {
    CHECK(all_reasons(compressed(), "easy") == R"(
0: 2 no_room 1, 4 no_room 3
3: 2 no_room 1, 4 no_room 3, 5 no_room 3
5: 2 no_room 3, 5 no_room 4
6: 2 no_room 3
)");
  }
  TEST_CASE("reservations that move forward under conservative") {
    CHECK(all_reasons(compressed(), "conservative") == R"(
0: 2 no_room 1, 4 no_room 3
3: 2 no_room 1, 4 no_room 3, 5 no_room 3
5: 2 no_room 3, 5 no_room 4
6: 2 no_room 3
8: 2 later_reservation
)");
  }
  TEST_CASE("reservations that move forward under first_fit") {
    CHECK(all_reasons(compressed(), "first_fit") == R"(
0: 2 no_room 1, 4 no_room 3
3: 2 no_room 1, 4 no_room 3, 5 no_room 3
5: 2 no_room 3, 5 no_room 4
6: 2 no_room 3
)");
  }
  TEST_CASE("reservations that move forward at every pass") {
    CHECK(all_reasons(compressed(), "conservative", {{"compress", "every_pass"}}) == R"(
0: 2 no_room 1, 4 no_room 3
3: 2 no_room 1, 4 no_room 3, 5 no_room 3
5: 2 no_room 3, 5 no_room 4
6: 2 no_room 3
)");
  }
  TEST_CASE("twelve jobs on two tiers under keasy") {
    CHECK(all_reasons(twelve(), "keasy", {}, two_tiers()) == R"(
0: 2 no_room 1, 9 no_room 3, 10 no_room 3, 11 no_room 4, 12 no_room 1
5: 2 no_room 7, 11 no_room 4, 12 no_room 7
8: 2 no_room 1, 11 no_room 4, 12 no_room 1
10: 11 no_room 2, 12 no_room 2
11: 11 no_room 9, 12 no_room 2
16: 11 no_room 10
)");
  }
  TEST_CASE("twelve jobs on two tiers under reasy") {
    CHECK(all_reasons(twelve(), "reasy", {}, two_tiers()) == R"(
0: 2 no_room 1, 9 no_room 3, 10 no_room 3, 11 no_room 4, 12 no_room 1
5: 2 no_room 7, 10 no_room 8, 11 no_room 4, 12 no_room 7
7: 2 no_room 7, 11 no_room 4, 12 no_room 7
7.5: 2 no_room 7, 11 no_room 4, 12 no_room 7
8: 2 no_room 1, 11 no_room 4, 12 no_room 1
10: 11 no_room 2, 12 no_room 2
11: 11 no_room 2, 12 no_room 2
15: 11 no_room 2
16: 11 no_room 9
)");
  }
  TEST_CASE("twelve jobs on two tiers under measy") {
    CHECK(all_reasons(twelve(), "measy", {}, two_tiers()) == R"(
0: 2 no_room 1, 9 no_room 3, 10 no_room 3, 11 no_room 4, 12 no_room 1
5: 2 no_room 7, 11 no_room 4, 12 no_room 7
6: 2 no_room 7, 11 no_room 4, 12 no_room 7
7: 2 no_room 7, 11 no_room 4, 12 no_room 7
8: 2 no_room 1, 11 no_room 4, 12 no_room 1
8.2: 2 no_room 1, 11 no_room 4, 12 no_room 1
10: 11 no_room 2, 12 no_room 2
11: 11 no_room 9, 12 no_room 2
12: 11 no_room 9, 12 no_room 2
14.6: 11 no_room 10
15.6: 11 no_room 10
16: 11 no_room 10
)");
  }
}
