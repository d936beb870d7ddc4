// Shares (api 3.8).  No machine of this version has them: every call says so.

#include <array>

#include "bindings/families.hpp"

namespace berth::bindings {

namespace {

int absent(lua_State* lua) { return luaL_error(lua, "this machine has no shares"); }

constexpr std::array kPrimitives{
    Primitive{"usage", "user: integer", "number", "Decayed use of a user.",
              "not pcall(cluster.shares.usage, cluster.shares)", absent},
    Primitive{"weight", "user: integer", "number", "Share weight of a user.",
              "not pcall(cluster.shares.weight, cluster.shares)", absent},
    Primitive{"rank", "user: integer", "integer", "Place of a user by use and weight.",
              "not pcall(cluster.shares.rank, cluster.shares)", absent},
};

}  // namespace

std::span<const Primitive> shares_primitives() { return kPrimitives; }

}  // namespace berth::bindings
