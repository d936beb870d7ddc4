// The reason of every waiting job at every pass of small examples that are worked out
// by hand, under the built-in policies.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <string>

#include "engine/explain/words.hpp"
#include "engine/sim/simulation.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;
using namespace berth::test;

namespace {

// "0 3 no_room 1, ...": time, job, reason and the job in the way, by pass and job.
std::string all_reasons(std::vector<Job> jobs, const std::string& policy_name,
                        std::map<std::string, std::string> parameters = {},
                        const sim::Machine& machine = a_machine(10)) {
  std::sort(jobs.begin(), jobs.end(), comes_first);
  const auto policy = lua_policy(policy_name, std::move(parameters));
  ExplainWhat what;
  what.each_pass = true;
  for (std::uint32_t i = 0; i < jobs.size(); ++i) what.in_detail.push_back(JobId{i});
  Explainer explainer(*policy, what);
  sim::Simulation simulation(machine, {}, jobs, *policy, make_model(machine, jobs));
  simulation.inspect(explainer);
  simulation.observe(explainer);
  simulation.advance(kNever);
  simulation.finish();
  std::multimap<Time, std::string> by_time;
  for (const auto& [job, explained] : explainer.jobs()) {
    for (const auto& line : explained.lines) {
      const auto& blocker = line.first.blocker;
      by_time.emplace(line.from,
                      fmt::format("{} {}{}", jobs[index(job)].id,
                                  record_of(line.first.why).name,
                                  blocker ? fmt::format(" {}", jobs[index(*blocker)].id)
                                          : std::string()));
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

}  // namespace

TEST_SUITE("explain/worked examples") {
  TEST_CASE("seven jobs under FCFS") { CHECK(all_reasons(seven(), "fcfs") == ""); }
  TEST_CASE("seven jobs under SJF") { CHECK(all_reasons(seven(), "sjf") == ""); }
  TEST_CASE("seven jobs under EASY") { CHECK(all_reasons(seven(), "easy") == ""); }
  TEST_CASE("seven jobs under conservative") {
    CHECK(all_reasons(seven(), "conservative") == "");
  }
  TEST_CASE("seven jobs under first fit") {
    CHECK(all_reasons(seven(), "first_fit") == "");
  }
}
