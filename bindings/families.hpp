#pragma once
// The families of primitives: what a policy can reach, one record list each.

#include <span>

#include "bindings/primitive.hpp"

namespace berth::bindings {

// All of them, in the order of the reference.
[[nodiscard]] std::span<const Family> families();

// One each, defined beside its functions.
[[nodiscard]] std::span<const Primitive> job_primitives();
[[nodiscard]] std::span<const Primitive> view_primitives();
[[nodiscard]] std::span<const Primitive> cluster_primitives();
[[nodiscard]] std::span<const Primitive> plan_primitives();
[[nodiscard]] std::span<const Primitive> book_primitives();
[[nodiscard]] std::span<const Primitive> tiers_primitives();
[[nodiscard]] std::span<const Primitive> network_primitives();
[[nodiscard]] std::span<const Primitive> packing_primitives();
[[nodiscard]] std::span<const Primitive> shares_primitives();

// Pushes the declared use of a process of a job, arguments from `at` on: job, process
// counted from 1.  Raises on a machine without tiers.
int push_use_of(lua_State* lua, int at);

}  // namespace berth::bindings
