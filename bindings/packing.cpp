// Packing (api 3.7).  No machine of this version has them: every call says so.

#include <array>

#include "bindings/families.hpp"

namespace berth::bindings {

namespace {

int absent(lua_State* lua) { return luaL_error(lua, "this machine has no packing"); }

constexpr std::array kPrimitives{
    Primitive{"mcb", "jobs: Job[], options?: table", "Packing?, refusal? why",
              "Multi-capacity bin packing, largest smallest yield.",
              "not pcall(cluster.packing.mcb, cluster.packing)", absent},
    Primitive{"greedy", "jobs: Job[], options?: table", "Packing?, refusal? why",
              "Job by job onto the least loaded host.",
              "not pcall(cluster.packing.greedy, cluster.packing)", absent},
    Primitive{"rounding", "jobs: Job[], options?: table", "Packing?, refusal? why",
              "Randomised rounding of the relaxed program.",
              "not pcall(cluster.packing.rounding, cluster.packing)", absent},
    Primitive{"exact", "jobs: Job[], options?: table", "Packing?, number? gap",
              "The mixed integer program.",
              "not pcall(cluster.packing.exact, cluster.packing)", absent},
    Primitive{"bound", "jobs: Job[]", "number", "The yield that no packing exceeds.",
              "not pcall(cluster.packing.bound, cluster.packing)", absent},
    Primitive{"adapt", "jobs: Job[], options: table", "Packing?, refusal? why",
              "A packing near the present one.",
              "not pcall(cluster.packing.adapt, cluster.packing)", absent},
    Primitive{"raise_average", "packing: Packing", "Packing",
              "The same with raised yields.",
              "not pcall(cluster.packing.raise_average, cluster.packing)", absent},
    Primitive{"apply", "packing: Packing", "true?, refusal? why",
              "Starts, migrations and shares in one atomic step.",
              "not pcall(cluster.packing.apply, cluster.packing)", absent},
};

}  // namespace

std::span<const Primitive> packing_primitives() { return kPrimitives; }

}  // namespace berth::bindings
