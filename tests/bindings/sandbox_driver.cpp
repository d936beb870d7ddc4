#include "tests/bindings/sandbox_driver.hpp"

#include <fmt/format.h>

namespace berth::test {

using bindings::Errand;
using bindings::Host;
using bindings::Limits;
using bindings::Sandbox;

namespace {

constexpr int kDecisions = 3;

void push_locked_table(lua_State* lua) {
  lua_newtable(lua);
  lua_newtable(lua);
  lua_pushliteral(lua, "locked");
  lua_setfield(lua, -2, "__metatable");
  lua_setmetatable(lua, -2);
}

template <class Work>
ScriptOutcome outcome_of(const Limits& limits, const Work& work) {
  ScriptOutcome outcome;
  int decision = 0;
  Host host;
  host.print = [&](std::string_view line) {
    outcome.printed += fmt::format("{}\n", line);
  };
  host.where = [&] { return fmt::format("decision {} at t=60", decision); };
  host.describe = [](const void* value) {
    return fmt::format("job {}", reinterpret_cast<std::uintptr_t>(value) / 8);
  };
  Sandbox sandbox(limits, 7, host);
  try {
    work(sandbox, decision);
  } catch (const Error& error) {
    outcome.exit = static_cast<int>(error.code());
    outcome.message = error.what();
  }
  outcome.usage = sandbox.usage();
  return outcome;
}

}  // namespace

Limits quick_limits() {
  Limits limits;
  limits.time_seconds = 0.2;
  limits.memory_mib = 64;
  return limits;
}

Limits patient_limits() {
  Limits limits = quick_limits();
  limits.time_seconds = 60;
  return limits;
}

Limits counted_limits(std::int64_t units) {
  Limits limits = quick_limits();
  limits.time_seconds = 0;
  limits.work_units = units;
  return limits;
}

int call_schedule(lua_State* lua) {
  Sandbox::push_result(lua);
  luaL_checktype(lua, -1, LUA_TTABLE);
  lua_pushliteral(lua, "schedule");
  lua_rawget(lua, -2);
  push_locked_table(lua);
  push_locked_table(lua);
  lua_call(lua, 2, 0);
  return 0;
}

ScriptOutcome load(std::string_view script, const Limits& limits) {
  return outcome_of(limits,
                    [&](Sandbox& sandbox, int&) { sandbox.load("t.lua", script); });
}

ScriptOutcome decide(std::string_view body, const Limits& limits) {
  const std::string text =
      fmt::format("return {{ schedule = function(queue, cluster) {}\nend }}", body);
  return run_policy_text("t.lua", text, limits);
}

ScriptOutcome run_policy_text(std::string_view name, std::string_view text,
                              const Limits& limits) {
  return outcome_of(limits, [&](Sandbox& sandbox, int& decision) {
    sandbox.load(name, text);
    while (decision < kDecisions) {
      ++decision;
      sandbox.enter(call_schedule, nullptr, Errand{"decision", decision});
    }
  });
}

std::string shown(std::string_view expressions) {
  const ScriptOutcome outcome = load(fmt::format("print({})", expressions));
  if (outcome.exit != 0) return outcome.first_line();
  return outcome.printed.substr(0, outcome.printed.size() - 1);
}

}  // namespace berth::test
