// Two tiers (api 3.5).  No machine of this version has them: every call says so.

#include <array>

#include "bindings/families.hpp"

namespace berth::bindings {

namespace {

int absent(lua_State* lua) { return luaL_error(lua, "this machine has no tiers"); }

constexpr std::array kPrimitives{
    Primitive{"candidates", "", "View", "Queue plus background jobs, by (submit, id).",
              "not pcall(cluster.tiers.candidates, cluster.tiers)", absent},
    Primitive{"start_background", "job: Job", "true?, refusal? why",
              "A waiting job onto usable background slots.",
              "not pcall(cluster.tiers.start_background, cluster.tiers)", absent},
    Primitive{"swap", "job: Job, room?: Processors", "true?, refusal? why",
              "To the foreground in place.",
              "not pcall(cluster.tiers.swap, cluster.tiers)", absent},
    Primitive{"restart", "job: Job, room?: Processors", "true?, refusal? why",
              "To the foreground elsewhere, from the beginning.",
              "not pcall(cluster.tiers.restart, cluster.tiers)", absent},
    Primitive{"migrate", "job: Job, room?: Processors", "true?, refusal? why",
              "To the foreground elsewhere, frozen for the migration cost.",
              "not pcall(cluster.tiers.migrate, cluster.tiers)", absent},
    Primitive{"freeze", "job: Job", "seconds",
              "How long it would stand still if moved up now.",
              "not pcall(cluster.tiers.freeze, cluster.tiers)", absent},
    Primitive{"reserve", "job: Job", "Plan?, refusal? why",
              "As cluster:reserve, with a background job pinned to its processors.",
              "not pcall(cluster.tiers.reserve, cluster.tiers)", absent},
    Primitive{"use", "job: Job, i: integer", "number?",
              "Declared processor use of process i; nil if unknown.",
              "not pcall(cluster.tiers.use, cluster.tiers)", absent},
    Primitive{"above", "job: Job, i: integer", "number?",
              "Declared use of the foreground process above process i; nil if unknown.",
              "not pcall(cluster.tiers.above, cluster.tiers)", absent},
};

}  // namespace

std::span<const Primitive> tiers_primitives() { return kPrimitives; }

}  // namespace berth::bindings
