#include "bindings/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "bindings/arguments.hpp"
#include "bindings/call_profile.hpp"
#include "bindings/machine_calls.hpp"
#include "bindings/tools/frame.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/sim/world.hpp"

namespace berth::bindings {

namespace {

std::vector<Family> all_families() {
  std::vector<Family> all{
      {"Job", "job", "A job: a small read-only value.", job_primitives()},
      {"View", "queue", "An ordered set of jobs: the queue and its other orders.",
       view_primitives()},
      {"Cluster", "cluster", "The machine, and what a policy can do to it.",
       cluster_primitives()},
      {"Plan", "plan", "When a job could start, and what is left over then.",
       plan_primitives()},
      {"Book", "book", "Reservations kept between decisions.", book_primitives()}};
  for (const auto& calls : machine_calls()) {
    all.insert(all.end(), calls.objects.begin(), calls.objects.end());
  }
  all.push_back(
      {"Run", "run",
       "What `check` and `holds` of a case are given: the run that a metric is "
       "given, ToolRun, with whole levels, and these members besides.",
       run_primitives(), nullptr, "ToolRun"});
  // From here on: families that only some machines, or workloads, have.
  for (const auto& calls : machine_calls()) {
    all.insert(all.end(), calls.families.begin(), calls.families.end());
  }
  all.push_back(
      {"Shares", "cluster.shares",
       "What users have been charged, and their weights (workloads that name users).",
       shares_primitives(),
       [](const sim::World& world) { return world.shares() != nullptr; }});
  all.push_back({"Hosts", "cluster.hosts",
                 "Hosts with processors, memory and other kinds (machines with hosts).",
                 hosts_primitives(), [](const sim::World& world) {
                   const auto* machine = world.hosts().kinds();
                   return machine != nullptr && machine->room().hosts() > 0;
                 }});
  return all;
}

const Family& upvalue_family(lua_State* lua) {
  return *static_cast<const Family*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

// Adds the part of the cluster that the key names to its table; false: it names none.
bool push_part(lua_State* lua) {
  if (lua_type(lua, 2) != LUA_TSTRING) return false;
  const auto parts = border(lua).families;
  const auto part = std::find_if(parts.begin(), parts.end(), [&](const auto& each) {
    return each.name() == read_text(lua, 2);
  });
  if (part == parts.end()) return false;
  push_family(lua, *part);
  lua_pushvalue(lua, 2);
  lua_pushvalue(lua, -2);
  lua_rawset(lua, 1);
  return true;
}

int family_index(lua_State* lua) {
  const auto& family = upvalue_family(lua);
  if (family.reach == "queue" && lua_type(lua, 2) == LUA_TNUMBER) no_list(lua);
  if (family.reach == "cluster" && push_part(lua)) return 1;
  const char* other = family.reach == "queue" ? "cluster" : "queue";
  const bool is_argument = family.reach == "queue" || family.reach == "cluster";
  const bool is_text = lua_type(lua, 2) == LUA_TSTRING;
  if (is_argument && is_text && has_member(other, read_text(lua, 2))) {
    luaL_error(lua, "%s has no member '%s', but %s has: schedule gets (queue, cluster)",
               family.reach.data(), lua_tostring(lua, 2), other);
  }
  Names known(family.primitives);
  if (family.reach == "cluster") {
    for (const auto& part : border(lua).families) known.add(part.name());
  }
  unknown_member(lua, 2, family.reach.data(), known);
}

// Calls a primitive of a family that only some machines have.  Upvalues: the family,
// the primitive, the family's table, and whether the machine is known to have the
// family.
int call_on_machine(lua_State* lua) {
  ++border(lua).crossings;
  const auto& family = upvalue_family(lua);
  if (lua_toboolean(lua, lua_upvalueindex(4)) == 0) {
    if (!family.serves(simulation(lua).world())) no_family(lua, family.name());
    lua_pushboolean(lua, 1);
    lua_replace(lua, lua_upvalueindex(4));
  }
  require_self(lua, lua_touserdata(lua, lua_upvalueindex(3)), family.reach.data());
  return lua_tocfunction(lua, lua_upvalueindex(2))(lua);
}

// The name of the primitive with this function, if one of the families has it.
const char* name_in(std::span<const Family> all, lua_CFunction call) {
  for (const auto& family : all) {
    for (const auto& primitive : family.primitives) {
      if (primitive.call == call) return primitive.name.data();
    }
  }
  return nullptr;
}

void push_new_family(lua_State* lua, const Family& family) {
  // Room for twice as many: fewer names collide.
  lua_createtable(lua, 0, 2 * static_cast<int>(family.primitives.size()));
  const void* table = lua_topointer(lua, -1);
  for (const auto& primitive : family.primitives) {
    if (primitive.form() != Form::kMethod) continue;
    push_string(lua, primitive.name);
    push_method(lua, family, primitive, table);
    lua_rawset(lua, -3);
  }
  lua_pushlightuserdata(lua, const_cast<Family*>(&family));
  lua_pushcclosure(lua, family_index, 1);
  close_table(lua);
}

}  // namespace

std::span<const Family> families() {
  static const auto kFamilies = all_families();
  return kFamilies;
}

bool has_member(std::string_view reach, std::string_view name) {
  const auto all = families();
  const auto family = std::find_if(
      all.begin(), all.end(), [&](const auto& each) { return each.reach == reach; });
  if (family == all.end()) return false;
  const auto members = family->primitives;
  return std::any_of(members.begin(), members.end(),
                     [&](const auto& member) { return member.name == name; });
}

std::span<const Family> machine_families() {
  const auto all = families();
  const auto first = std::find_if(all.begin(), all.end(), [](const auto& family) {
    return family.serves != nullptr;
  });
  return all.subspan(static_cast<std::size_t>(first - all.begin()));
}

void push_method(lua_State* lua, const Family& family, const Primitive& primitive,
                 const void* table) {
  const auto* of_policy = border_of_policy(lua);
  auto* profile = of_policy == nullptr ? nullptr : of_policy->profile;
  const bool is_common = family.serves == nullptr;
  if (is_common && profile == nullptr) return lua_pushcfunction(lua, primitive.call);
  lua_pushlightuserdata(lua, const_cast<Family*>(&family));
  lua_pushcfunction(lua, primitive.call);
  lua_pushlightuserdata(lua, const_cast<void*>(table));
  lua_pushboolean(lua, 0);
  if (profile == nullptr) return lua_pushcclosure(lua, call_on_machine, 4);
  auto& counted = profile->method(fmt::format("{}:{}", family.reach, primitive.name),
                                  is_common ? primitive.call : call_on_machine);
  lua_pushlightuserdata(lua, &counted);
  lua_pushcclosure(lua, timed_call, 5);
}

const char* primitive_name(lua_State* lua) {
  lua_CFunction call = method_of(lua);
  std::span<const Family> among = families();
  if (call == call_on_machine) {
    lua_getupvalue(lua, -1, 2);
    call = lua_tocfunction(lua, -1);
    lua_getupvalue(lua, -2, 1);
    among = {static_cast<const Family*>(lua_touserdata(lua, -1)), 1};
    lua_pop(lua, 2);
  }
  lua_pop(lua, 1);
  const char* name = name_in(among, call);
  if (name == nullptr) name = name_in(tool_families(), call);
  return name == nullptr ? "?" : name;
}

void push_family(lua_State* lua, const Family& family) {
  if (lua_rawgetp(lua, LUA_REGISTRYINDEX, &family) != LUA_TNIL) return;
  lua_pop(lua, 1);
  push_new_family(lua, family);
  lua_pushvalue(lua, -1);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, &family);
}

}  // namespace berth::bindings
