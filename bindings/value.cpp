#include "bindings/value.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "bindings/network.hpp"
#include "engine/base/error.hpp"
#include "engine/base/spelling.hpp"

namespace berth::bindings {

namespace {

constexpr std::uint64_t kKinds = 8;
// Plans, views and walks: decision * 2^16 + number within it.
constexpr std::uint64_t kPerDecision = 1U << 16U;

void push_handle(lua_State* lua, std::uint64_t number, Kind kind) {
  const auto value = number * kKinds + static_cast<std::uint64_t>(kind);
  lua_pushlightuserdata(lua,
                        reinterpret_cast<void*>(value));  // NOLINT: a number
}

std::size_t bytes_of(const Walk& walk) {
  const auto* snapshot = std::get_if<Snapshot>(&walk);
  return sizeof(Walk) +
         (snapshot == nullptr ? 0 : snapshot->jobs.capacity() * sizeof(JobId));
}

std::uint64_t handle_value(const void* value) {
  return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(value));
}

Kind kind_of(const void* value) {
  return static_cast<Kind>(handle_value(value) % kKinds);
}

const char* kind_name(Kind kind) {
  static constexpr std::array kNames{
      "job", "plan", "view", "selection", "set of processors", "placement", "switch"};
  const auto number = static_cast<std::size_t>(kind);
  return number < kNames.size() ? kNames[number] : "value";
}

std::uint64_t of_decision(lua_State* lua, std::uint64_t number) {
  const auto decision =
      static_cast<std::uint64_t>(simulation(lua).world().decision().number);
  return decision * kPerDecision + number;
}

// The number of a handle of this kind; nullopt for every other value.
std::optional<std::uint64_t> number_of(lua_State* lua, int at, Kind kind) {
  const auto value = handle_value(lua_touserdata(lua, at));
  if (value % kKinds != static_cast<std::uint64_t>(kind)) return std::nullopt;
  // Values that are not handles read as 0 or an address, a multiple of kKinds: a job.
  if (kind == Kind::kJob && !lua_islightuserdata(lua, at)) return std::nullopt;
  return value / kKinds;
}

// The number within the present decision; raises for a handle of an earlier one.
std::uint64_t within_decision(lua_State* lua, std::uint64_t number, const char* what) {
  const auto decision =
      static_cast<std::uint64_t>(simulation(lua).world().decision().number);
  if (number / kPerDecision != decision) {
    luaL_error(lua, "this %s belongs to an earlier decision: make a new one", what);
  }
  return number % kPerDecision;
}

// The name by which the running primitive was called, and whether with a colon.
const char* called_as(lua_State* lua, bool* with_colon) {
  lua_Debug activation{};
  *with_colon = false;
  if (lua_getstack(lua, 0, &activation) == 0) return "?";
  lua_getinfo(lua, "n", &activation);
  *with_colon =
      activation.namewhat != nullptr && std::strcmp(activation.namewhat, "method") == 0;
  return activation.name != nullptr ? activation.name : "?";
}

[[noreturn]] void expected(lua_State* lua, int at, const char* what) {
  if (lua_islightuserdata(lua, at)) {
    const char* got = kind_name(kind_of(lua_touserdata(lua, at)));
    bad_argument(lua, at, lua_pushfstring(lua, "%s expected, got a %s", what, got));
  }
  const char* got = lua_isnoneornil(lua, at) ? "nothing" : luaL_typename(lua, at);
  bad_argument(lua, at, lua_pushfstring(lua, "%s expected, got %s", what, got));
}

int handle_index(lua_State* lua) {
  if (!lua_islightuserdata(lua, 1)) expected(lua, 1, "a handle");
  switch (kind_of(lua_touserdata(lua, 1))) {
    case Kind::kJob: return job_member(lua);
    case Kind::kPlan: return plan_member(lua);
    case Kind::kView: return view_member(lua);
    case Kind::kPlacement: return placement_member(lua);
    case Kind::kWalk:
    case Kind::kSet:
    case Kind::kSwitch: break;
  }
  return luaL_error(lua, "this value has no members");
}

int refuse_write(lua_State* lua) {
  return luaL_error(lua, "values of the engine cannot be changed");
}

int handle_less(lua_State* lua) {
  return lua_pushboolean(lua, read_job(lua, 1) < read_job(lua, 2)), 1;
}

int handle_less_or_equal(lua_State* lua) {
  return lua_pushboolean(lua, read_job(lua, 1) <= read_job(lua, 2)), 1;
}

Walk& walk_of(lua_State* lua, std::uint64_t handle) {
  return border(lua).walks[within_decision(lua, handle, "selection")];
}

int walk_next(lua_State* lua) {
  ++border(lua).crossings;
  const auto handle = number_of(lua, 1, Kind::kWalk);
  if (!handle) return luaL_error(lua, "walk a selection with `for job in ... do`");
  auto& walk = walk_of(lua, *handle);
  push_job(lua, attempt(lua, [&] { return next(walk, simulation(lua)); }));
  return 1;
}

const Family& upvalue_family(lua_State* lua) {
  return *static_cast<const Family*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

int family_index(lua_State* lua) {
  const auto& family = upvalue_family(lua);
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
    if (!family.serves(simulation(lua).hosts())) {
      no_family(lua, family.name());
    }
    lua_pushboolean(lua, 1);
    lua_replace(lua, lua_upvalueindex(4));
  }
  require_self(lua, lua_touserdata(lua, lua_upvalueindex(3)), family.reach.data());
  return lua_tocfunction(lua, lua_upvalueindex(2))(lua);
}

void lock_metatable(lua_State* lua) {
  lua_pushliteral(lua, "locked");
  lua_setfield(lua, -2, "__metatable");
}

}  // namespace

