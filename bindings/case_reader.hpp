#pragma once
// Reads the list of cases that a file of cases returned.

#include <lua.hpp>
#include <string>
#include <vector>

#include "bindings/policy_cases.hpp"

namespace berth::bindings {

// The list on top of the stack.  Throws as TableReader: call within run_reader.
void read_cases(lua_State* lua, const std::string& file, const CaseSettings& settings,
                std::vector<PolicyCase>& cases);

}  // namespace berth::bindings
