#pragma once
// Built-in policies for tests.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/lua_policy.hpp"

namespace berth::test {

// policies/NAME.lua of the source tree.
[[nodiscard]] bindings::PolicyFile policy_file(const std::string& name);
// The library that `require` finds in policies/lib.
[[nodiscard]] std::optional<bindings::LoadedSource> policy_library(
    std::string_view name);
// tests/policies/NAME.test.lua.
[[nodiscard]] bindings::PolicyFile policy_cases_file(const std::string& name);
[[nodiscard]] std::unique_ptr<bindings::LuaPolicy> lua_policy(
    const std::string& name, std::map<std::string, std::string> parameters = {});
// A policy from its text.
[[nodiscard]] std::unique_ptr<bindings::LuaPolicy> policy_of(const std::string& text);
// The names of all built-in policies, sorted.
[[nodiscard]] std::vector<std::string> policy_names();

}  // namespace berth::test
