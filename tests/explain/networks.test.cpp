// The reason of a job that has no embedding: how much of it can be placed, and the link
// that binds.

#include <doctest/doctest.h>

#include "engine/explain/explainer.hpp"
#include "engine/explain/words.hpp"
#include "engine/machines/network/slots_settings.hpp"
#include "engine/sim/simulation.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// A star of three servers with four slots and a link of 100 Mb/s each; 30 Mb/s a VM.
std::string why_second_waits(std::int32_t first, std::int32_t second) {
  const std::vector<Job> jobs{a_job(1, 0, first, 10), a_job(2, 0, second, 10)};
  auto machine = a_network_machine(12);
  auto& settings = std::any_cast<SlotsSettings&>(machine.model_settings);
  settings.servers = 3;
  settings.slots = 4;
  settings.bandwidth = 30;
  const auto policy = lua_policy("fcfs");
  ExplainWhat what;
  what.in_detail = {JobId{1}};
  Explainer explainer(*policy, what);
  sim::Simulation simulation(machine, {}, jobs, *policy, make_model(machine, jobs));
  simulation.audience().inspect(explainer);
  simulation.audience().observe(explainer);
  simulation.advance(kNever);
  simulation.finish();
  const auto& lines = explainer.jobs().at(JobId{1}).lines;
  return lines.empty() ? "" : words(lines.front(), jobs);
}

}  // namespace

TEST_SUITE("explain/networks") {
  TEST_CASE("a job that lacks bandwidth is told the link that binds") {
    // Job 1 has four VMs on a server and one on the next, whose link has 70 Mb/s left:
    // two VMs of job 2 can be there, beside four on the third.
    CHECK(
        why_second_waits(5, 7) ==
        "no embedding: 7 asked, 6 can be placed below edge 0; link server 1 to edge 0: "
        "90 Mb/s needed, 70 left");
  }

  TEST_CASE("a job that lacks a server is told how many can be placed") {
    // Job 1 fills a server.  Nine VMs need three on each; four on one of the two that
    // are left need 120 Mb/s.
    CHECK(
        why_second_waits(4, 9) ==
        "no embedding: 9 asked, 6 can be placed below edge 0; link server 1 to edge 0: "
        "120 Mb/s needed, 100 left");
  }
}
