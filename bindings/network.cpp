// Network (api 3.6).  No machine of this version has them: every call says so.

#include <array>

#include "bindings/families.hpp"

namespace berth::bindings {

namespace {

int absent(lua_State* lua) { return luaL_error(lua, "this machine has no network"); }

constexpr std::array kPrimitives{
    Primitive{"embed", "job: Job, options?: table", "Placement?, refusal? why",
              "Where the job could sit with its bandwidth guaranteed.",
              "not pcall(cluster.network.embed, cluster.network)", absent},
    Primitive{"empty_embeds", "job: Job", "boolean",
              "Whether the empty network would take it.",
              "not pcall(cluster.network.empty_embeds, cluster.network)", absent},
    Primitive{"slots", "", "integer", "Slots of the machine.",
              "not pcall(cluster.network.slots, cluster.network)", absent},
    Primitive{"idle_slots", "", "integer", "Slots that are free.",
              "not pcall(cluster.network.idle_slots, cluster.network)", absent},
    Primitive{"max_bandwidth", "", "number",
              "Largest request that has arrived, in Mb/s.",
              "not pcall(cluster.network.max_bandwidth, cluster.network)", absent},
    Primitive{"link_rate", "", "number", "Rate of a server link, in Mb/s.",
              "not pcall(cluster.network.link_rate, cluster.network)", absent},
};

}  // namespace

std::span<const Primitive> network_primitives() { return kPrimitives; }

}  // namespace berth::bindings
