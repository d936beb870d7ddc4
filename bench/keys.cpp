// A pass over 10,000 waiting jobs whose keys are computed anew (WFP3, Tang et al.
// 2009), against a plain sort of them in C++ that calls the same function in a bare Lua
// state.
//
// bench_keys [REPEATS] : medians of that many interleaved runs, 7 unless given.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/interleaved.hpp"
#include "bindings/lua_policy.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/sim/settings.hpp"
#include "engine/sim/simulation.hpp"

using namespace berth;

namespace {

constexpr double kGoal = 3;
constexpr std::int64_t kWaiting = 10'000;
constexpr std::int64_t kPasses = 50;
constexpr std::int32_t kProcessors = 1024;
constexpr const char* kKey =
    "function(job, cluster)\n"
    "  local waited = cluster:now() - job.submit\n"
    "  return -(waited / math.max(job.walltime, 1)) ^ 3 * job.size\n"
    "end";

// The first job holds the machine, the others wait.
std::vector<Job> waiting_jobs() {
  auto jobs = bench::backlog(kWaiting, 0).jobs;
  std::vector<Job> out(1);
  out.front().size = kProcessors;
  out.front().length = out.front().walltime = seconds(1'000'000);
  std::int64_t id = 1;
  for (Job& job : jobs) {
    job.id = ++id;
    job.submit = seconds(id);
    out.push_back(job);
  }
  return out;
}

Duration after_all() { return seconds(kWaiting + 2); }

// Ages the jobs; a pass a second once all of them are there, and none before.
std::string script() {
  return fmt::format(
      "return {{ passes = 'when_a_job_fits', order = 'wfp3', orders = {{ wfp3 = {{ "
      "refresh = 'every_pass', key = {} }} }}, schedule = function(queue, cluster) "
      "cluster:start_all(queue:fitting()) cluster:wake_at(math.max({}, cluster:now() + "
      "1)) end }}",
      kKey, after_all() / kSecond);
}

struct Turn {
  double engine = 0;  // seconds
  double plain = 0;
};

Turn turn(const std::vector<Job>& jobs) {
  bindings::LuaPolicy policy({"keys", "keys.lua", script()}, {});
  sim::Machine machine;
  machine.processors = kProcessors;
  sim::Simulation simulation(machine, {}, jobs, policy,
                             model_of(machine).make({machine, jobs, {}, 0}));
  (void)simulation.advance(after_all() - kSecond);
  Turn out;
  const double begin = bench::cpu_seconds();
  (void)simulation.advance(after_all() + seconds(kPasses - 1));
  out.engine = bench::cpu_seconds() - begin;

  std::vector<JobId> waiting;
  for (std::uint32_t i = 1; i < jobs.size(); ++i) waiting.push_back(JobId{i});
  std::vector<double> keys(waiting.size());
  std::vector<Place> line(waiting.size());
  for (std::int64_t pass = 0; pass < kPasses; ++pass) {
    policy.keys(simulation, 0, waiting, keys);
    for (std::size_t i = 0; i < keys.size(); ++i) line[i] = {keys[i], waiting[i]};
    std::sort(line.begin(), line.end());
  }
  out.plain = bench::cpu_seconds() - begin - out.engine;
  return out;
}

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 7;
  if (repeats < 1) {
    fmt::print(stderr, "bench_keys [REPEATS]: at least 1\n");
    return 2;
  }
  const auto jobs = waiting_jobs();
  std::vector<double> engine;
  std::vector<double> plain;
  for (int i = 0; i < repeats; ++i) {
    const auto measured = turn(jobs);
    engine.push_back(measured.engine);
    plain.push_back(measured.plain);
  }
  constexpr double kEach = 1e9 / static_cast<double>(kPasses * kWaiting);
  fmt::print("{:<44} {:>10} / {:<6}\n", "", "measured", "goal");
  fmt::print("{:<44} {:>10.3f} / {:<6.2f}\n",
             "pass with 10,000 keys anew / a plain sort",
             bench::median_ratio(engine, plain), kGoal);
  fmt::print("  ({:.0f} ns / {:.0f} ns a key)\n", bench::median(engine) * kEach,
             bench::median(plain) * kEach);
  return 0;
}
