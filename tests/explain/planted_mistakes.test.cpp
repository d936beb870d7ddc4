// Policies with a mistake each: the reason of a job that waits names it, with the line.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "engine/explain/explainer.hpp"
#include "engine/explain/words.hpp"
#include "engine/sim/simulation.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Jobs 1 and 2 run, 3 waits for room, 7 fits beside it.
std::vector<Job> jobs() {
  std::vector all{a_job(1, 0, 6, 6), a_job(2, 0, 3, 7), a_job(3, 0, 8, 5),
                  a_job(4, 1, 2, 4), a_job(5, 1, 4, 4), a_job(6, 2, 8, 2),
                  a_job(7, 3, 1, 7)};
  for (auto& job : all) job.user = 1;
  all.back().user = 2;
  return all;
}

// The words of job 7 at its first pass, under a policy with this body.
std::string words_of_seven(const std::string& body) {
  const auto policy =
      policy_of("return { schedule = function(queue, cluster)\n" + body + "\nend }\n");
  const auto all = jobs();
  ExplainWhat what;
  what.in_detail = {JobId{6}};
  Explainer explainer(*policy, what);
  const auto machine = a_machine(10);
  sim::Simulation simulation(machine, {}, all, *policy, make_model(machine, all));
  simulation.audience().inspect(explainer);
  simulation.audience().observe(explainer);
  (void)simulation.advance(seconds(3));
  (void)simulation.advance(kNever);
  simulation.finish();
  const auto& lines = explainer.jobs().at(JobId{6}).lines;
  return lines.empty() ? "never waited" : words(lines.front().first, all);
}

}  // namespace

TEST_SUITE("explain/planted mistakes") {
  TEST_CASE("without a mistake the job starts at once") {
    CHECK(words_of_seven("cluster:backfill(queue, 4)") == "never waited");
  }
  TEST_CASE("a depth that is off by one") {
    CHECK(words_of_seven("cluster:backfill(queue, 3)") ==
          "beyond the depth: the policy looks no further than job 6 (policy.lua:2)");
  }
  TEST_CASE("jobs that are never looked at") {
    CHECK(words_of_seven("local ours = queue:of(1)\n"
                         "for job in ours:fitting() do cluster:start(job) end") ==
          "it fits, and the policy did not look at it (policy.lua:3)");
  }
  TEST_CASE("a policy that stops at the first refusal") {
    CHECK(words_of_seven("for job in queue:all() do\n"
                         "  if not cluster:start(job) then break end\nend") ==
          "behind: the policy stopped at job 3 (policy.lua:3)");
  }
  TEST_CASE("a job that is shown and left, with what the policy says of it") {
    CHECK(words_of_seven("for job in queue:fitting() do\n"
                         "  if job.size > 1 then cluster:start(job)\n"
                         "  else cluster:because('too small') end\nend") ==
          "shown and not started: \"too small\"");
  }
  TEST_CASE("a start that a plan refuses") {
    CHECK(
        words_of_seven(
            "for job in queue:startable() do cluster:start(job) end\n"
            "local plan = queue:head() and cluster:reserve(queue:head(), { keep = 2 "
            "})\n"
            "for job in queue:fitting() do cluster:start(job, { under = plan }) end") ==
        "would delay job 3 (reserved at 7): ends 10, 0 spare");
  }
  TEST_CASE("a head that is forgotten") {
    const auto policy = policy_of(
        "return { schedule = function(queue, cluster)\n"
        "local head = queue:head()\n"
        "if head then for job in queue:after(head) do cluster:start(job) end end\n"
        "end }\n");
    const std::vector all{a_job(1, 0, 2, 5), a_job(2, 0, 2, 5), a_job(3, 4, 1, 1)};
    ExplainWhat what;
    what.in_detail = {JobId{0}};
    Explainer explainer(*policy, what);
    const auto machine = a_machine(10);
    sim::Simulation simulation(machine, {}, all, *policy, make_model(machine, all));
    simulation.audience().inspect(explainer);
    simulation.audience().observe(explainer);
    (void)simulation.advance(kNever);
    simulation.finish();
    const auto& explained = explainer.jobs().at(JobId{0});
    CHECK(explained.fate == ExplainedJob::Fate::kWaits);
    CHECK(words(explained.lines.front().first, all) ==
          "it fits, and the policy did not look at it (policy.lua:3)");
  }
}
