// A pass over 10,000 waiting jobs whose keys are computed anew (WFP3, Tang et al.
// 2009), against a plain sort of them in C++ that calls the same function in a bare Lua
// state.
//
// bench_keys [REPEATS] : medians of that many interleaved runs, 7 unless given.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <lua.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "bench/interleaved.hpp"
#include "bindings/lua_policy.hpp"
#include "engine/models/sharing_models.hpp"
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

// Passes of the engine, one a second once all jobs are there; submits make none before.
double engine_seconds(const std::vector<Job>& jobs) {
  const auto text = fmt::format(
      "return {{ passes = 'when_a_job_fits', order = 'wfp3', orders = {{ wfp3 = {{ "
      "refresh = 'every_pass', key = {} }} }}, schedule = function(queue, cluster) "
      "cluster:start_all(queue:fitting()) cluster:wake_at(math.max({}, cluster:now() + "
      "1)) end }}",
      kKey, after_all() / kSecond);
  bindings::LuaPolicy policy({"keys", "keys.lua", text}, {});
  sim::Machine machine;
  machine.processors = kProcessors;
  sim::Simulation simulation(machine, {}, jobs, policy,
                             model_of(machine).make({machine, jobs, {}, 0}));
  (void)simulation.advance(after_all() - kSecond);
  const double begin = bench::cpu_seconds();
  (void)simulation.advance(after_all() + seconds(kPasses - 1));
  return bench::cpu_seconds() - begin;
}

struct Close {
  void operator()(lua_State* lua) const { lua_close(lua); }
};

// The jobs as a list of tables, the key and the cluster, at 1, 2 and 3.
void prepare(lua_State* lua, const std::vector<Job>& jobs) {
  luaL_openlibs(lua);
  lua_createtable(lua, static_cast<int>(jobs.size()), 0);
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    lua_createtable(lua, 0, 3);
    lua_pushnumber(lua, to_seconds(jobs[i].submit));
    lua_setfield(lua, -2, "submit");
    lua_pushnumber(lua, to_seconds(jobs[i].walltime));
    lua_setfield(lua, -2, "walltime");
    lua_pushinteger(lua, jobs[i].size);
    lua_setfield(lua, -2, "size");
    lua_rawseti(lua, 1, static_cast<lua_Integer>(i));
  }
  const auto chunk =
      fmt::format("time = 0 return {}, {{ now = function() return time end }}", kKey);
  if (luaL_dostring(lua, chunk.c_str()) != LUA_OK) std::abort();
}

double plain_seconds(const std::vector<Job>& jobs) {
  const std::unique_ptr<lua_State, Close> state(luaL_newstate());
  auto* lua = state.get();
  prepare(lua, jobs);
  std::vector<std::pair<double, std::size_t>> keys(jobs.size() - 1);
  const double begin = bench::cpu_seconds();
  for (std::int64_t pass = 0; pass < kPasses; ++pass) {
    lua_pushnumber(lua, to_seconds(after_all() + seconds(pass)));
    lua_setglobal(lua, "time");
    for (std::size_t i = 0; i < keys.size(); ++i) {
      lua_pushvalue(lua, 2);
      lua_rawgeti(lua, 1, static_cast<lua_Integer>(i + 1));
      lua_pushvalue(lua, 3);
      if (lua_pcall(lua, 2, 1, 0) != LUA_OK) std::abort();
      keys[i] = {lua_tonumber(lua, -1), i};
      lua_pop(lua, 1);
    }
    std::sort(keys.begin(), keys.end());
  }
  return bench::cpu_seconds() - begin;
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
    engine.push_back(engine_seconds(jobs));
    plain.push_back(plain_seconds(jobs));
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
