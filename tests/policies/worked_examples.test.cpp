// Every case of tests/policies/*.test.lua under its policy.

#include <doctest/doctest.h>

#include "bindings/policy_cases.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Seven jobs on ten processors, worked out by hand.
std::vector<Job> seven_jobs() {
  return {a_job(1, 0, 6, 6), a_job(2, 0, 3, 7), a_job(3, 0, 8, 5), a_job(4, 1, 2, 4),
          a_job(5, 1, 4, 4), a_job(6, 2, 8, 2), a_job(7, 3, 1, 7)};
}

std::vector<Job> seven_jobs_first_ends_early() {
  auto jobs = seven_jobs();
  jobs.front().length = seconds(3);
  return jobs;
}

std::vector<Job> an_overrun() {
  return {a_job(1, 0, 6, 9, 6), a_job(2, 0, 8, 5), a_job(3, 1, 3, 5),
          a_job(4, 1, 2, 20), a_job(5, 7, 4, 1)};
}

sim::Machine a_short_grace() {
  auto machine = a_machine(10);
  machine.overrun_grace = seconds(1);
  machine.overrun_growth = 1;
  return machine;
}

using Spans = std::map<std::int64_t, Remembering::Span>;

Spans spans_of_the_overrun() {
  return {{1, {0, 9}}, {2, {9, 14}}, {3, {1, 6}}, {4, {6, 26}}, {5, {14, 15}}};
}

Outcome run_lua(const std::string& name, std::vector<Job> jobs,
                std::map<std::string, std::string> parameters = {}) {
  const auto policy = lua_policy(name, std::move(parameters));
  return run(std::move(jobs), a_machine(10), *policy);
}

struct Head {
  double at;
  std::int64_t job;
  double shadow;
  std::int64_t spare;
  friend bool operator==(const Head&, const Head&) = default;
};

std::vector<Head> heads(const Outcome& outcome) {
  std::vector<Head> out;
  for (const auto& plan : outcome.watched.plans) {
    out.push_back({to_seconds(plan.at), static_cast<std::int64_t>(index(plan.job)) + 1,
                   to_seconds(plan.start), plan.spare});
  }
  return out;
}

using Reservations = std::map<std::int64_t, double>;

// The book after the last pass at or before `until`, of jobs that have not started.
Reservations book_at(const Outcome& outcome, std::int64_t until) {
  Reservations book;
  for (const auto& change : outcome.watched.reservations) {
    if (change.at > seconds(until)) break;
    const auto id = static_cast<std::int64_t>(index(change.job)) + 1;
    if (change.start) book[id] = to_seconds(*change.start);
  }
  for (const auto& [id, start] : outcome.watched.starts) {
    if (start <= seconds(until)) book.erase(id);
  }
  return book;
}

}  // namespace

