#pragma once
// Kinds of resource as policies name and see them: by name or by number from 1; memory
// in GiB, every other kind as a count.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "bindings/value.hpp"
#include "engine/sim/world.hpp"

namespace berth::bindings {

// How many kinds the machine has.
[[nodiscard]] std::size_t kind_count(const sim::World& world);
// The index of a kind, by name or by number from 1; raises with the nearest name.
std::size_t read_kind(lua_State* lua, int at);
// The same; processors if there is no argument.
std::size_t read_kind_if_any(lua_State* lua, int at);
[[nodiscard]] std::string_view kind_name(const sim::World& world, std::size_t kind);
// Of the whole machine.
[[nodiscard]] std::int64_t capacity_of(const sim::World& world, std::size_t kind);
// How much of the kind the hosts that are up have together, less what windows that have
// begun have of it.
[[nodiscard]] std::int64_t up_of(const sim::World& world, std::size_t kind);
// When a host that is down is expected back; nullopt: it is up.  O(running jobs).
[[nodiscard]] std::optional<Time> expected_back(const sim::World& world,
                                                std::int32_t host);
[[nodiscard]] std::int64_t idle_of(const sim::World& world, std::size_t kind);
// Of a job, in all.
[[nodiscard]] std::int64_t need_of(const sim::World& world, JobId job,
                                   std::size_t kind);
// A host by its number; raises where the machine has none of it.
// REQUIRES: a machine with hosts.
std::int32_t read_host(lua_State* lua, int at);
// Pushes an amount in the unit that policies see.
int push_amount(lua_State* lua, std::size_t kind, std::int64_t amount);

}  // namespace berth::bindings
