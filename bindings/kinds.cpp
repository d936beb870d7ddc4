#include "bindings/kinds.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "engine/base/memory.hpp"
#include "engine/base/spelling.hpp"
#include "engine/hosts/machine_windows.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/sim/machine.hpp"

namespace berth::bindings {

namespace {

constexpr std::string_view kProcessors = "processors";

[[noreturn]] void unknown_kind(lua_State* lua, int at) {
  const auto& world = simulation(lua).world();
  if (kind_count(world) == 1) {
    bad_argument(lua, at,
                 "this machine has one kind of resource: \"processors\", number 1");
  }
  if (lua_type(lua, at) != LUA_TSTRING) {
    bad_argument(
        lua, at,
        lua_pushfstring(lua, "a kind of resource expected: its name, or 1 to %I",
                        static_cast<lua_Integer>(kind_count(world))));
  }
  std::array<std::string_view, kMostKinds> names;
  for (std::size_t kind = 0; kind < kind_count(world); ++kind) {
    names[kind] = kind_name(world, kind);
  }
  const auto known = std::span(names).first(kind_count(world));
  const auto asked = read_text(lua, at);
  auto near = nearest(asked, known);
  if (near.empty()) near = known.back();
  const char* shown = push_short(lua, asked);
  push_string(lua, near);
  bad_argument(lua, at,
               lua_pushfstring(lua, "there is no kind '%s' (did you mean '%s'?)", shown,
                               lua_tostring(lua, -1)));
}

// The number of a job of the system; nullopt: it is another.
std::optional<std::int32_t> system_number(const sim::World& world, JobId job) {
  if (!world.jobs().is_of_system(job)) return std::nullopt;
  return static_cast<std::int32_t>(index(job) - world.jobs().size());
}

}  // namespace

std::size_t kind_count(const sim::World& world) {
  const auto* machine = world.hosts().kinds();
  return machine == nullptr ? 1 : machine->kinds().size();
}

std::string_view kind_name(const sim::World& world, std::size_t kind) {
  const auto* machine = world.hosts().kinds();
  return machine == nullptr ? kProcessors : machine->kinds()[kind].name;
}

std::size_t read_kind(lua_State* lua, int at) {
  const auto& world = simulation(lua).world();
  if (lua_type(lua, at) == LUA_TNUMBER) {
    int is_whole = 0;
    const auto number = lua_tointegerx(lua, at, &is_whole);
    const bool right = is_whole != 0 && number >= 1 &&
                       static_cast<std::size_t>(number) <= kind_count(world);
    if (right) return static_cast<std::size_t>(number - 1);
  } else if (lua_type(lua, at) == LUA_TSTRING) {
    const auto asked = read_text(lua, at);
    for (std::size_t kind = 0; kind < kind_count(world); ++kind) {
      if (kind_name(world, kind) == asked) return kind;
    }
  }
  unknown_kind(lua, at);
}

std::size_t read_kind_if_any(lua_State* lua, int at) {
  return lua_isnoneornil(lua, at) ? 0 : read_kind(lua, at);
}

std::int64_t capacity_of(const sim::World& world, std::size_t kind) {
  const auto* machine = world.hosts().kinds();
  return machine == nullptr ? world.machine().processors
                            : machine->kinds()[kind].capacity;
}

namespace {

// A host that drains is not up, even where jobs still hold all of it.
std::int64_t on_up_hosts(const sim::World& world, std::size_t kind) {
  auto up = capacity_of(world, kind);
  if (!world.machine().life.has_failures()) return up;
  const auto* machine = world.hosts().kinds();
  const bool are_hosts = machine != nullptr && machine->room().hosts() > 0;
  for (const auto& each : world.running().releases(world.now())) {
    const auto host = system_number(world, each.job);
    if (host) up -= are_hosts ? machine->size_on(*host, kind) : 1;
  }
  return up;
}

// Counts what the window has of a kind, on its hosts that are up.
std::int64_t part_of(const sim::World& world, const MachineWindow& window,
                     std::size_t kind) {
  if (window.hosts.empty()) return window.processors;
  std::int64_t part = 0;
  for (const auto host : window.hosts) {
    world.decision().budget.charge();
    if (expected_back(world, host)) continue;
    part += world.hosts().kinds()->size_on(host, kind);
  }
  return part;
}

}  // namespace

std::int64_t up_of(const sim::World& world, std::size_t kind) {
  const auto* machine = world.hosts().kinds();
  if (kind != 0 && !machine->kinds()[kind].is_on_hosts) return capacity_of(world, kind);
  auto up = on_up_hosts(world, kind);
  if (world.machine().life.windows == nullptr) return up;
  for (const auto& window : *world.machine().life.windows) {
    if (window.has_begun(world.now())) up -= part_of(world, window, kind);
  }
  return std::max(std::int64_t{0}, up);
}

std::optional<Time> expected_back(const sim::World& world, std::int32_t host) {
  for (const auto& each : world.running().releases(world.now())) {
    if (system_number(world, each.job) == host) return each.at;
  }
  return std::nullopt;
}

std::int64_t idle_of(const sim::World& world, std::size_t kind) {
  const auto* machine = world.hosts().kinds();
  if (machine != nullptr) return machine->room().free(kind);
  return world.hosts().idle();
}

std::int64_t need_of(const sim::World& world, JobId job, std::size_t kind) {
  const auto* machine = world.hosts().kinds();
  return machine == nullptr ? world.jobs().job(job).size
                            : machine->need_in_all(job, kind);
}

int push_amount(lua_State* lua, std::size_t kind, std::int64_t amount) {
  const auto& world = simulation(lua).world();
  if (kind != 0 && kind_name(world, kind) == "memory") {
    lua_pushnumber(lua, gib_of(amount));
  } else {
    lua_pushinteger(lua, amount);
  }
  return 1;
}

}  // namespace berth::bindings