TEST_SUITE("policies/worked_examples") {
  TEST_CASE("every built-in policy meets the starts of its cases") {
    for (const auto& name : policy_names()) {
      CAPTURE(name);
      const auto file = policy_file(name);
      const auto cases = policy_cases_file(name);
      const auto count =
          bindings::read_policy_cases(cases, {}, study::fields_of_cases()).size();
      CHECK(count > 0);
      for (std::size_t i = 0; i < count; ++i) {
        CHECK(case_verdict(cases, i, file) == "");
      }
    }
  }

  TEST_CASE("means and makespans of the seven jobs are those of the specification") {
    struct Row {
      std::string policy;
      std::map<std::string, std::string> parameters;
      double wait;
      double response;
      double makespan;
    };
    const std::vector<Row> rows{
        {"fcfs", {}, 51.0 / 7, 86.0 / 7, 23},
        {"sjf", {}, 5, 10, 18},
        {"sjf", {{"block", "false"}}, 29.0 / 7, 64.0 / 7, 17},
        {"first_fit", {}, 33.0 / 7, 68.0 / 7, 17},
        {"best_fit", {}, 31.0 / 7, 66.0 / 7, 17},
        {"easy", {}, 41.0 / 7, 76.0 / 7, 18},
        {"conservative", {}, 44.0 / 7, 79.0 / 7, 18},
    };
    for (const auto& row : rows) {
      CAPTURE(row.policy);
      const auto outcome = run_lua(row.policy, seven_jobs(), row.parameters);
      CHECK(outcome.mean_wait == doctest::Approx(row.wait).epsilon(1e-12));
      CHECK(outcome.mean_response == doctest::Approx(row.response).epsilon(1e-12));
      CHECK(outcome.makespan == row.makespan);
    }
  }

  TEST_CASE(
      "the seven jobs with an early end wait for 3 s under EASY and conservative") {
    for (const std::string name : {"easy", "conservative"}) {
      CAPTURE(name);
      const auto outcome = run_lua(name, seven_jobs_first_ends_early());
      CHECK(outcome.mean_wait == 3);
      CHECK(outcome.mean_response == doctest::Approx(53.0 / 7).epsilon(1e-12));
      CHECK(outcome.makespan == 14);
    }
  }

  TEST_CASE("EASY plans for the first job at every pass as in the specification") {
    const std::vector<Head> wanted{{0, 3, 7, 2},   {1, 3, 7, 2},   {2, 3, 7, 2},
                                   {3, 3, 7, 2},   {6, 3, 7, 1},   {7, 4, 10, 0},
                                   {10, 5, 12, 4}, {12, 6, 16, 2}, {14, 6, 16, 2}};
    CHECK(heads(run(seven_jobs(), a_machine(10), easy)) == wanted);
  }

  TEST_CASE("passes left out change the plans of EASY but not its schedule") {
    const auto all = run(seven_jobs(), a_machine(10), easy);
    const auto some = run_lua("easy", seven_jobs());
    CHECK(some.watched.spans == all.watched.spans);
    const std::vector<Head> wanted{{0, 3, 7, 2},  {3, 3, 7, 2},   {6, 3, 7, 1},
                                   {7, 4, 10, 0}, {10, 5, 12, 4}, {12, 6, 16, 2}};
    auto made = heads(some);
    std::erase_if(made, [](const Head& head) { return head.at == 14; });
    CHECK(made == wanted);
  }

  TEST_CASE("EASY expects a late job at 6 + 60, and its short jobs need no spare") {
    const std::vector<Head> wanted{
        {0, 2, 6, 2}, {1, 2, 6, 2}, {6, 2, 66, 2}, {7, 2, 66, 2}, {9, 5, 14, 4}};
    const auto outcome = run(an_overrun(), a_machine(10), easy);
    CHECK(heads(outcome) == wanted);
    CHECK(outcome.watched.spans == spans_of_the_overrun());
  }

  TEST_CASE("with a grace of 1 s and growth 1 EASY expects it at the next second") {
    const std::vector<Head> wanted{
        {0, 2, 6, 2}, {1, 2, 6, 2}, {6, 2, 7, 2}, {7, 2, 8, 0}, {9, 5, 14, 4}};
    const auto outcome = run(an_overrun(), a_short_grace(), easy);
    CHECK(heads(outcome) == wanted);
    CHECK(outcome.watched.spans == spans_of_the_overrun());
  }

  TEST_CASE(
      "conservative holds the reservations of the specification after each pass") {
    const auto outcome = run_lua("conservative", seven_jobs());
    CHECK(book_at(outcome, 0) == Reservations{{3, 7}});
    CHECK(book_at(outcome, 1) == Reservations{{3, 7}, {4, 6}, {5, 12}});
    CHECK(book_at(outcome, 2) == Reservations{{3, 7}, {4, 6}, {5, 12}, {6, 16}});
    CHECK(book_at(outcome, 3) ==
          Reservations{{3, 7}, {4, 6}, {5, 12}, {6, 16}, {7, 10}});
    CHECK(book_at(outcome, 7) == Reservations{{5, 12}, {6, 16}, {7, 10}});
  }

  TEST_CASE("an early end moves reservations of conservative forward") {
    const auto outcome = run_lua("conservative", seven_jobs_first_ends_early());
    CHECK(book_at(outcome, 3) == Reservations{{3, 7}, {6, 12}});
  }

  TEST_CASE("conservative rebuilds when a job overruns, and compresses at its end") {
    const auto outcome = run_lua("conservative", an_overrun());
    CHECK(book_at(outcome, 0) == Reservations{{2, 6}});
    CHECK(book_at(outcome, 1) == Reservations{{2, 6}, {4, 6}});
    CHECK(book_at(outcome, 6) == Reservations{{2, 66}});
    CHECK(book_at(outcome, 7) == Reservations{{2, 66}, {5, 26}});
    CHECK(book_at(outcome, 9) == Reservations{{5, 14}});
    CHECK(book_at(outcome, 14).empty());
    CHECK(outcome.watched.spans == spans_of_the_overrun());
  }

  TEST_CASE("with a grace of 1 s and growth 1 it rebuilds at 6, 7 and, woken, at 8") {
    const auto policy = lua_policy("conservative");
    const auto outcome = run(an_overrun(), a_short_grace(), *policy);
    CHECK(book_at(outcome, 6) == Reservations{{2, 7}});
    CHECK(book_at(outcome, 7) == Reservations{{2, 8}, {5, 13}});
    CHECK(book_at(outcome, 8) == Reservations{{2, 9}, {5, 14}});
    CHECK(book_at(outcome, 9) == Reservations{{5, 14}});
    CHECK(book_at(outcome, 14).empty());
    CHECK(outcome.watched.spans == spans_of_the_overrun());
  }

  TEST_CASE("compression tells early_ends from every_pass") {
    const std::vector<Job> jobs{a_job(1, 0, 5, 5, 9), a_job(2, 0, 7, 8, 8),
                                a_job(3, 0, 5, 8, 8), a_job(4, 0, 5, 1, 1),
                                a_job(5, 3, 2, 6, 8)};
    Spans wanted{{1, {0, 5}}, {2, {9, 17}}, {3, {0, 8}}, {4, {5, 6}}, {5, {6, 12}}};
    CHECK(run_lua("conservative", jobs).watched.spans == wanted);
    wanted[2] = {8, 16};
    CHECK(run_lua("conservative", jobs, {{"compress", "every_pass"}}).watched.spans ==
          wanted);
  }

  TEST_CASE("jobs of no length take three passes at one instant") {
    const auto outcome = run(
        {a_job(1, 0, 10, 5), a_job(2, 1, 4, 0), a_job(3, 1, 10, 0), a_job(4, 1, 10, 3)},
        a_machine(10), easy);
    const auto at_five = std::count_if(
        outcome.watched.passes.begin(), outcome.watched.passes.end(),
        [](const sim::PassRecord& pass) { return pass.at == seconds(5); });
    CHECK(at_five == 3);
  }
}
