#pragma once
// Runs small scripts in a sandbox and tells how that ended.

#include <lua.hpp>
#include <string>
#include <string_view>

#include "bindings/sandbox/sandbox.hpp"

namespace berth::test {

// 0.2 s and 64 MiB.
[[nodiscard]] bindings::Limits quick_limits();
// The same with 60 s: time is not what the test is about.
[[nodiscard]] bindings::Limits patient_limits();
// As quick_limits without a clock, and counted work.
[[nodiscard]] bindings::Limits counted_limits(std::int64_t units);

struct ScriptOutcome {
  int exit = 0;         // as the command line would give it
  std::string message;  // of the error that ended it; empty: it went well
  std::string printed;  // lines, each with its newline
  bindings::Usage usage;

  [[nodiscard]] std::string first_line() const {
    return message.substr(0, message.find('\n'));
  }
  [[nodiscard]] bool says(std::string_view part) const {
    return message.find(part) != std::string::npos;
  }
};

// Loads the text as "t.lua".
[[nodiscard]] ScriptOutcome load(std::string_view script,
                                 const bindings::Limits& limits = patient_limits());
// Loads the body of a function, and calls it as `schedule` of three decisions, each
// with two locked tables as its arguments.
[[nodiscard]] ScriptOutcome decide(std::string_view body,
                                   const bindings::Limits& limits = quick_limits());
// Loads a whole policy under the given name, then makes three decisions.
[[nodiscard]] ScriptOutcome run_policy_text(std::string_view name,
                                            std::string_view text,
                                            const bindings::Limits& limits);

// What `print(...)` shows of the expressions; an error as its first line.
[[nodiscard]] std::string shown(std::string_view expressions);

// A body for Sandbox::enter: one call of `schedule` as above.
int call_schedule(lua_State* lua);

}  // namespace berth::test
