#pragma once
// What members outside of `cluster.tiers` need to know of machines with two tiers.

#include <vector>

#include "bindings/value.hpp"
#include "engine/hosts/sharing_model.hpp"

namespace berth::bindings {

[[nodiscard]] bool has_tiers(const SharingModel& model);

// Appends the jobs that run in the background, by (submit, id).
void append_background(sim::Simulation& machine, std::vector<JobId>& jobs);

// The members of the order that fit the usable background slots.  Raises on a machine
// without tiers.
int push_fitting_background(lua_State* lua, std::size_t order);

// Pushes the declared use of a process of a job; its arguments job and process (counted
// from 1) start at stack index `at`.  Raises on a machine without tiers.
int push_declared_use(lua_State* lua, int at);

}  // namespace berth::bindings