void no_simulation(lua_State* lua) {
  luaL_error(lua, "there is no simulation while a file is loaded");
  std::abort();  // luaL_error does not return
}

// Number 0 is the set of all processors.
void push_room(lua_State* lua, std::optional<sim::PlanId> plan) {
  if (!plan) return push_handle(lua, 0, Kind::kSet);
  if (plan->number + 1 >= kPerDecision)
    luaL_error(lua, "more than 65,535 plans in one decision");
  push_handle(lua, of_decision(lua, plan->number + 1), Kind::kSet);
}

void push_job(lua_State* lua, std::optional<JobId> job) {
  if (job) {
    push_handle(lua, index(*job), Kind::kJob);
  } else {
    lua_pushnil(lua);
  }
}

void push_plan(lua_State* lua, sim::PlanId plan) {
  if (plan.number >= kPerDecision)
    luaL_error(lua, "more than 65,536 plans in one decision");
  push_handle(lua, of_decision(lua, plan.number), Kind::kPlan);
}

void push_view(lua_State* lua, std::size_t order) {
  push_handle(lua, of_decision(lua, order), Kind::kView);
}

void push_number(lua_State* lua, std::uint64_t number, Kind kind) {
  push_handle(lua, number, kind);
}

void push_decision_handle(lua_State* lua, std::size_t number, Kind kind) {
  if (number >= kPerDecision) {
    luaL_error(lua, "more than 65,536 placements in one decision");
  }
  push_handle(lua, of_decision(lua, number), kind);
}

void push_seconds(lua_State* lua, std::optional<Time> time) {
  if (time.value_or(kNever) == kNever) return lua_pushnil(lua);
  lua_pushnumber(lua, to_seconds(*time));
}

void push_string(lua_State* lua, std::string_view text) {
  lua_pushlstring(lua, text.data(), text.size());
}

int push_refusal(lua_State* lua, Refusal refusal) {
  lua_pushnil(lua);
  push_string(lua, name(refusal));
  return 2;
}

std::size_t new_walk(lua_State* lua) {
  auto& shared = border(lua);
  const auto decision = simulation(lua).world().decision().number;
  if (shared.walks_of != decision) {
    shared.walks_used = 0;
    shared.walks_of = decision;
    Guard::of(lua).release(std::exchange(shared.walk_bytes, 0));
  }
  if (shared.walks_used >= kPerDecision) {
    luaL_error(lua, "more than 65,536 selections in one decision");
  }
  if (shared.walks_used == shared.walks.size()) {
    attempt(lua, [&] { shared.walks.emplace_back(Snapshot{}); });
  }
  return shared.walks_used++;
}

int push_walk_number(lua_State* lua, std::size_t number) {
  const std::size_t bytes = bytes_of(border(lua).walks[number]);
  border(lua).walk_bytes += bytes;
  Guard::of(lua).hold(bytes);
  lua_pushcfunction(lua, walk_next);
  push_handle(lua, of_decision(lua, number), Kind::kWalk);
  return 2;
}

std::optional<JobId> next(Walk& walk, sim::Simulation& running) {
  if (auto* selection = std::get_if<sim::Selection>(&walk)) {
    return selection->next(running);
  }
  auto& snapshot = std::get<Snapshot>(walk);
  if (snapshot.next == snapshot.jobs.size()) return std::nullopt;
  return snapshot.jobs[snapshot.next++];
}

bool is_kind(lua_State* lua, int at, Kind kind) {
  return number_of(lua, at, kind).has_value();
}

JobId read_job(lua_State* lua, int at) {
  const auto number = number_of(lua, at, Kind::kJob);
  if (!number) expected(lua, at, "a job");
  if (*number >= simulation(lua).jobs().size()) bad_argument(lua, at, "no such job");
  return JobId{static_cast<std::uint32_t>(*number)};
}

