#pragma once
// Hand-sized cases for a policy, kept beside it as NAME.test.lua:
//
//   return {
//     { "a short job overtakes", processors = 10, params = { block = false },
//       jobs = { { 0, 6, 6 }, { 1, 2, 4, 10 } },   -- submit, size, length[, walltime]
//       starts = { 0, 1 } },                       -- what each job's start must be
//   }
//
// A job may have `user = 7` besides.  Jobs are numbered from 1 in the order given.  A
// start of false: the job must not start. Optional: `pass`, `ties` and `sharing` as in
// scenarios, `cycle` in seconds, `half_life`, `weights` and `charge` of users, and
// `cpu_use`, one number for every process.  A machine may have `memory` in GiB,
// `resources = { licence = 3 }`, or in place of processors `hosts = { { count = 2,
// processors = 4, memory = 8, gpu = 1 } }`; a job then has `needs = { chunks = 2,
// memory = 1, licence = 1 }` beside its size, as in a file of needs.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/jobs/job.hpp"
#include "engine/sim/settings.hpp"

namespace berth::bindings {

struct PolicyCase {
  std::string name;
  std::int32_t processors = 1;
  std::string sharing = "exclusive";
  std::optional<double> cpu_use;
  std::map<std::string, std::string> parameters;
  Resources resources{};
  std::vector<Job> jobs;
  // Of a side file: by column ("needs.memory") and number of the job.
  std::map<std::string, std::map<std::int64_t, std::vector<double>>> needs{};
  std::vector<std::optional<Time>> starts;  // by job; nullopt: it must not start
  sim::Settings settings;
};

// Throws Error{kPolicy}: the file does not load, or is not such a list.
[[nodiscard]] std::vector<PolicyCase> read_policy_cases(const PolicyFile& file,
                                                        const Limits& limits);

// Runs the case under the policy.  A line for each job whose start differs; empty if
// none does.  Throws as the policy does.
[[nodiscard]] std::string run_policy_case(const PolicyCase& wanted,
                                          const PolicyFile& file,
                                          PolicyOptions options);

}  // namespace berth::bindings
