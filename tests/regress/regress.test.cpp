#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/audit/auditor.hpp"
#include "tests/support/fractions.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;
using namespace berth::test;

namespace {

std::vector<std::filesystem::path> scripts(const std::string& below) {
  std::vector<std::filesystem::path> found;
  const std::filesystem::path folder =
      std::filesystem::path(source_root()) / "tests/regress" / below;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".lua") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Six jobs of two processors or tasks, one a second, 10 s each: audited to the end.
std::int64_t finished_under(const std::string& policy, TestMachine machine) {
  std::vector<Job> jobs;
  for (std::int64_t i = 0; i < 6; ++i) jobs.push_back(a_job(i + 1, i, 2, 10, 12));
  machine.preemption = true;
  const auto script = policy_of(policy);
  audit::Auditor auditor({machine, {}, jobs, script->traits()}, law_of(machine, jobs));
  sim::Simulation simulation(machine, {}, jobs, *script, make_model(machine, jobs));
  simulation.audience().observe(auditor);
  simulation.advance(kNever);
  simulation.finish();
  const auto& table = simulation.world().jobs();
  std::int64_t finished = 0;
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    if (table[JobId{i}].state == JobState::kFinished) ++finished;
  }
  return finished;
}

}  // namespace

TEST_SUITE("regress/regress") {
  TEST_CASE("scripts that once went wrong run to their end") {
    const auto all_finish = [](const std::filesystem::path& script,
                               const TestMachine& machine) {
      CAPTURE(script.filename().string());
      std::int64_t finished = 0;
      CHECK_NOTHROW(finished = finished_under(contents(script), machine));
      CHECK(finished == 6);
    };
    const auto on_processors = scripts("");
    CHECK(on_processors.size() >= 2);
    for (const auto& script : on_processors) all_finish(script, a_machine(4));
    const auto on_hosts = scripts("fractional");
    CHECK(!on_hosts.empty());
    for (const auto& script : on_hosts) all_finish(script, a_fractional_machine(4));
  }
}