std::span<const JobId> read_job_list(lua_State* lua, int list, int at,
                                     const char* name) {
  const auto refuse = [&] {
    bad_argument(lua, at, lua_pushfstring(lua, "%s: a list of jobs expected", name));
  };
  if (!lua_istable(lua, list)) refuse();
  auto& jobs = border(lua).job_list;
  jobs.clear();
  const auto length = static_cast<lua_Integer>(lua_rawlen(lua, list));
  for (lua_Integer i = 1; i <= length; ++i) {
    lua_rawgeti(lua, list, i);
    if (!is_kind(lua, lua_gettop(lua), Kind::kJob)) refuse();
    const JobId job = read_job(lua, lua_gettop(lua));
    attempt(lua, [&] { jobs.push_back(job); });
    lua_pop(lua, 1);
  }
  return jobs;
}

std::optional<std::uint64_t> read_number(lua_State* lua, int at, Kind kind) {
  return number_of(lua, at, kind);
}

std::size_t read_of_decision(lua_State* lua, int at, Kind kind, const char* what) {
  const auto handle = number_of(lua, at, kind);
  if (!handle) expected(lua, at, what);
  return within_decision(lua, *handle, what);
}

sim::PlanId read_plan(lua_State* lua, int at) {
  const auto handle = number_of(lua, at, Kind::kPlan);
  if (!handle) expected(lua, at, "a plan");
  const auto number = within_decision(lua, *handle, "plan");
  return {simulation(lua).world().decision().number,
          static_cast<std::uint32_t>(number)};
}

Walk& read_walk(lua_State* lua, int at) {
  const auto handle = number_of(lua, at + 1, Kind::kWalk);
  if (!handle) {
    bad_argument(lua, at, "a view, a selection or the book expected");
  }
  return walk_of(lua, *handle);
}

void no_family(lua_State* lua, std::string_view name) {
  border(lua).lacked_family = true;
  luaL_error(lua, "this machine has no %s", name.data());
  std::abort();  // luaL_error does not return
}

const Placement* read_room(lua_State* lua, int at) {
  if (lua_isnoneornil(lua, at)) return nullptr;
  const auto handle = number_of(lua, at, Kind::kSet);
  if (!handle) expected(lua, at, "a set of processors");
  if (*handle == 0) return nullptr;
  const auto number = within_decision(lua, *handle, "set of processors");
  return attempt(lua, [&] {
    const auto& running = simulation(lua);
    const auto& plan = running.plan(
        {running.world().decision().number, static_cast<std::uint32_t>(number - 1)});
    return &*plan.room;
  });
}

std::optional<std::size_t> order_of(lua_State* lua, int at) {
  const auto& shared = border(lua);
  if (lua_topointer(lua, at) == shared.queue_table) return shared.traits->default_order;
  const auto handle = number_of(lua, at, Kind::kView);
  if (!handle) return std::nullopt;
  return within_decision(lua, *handle, "view");
}

std::size_t read_view(lua_State* lua, int at) {
  if (const auto order = order_of(lua, at)) return *order;
  bool with_colon = false;
  const char* name = called_as(lua, &with_colon);
  luaL_error(lua, "%s: call it on a view, with a colon: queue:%s(...)", name, name);
  return 0;
}

std::int64_t read_count(lua_State* lua, int at, std::int64_t least) {
  if (lua_type(lua, at) != LUA_TNUMBER) expected(lua, at, "a whole number");
  int is_whole = 0;
  const auto count = lua_tointegerx(lua, at, &is_whole);
  if (is_whole == 0) {
    bad_argument(
        lua, at,
        lua_pushfstring(lua, "%f is not a whole number", lua_tonumber(lua, at)));
  }
  if (count < least) {
    bad_argument(lua, at, lua_pushfstring(lua, "%I is less than %I", count, least));
  }
  return count;
}

std::optional<std::int64_t> read_count_or_all(lua_State* lua, int at) {
  if (lua_isnoneornil(lua, at)) return std::nullopt;
  const auto count = read_count(lua, at, -1);
  return count < 0 ? std::nullopt : std::optional(count);
}

Duration read_seconds(lua_State* lua, int at) {
  if (lua_type(lua, at) != LUA_TNUMBER) expected(lua, at, "seconds");
  const auto ticks = ticks_from_seconds(lua_tonumber(lua, at));
  if (!ticks) {
    bad_argument(lua, at,
                 lua_pushfstring(lua, "%f is not a time in seconds (nil means never)",
                                 lua_tonumber(lua, at)));
  }
  return *ticks;
}

std::string_view read_text(lua_State* lua, int at) {
  if (lua_type(lua, at) != LUA_TSTRING) expected(lua, at, "text");
  std::size_t length = 0;
  const char* text = lua_tolstring(lua, at, &length);
  return {text, length};
}

