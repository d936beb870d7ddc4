// The reason of a job that has no embedding: how much of it can be placed, and the link
// that binds.

#include <doctest/doctest.h>

#include "engine/embed/slots_settings.hpp"
#include "engine/explain/words.hpp"
#include "engine/sim/simulation.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// A star of two servers with four slots and a link of 100 Mb/s each; 40 Mb/s a VM.
std::string why_second_waits(std::int32_t first, std::int32_t second) {
  const std::vector<Job> jobs{a_job(1, 0, first, 10), a_job(2, 0, second, 10)};
  auto machine = a_network_machine(8);
  auto& settings = std::any_cast<SlotsSettings&>(machine.model_settings);
  settings.servers = 2;
  settings.slots = 4;
  settings.bandwidth = 40;
  const auto policy = lua_policy("fcfs");
  ExplainWhat what;
  what.in_detail = {JobId{1}};
  Explainer explainer(*policy, what);
  sim::Simulation simulation(machine, {}, jobs, *policy, make_model(machine, jobs));
  simulation.inspect(explainer);
  simulation.observe(explainer);
  simulation.advance(kNever);
  simulation.finish();
  return words(explainer.jobs().at(JobId{1}).lines.front(), jobs);
}

}  // namespace

TEST_SUITE("explain/networks") {
  TEST_CASE("a job that lacks bandwidth is told the link that binds") {
    // Job 1 leaves three slots on one server and four on the other; two VMs of job 2
    // can be on a side of the link (80 Mb/s), and four on one server at once.
    CHECK(why_second_waits(1, 6) == "");
  }

  TEST_CASE("a job that lacks slots is told how many there are") {
    CHECK(why_second_waits(4, 5) == "");
  }
}
