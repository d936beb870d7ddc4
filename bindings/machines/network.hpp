#pragma once
// What members outside of `cluster.network` need to know of machines with a network.

#include <cstdint>
#include <string>

#include "bindings/value.hpp"
#include "engine/base/placement.hpp"
#include "engine/hosts/sharing_model.hpp"

namespace berth::bindings {

[[nodiscard]] bool has_network(const SharingModel& model);

// The placement that the handle at this index stands for; raises for one of an earlier
// decision.  REQUIRES: is_kind(lua, at, Kind::kPlacement).
[[nodiscard]] const Proposal* read_placement(lua_State* lua, int at);

// Keeps a placement until the decision is over; the bytes to hold for it.
[[nodiscard]] std::size_t keep_placement(lua_State* lua, JobId job,
                                         Placement placement);
// Pushes the handle of the placement kept last.
void push_last_placement(lua_State* lua);

// A member of a placement: arguments handle and key.
int placement_member(lua_State* lua);

// "edge 3"; "switch" where there is no such switch.
[[nodiscard]] std::string switch_text(const Border& border, std::uint64_t number);

}  // namespace berth::bindings
