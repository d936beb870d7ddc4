#pragma once
// One decision of a Lua policy on an idle machine of four processors: job 1 (2
// processors, user 7) and job 2 (4 processors) wait, both submitted at 0 with a
// walltime of 60 s and of a length of 30 s.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "engine/base/error.hpp"
#include "engine/sim/simulation.hpp"
#include "tests/support/builders.hpp"

namespace berth::test {

[[nodiscard]] inline std::vector<Job> two_jobs() {
  std::vector jobs{a_job(1, 0, 2, 30, 60), a_job(2, 0, 4, 30, 60)};
  jobs[0].user = 7;
  return jobs;
}

// What a policy printed, and the error that ended its run ("" if none).
struct Played {
  std::string printed;
  std::string error;
  ErrorCode code = ErrorCode::kDefect;
  std::int64_t crossings = 0;

  [[nodiscard]] bool fails_with(std::string_view part) const {
    return error.find(part) != std::string::npos;
  }
};

// Runs the policy file over the jobs, to the end.
[[nodiscard]] inline Played play(const std::string& text,
                                 const std::vector<Job>& jobs = two_jobs(),
                                 const TestMachine& machine = a_machine(4),
                                 bindings::PolicyOptions options = {},
                                 sim::Observer* watcher = nullptr) {
  Played said;
  options.print = [&said](std::string_view line) {
    said.printed += std::string(line) + "\n";
  };
  try {
    bindings::LuaPolicy policy({"test", "test.lua", text}, options);
    sim::Settings settings;
    settings.shares.emplace();
    sim::Simulation simulation(machine, settings, jobs, policy,
                               make_model(machine, jobs));
    if (watcher != nullptr) simulation.audience().observe(*watcher);
    (void)simulation.advance(kNever);
    simulation.finish();
    said.crossings = policy.crossings();
  } catch (const Error& error) {
    said.error = error.what();
    said.code = error.code();
  }
  return said;
}

// A policy that runs `body` once, at its first decision.
[[nodiscard]] inline std::string once(const std::string& body) {
  return "local done = false\nreturn { orders = { widest = function(job) return "
         "-job.size "
         "end }, schedule = function(queue, cluster)\nif done then return end done = "
         "true\n"
         "local job = queue:head()\n" +
         body + "\nend }";
}

}  // namespace berth::test
