#pragma once
// Placements that a policy may hand to start, kept until the decision is over.

#include "bindings/value.hpp"

namespace berth::bindings {

// Keeps a placement that was made for this job.  Its memory, `bytes`, counts until the
// decision is over: once this has returned, the caller tells Guard::hold of it.
void keep_proposal(lua_State* lua, JobId job, Placement placement, std::size_t bytes);
// Pushes the handle of the one kept last.
int push_last_proposal(lua_State* lua);
// Raises for a handle of an earlier decision.
[[nodiscard]] const Proposal& read_proposal(lua_State* lua, int at);

}  // namespace berth::bindings