void read_kind(lua_State* lua, int at) {
  if (lua_type(lua, at) == LUA_TSTRING && read_text(lua, at) == "processors") return;
  if (lua_type(lua, at) == LUA_TNUMBER && read_count(lua, at, 1) == 1) return;
  bad_argument(lua, at,
               "this machine has one kind of resource: \"processors\", number 1");
}

void require_self(lua_State* lua, const void* table, const char* name) {
  if (lua_topointer(lua, 1) == table) return;  // no other value has its address
  bool with_colon = false;
  const char* called = called_as(lua, &with_colon);
  luaL_error(lua, "%s: call it with a colon: %s:%s(...)", called, name, called);
}

void bad_argument(lua_State* lua, int at, const char* what) {
  bool with_colon = false;
  const char* name = called_as(lua, &with_colon);
  luaL_error(lua, "bad argument #%d to '%s': %s", with_colon ? at - 1 : at, name, what);
  std::abort();  // luaL_error does not return
}

void unknown_member(lua_State* lua, int key, const char* of, const Names& known) {
  std::array<char, 160> hint{};
  const char* shown = luaL_typename(lua, key);
  if (lua_type(lua, key) == LUA_TSTRING) {
    shown = lua_tostring(lua, key);
    const auto near = nearest(shown, known.all());
    if (!near.empty()) {
      fmt::format_to_n(hint.data(), hint.size() - 1, " (did you mean '{}'?)", near);
    }
  }
  luaL_error(lua, "%s has no member '%s'%s", of, shown, hint.data());
  std::abort();  // luaL_error does not return
}

void push_family(lua_State* lua, const Family& family) {
  lua_createtable(lua, 0, static_cast<int>(family.primitives.size()));
  for (const auto& primitive : family.primitives) {
    if (primitive.form() != Form::kMethod) continue;
    push_string(lua, primitive.name);
    if (family.serves == nullptr) {
      lua_pushcfunction(lua, primitive.call);
    } else {
      lua_pushlightuserdata(lua, const_cast<Family*>(&family));
      lua_pushcfunction(lua, primitive.call);
      lua_pushlightuserdata(lua, const_cast<void*>(lua_topointer(lua, -4)));
      lua_pushboolean(lua, 0);
      lua_pushcclosure(lua, call_on_machine, 4);
    }
    lua_rawset(lua, -3);
  }
  lua_pushlightuserdata(lua, const_cast<Family*>(&family));
  lua_pushcclosure(lua, family_index, 1);
  close_table(lua);
}

void close_table(lua_State* lua) {
  lua_createtable(lua, 0, 3);
  lua_insert(lua, -2);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, refuse_write);
  lua_setfield(lua, -2, "__newindex");
  lock_metatable(lua);
  lua_setmetatable(lua, -2);
}

void install_handles(lua_State* lua) {
  const std::array<std::pair<const char*, lua_CFunction>, 4> methods{{
      {"__index", handle_index},
      {"__newindex", refuse_write},
      {"__lt", handle_less},
      {"__le", handle_less_or_equal},
  }};
  lua_pushlightuserdata(lua, nullptr);
  lua_createtable(lua, 0, 5);
  for (const auto& [name, function] : methods) {
    lua_pushcfunction(lua, function);
    lua_setfield(lua, -2, name);
  }
  lock_metatable(lua);
  lua_setmetatable(lua, -2);
  lua_pop(lua, 1);
}

std::string handle_text(const Border& shared, const void* value) {
  const auto number = handle_value(value) / kKinds;
  const auto kind = kind_of(value);
  if (kind == Kind::kSwitch) return switch_text(shared, number);
  const auto* running = shared.simulation;
  const bool is_known_job =
      kind == Kind::kJob && running != nullptr && number < running->jobs().size();
  if (!is_known_job) return kind_name(kind);
  const JobId job{static_cast<std::uint32_t>(number)};
  return fmt::format("job {}", running->jobs().job(job).id);
}

void raise_kept(lua_State* lua) {
  auto& sandbox = Sandbox::of(lua);
  if (sandbox.guard().tripped() != Trip::kNone) sandbox.guard().raise(lua);
  luaL_where(lua, 1);
  const auto& text = sandbox.scratch();
  lua_pushlstring(lua, text.data(), text.size());
  lua_concat(lua, 2);
  lua_error(lua);
  std::abort();  // lua_error does not return
}

void keep_error(lua_State* lua, std::exception_ptr error) noexcept {
  auto& sandbox = Sandbox::of(lua);
  try {
    std::rethrow_exception(error);
  } catch (const Error& wrong_call) {
    if (wrong_call.code() == ErrorCode::kPolicy) {
      std::string_view text(wrong_call.what());
      sandbox.scratch() = text.substr(0, text.find('\n'));
      return;
    }
  } catch (...) {  // kept below
  }
  sandbox.guard().keep(std::move(error));
}

}  // namespace berth::bindings
