#include "bindings/value.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "bindings/call_profile.hpp"
#include "bindings/machine_calls.hpp"
#include "engine/base/error.hpp"
#include "engine/base/spelling.hpp"

namespace berth::bindings {

namespace {

std::size_t bytes_of(const Placement& room) {
  return room.processors().intervals().capacity() * sizeof(Interval);
}

std::uintptr_t handle_value(const void* value) {
  return reinterpret_cast<std::uintptr_t>(value);
}

Kind kind_of(const void* value) {
  return static_cast<Kind>(handle_value(value) % kKinds);
}

// Apart, so that a run does not prepare for the call.
[[gnu::noinline]] std::int64_t number_of_case(const Border& shared) {
  return shared.at_hand->number();
}

// Numbers the decision of the simulation, or the call for the case at hand.
std::int64_t present_decision(lua_State* lua) {
  const auto& shared = border(lua);
  if (shared.at_hand != nullptr) [[unlikely]]
    return number_of_case(shared);
  return simulation(lua).world().decision().number;
}

// What handles keep of a decision.
std::uintptr_t remainder_of(std::int64_t decision) {
  return static_cast<std::uintptr_t>(decision) % kDecisions;
}

// Plans, views, walks, packings and drafts: decision * 2^16 + number within it.
std::uintptr_t of_decision(lua_State* lua, std::uintptr_t number) {
  return remainder_of(present_decision(lua)) * kPerDecision + number;
}

// The number of a handle of this kind; nullopt for every other value.
std::optional<std::uint64_t> number_of(lua_State* lua, int at, Kind kind) {
  const auto value = handle_value(lua_touserdata(lua, at));
  if (value % kKinds != static_cast<std::uint64_t>(kind)) return std::nullopt;
  // Values that are not handles read as 0 or an address.
  if (!lua_islightuserdata(lua, at)) return std::nullopt;
  return value / kKinds;
}

// The number within the present decision; raises for a handle of an earlier one.
std::uint64_t within_decision(lua_State* lua, std::uint64_t number, const char* what) {
  if (number / kPerDecision != remainder_of(present_decision(lua))) {
    luaL_error(lua, "this %s belongs to an earlier decision: make a new one", what);
  }
  return number % kPerDecision;
}

// The name by which the running primitive was called, and whether with a colon.  Called
// without a name, as by pcall, it has its own.
const char* called_as(lua_State* lua, bool* with_colon) {
  lua_Debug activation{};
  *with_colon = false;
  if (lua_getstack(lua, 0, &activation) == 0) return "?";
  lua_getinfo(lua, "nf", &activation);
  *with_colon =
      activation.namewhat != nullptr && std::strcmp(activation.namewhat, "method") == 0;
  const char* own = primitive_name(lua);
  if (activation.name != nullptr) return activation.name;
  // A call by number counts its arguments as a script does.
  const auto* of_policy = border_of_policy(lua);
  const auto caller = of_policy == nullptr ? nullptr : of_policy->caller;
  if (caller != nullptr && lua_getstack(lua, 1, &activation) != 0) {
    lua_getinfo(lua, "f", &activation);
    *with_colon = lua_tocfunction(lua, -1) == caller;
    lua_pop(lua, 1);
  }
  return own;
}

int no_members(lua_State* lua) { return luaL_error(lua, "this value has no members"); }

int machine_member(lua_State* lua) {
  const auto* handle = handle_of_machine(kind_of(lua_touserdata(lua, 1)));
  const bool has_any = handle != nullptr && handle->member != nullptr;
  return has_any ? handle->member(lua) : no_members(lua);
}

int handle_index(lua_State* lua) {
  if (!lua_islightuserdata(lua, 1)) expected(lua, 1, "a handle");
  switch (kind_of(lua_touserdata(lua, 1))) {
    case Kind::kJob: return job_member(lua);
    case Kind::kPlan: return plan_member(lua);
    case Kind::kView:
      if (lua_type(lua, 2) == LUA_TNUMBER) no_list(lua);
      return view_member(lua);
    case Kind::kPlacement: {
      const auto* machine = border(lua).machine;
      if (machine == nullptr || machine->placement_member == nullptr) break;
      return machine->placement_member(lua);
    }
    case Kind::kWalk:
    case Kind::kSet: break;
    default: return machine_member(lua);
  }
  return no_members(lua);
}

// `for job in queue do`, `#queue`, and the same on other views.
int refuse_list(lua_State* lua) {
  const auto is_handle = lua_islightuserdata(lua, 1);
  const auto kind = is_handle ? kind_of(lua_touserdata(lua, 1)) : Kind::kView;
  if (kind == Kind::kView) no_list(lua);
  return luaL_error(lua, "a %s is neither a function nor a list", kind_name(kind));
}

int queue_text(lua_State* lua) {
  const auto& shared = border(lua);
  if (shared.simulation == nullptr) return lua_pushliteral(lua, "queue"), 1;
  const auto& running = *shared.simulation;
  attempt(lua, [&] {
    Sandbox::of(lua).scratch() = members_text(
        "queue", running.queue(shared.traits->default_order), running.world().jobs());
  });
  push_string(lua, Sandbox::of(lua).scratch());
  return 1;
}

// By which jobs of a simulation, or of a case, are compared.
std::int64_t read_rank(lua_State* lua, int at) {
  auto* const at_hand = border(lua).at_hand;
  return at_hand != nullptr ? at_hand->read_rank(lua, at) : index(read_job(lua, at));
}

int handle_less(lua_State* lua) {
  return lua_pushboolean(lua, read_rank(lua, 1) < read_rank(lua, 2)), 1;
}

int handle_less_or_equal(lua_State* lua) {
  return lua_pushboolean(lua, read_rank(lua, 1) <= read_rank(lua, 2)), 1;
}

sim::Selection& walk_of(lua_State* lua, std::uint64_t handle) {
  return *border(lua).walks[within_decision(lua, handle, "selection")];
}

using NamedFunction = std::pair<const char*, lua_CFunction>;

constexpr std::array kHandleEvents{
    NamedFunction{"__index", handle_index}, NamedFunction{"__newindex", refuse_change},
    NamedFunction{"__lt", handle_less},     NamedFunction{"__le", handle_less_or_equal},
    NamedFunction{"__call", refuse_list},   NamedFunction{"__len", refuse_list},
};
constexpr std::array kQueueEvents{
    NamedFunction{"__call", refuse_list},
    NamedFunction{"__len", refuse_list},
    NamedFunction{"__tostring", queue_text},
};

// Sets fields of the table on top.
void set_functions(lua_State* lua, std::span<const NamedFunction> functions) {
  for (const auto& [name, function] : functions) {
    lua_pushcfunction(lua, function);
    lua_setfield(lua, -2, name);
  }
}

void lock_metatable(lua_State* lua) {
  lua_pushliteral(lua, "locked");
  lua_setfield(lua, -2, "__metatable");
}

}  // namespace

const char* kind_name(Kind kind) {
  static constexpr std::array kNames{
      "job", "plan", "view", "selection", "set of processors", "placement"};
  const auto number = static_cast<std::size_t>(kind);
  if (number < kNames.size()) return kNames[number];
  const auto* handle = handle_of_machine(kind);
  return handle == nullptr ? "value" : handle->what;
}

int walk_next(lua_State* lua) {
  ++border(lua).crossings;
  const auto handle = number_of(lua, 1, Kind::kWalk);
  if (!handle) return luaL_error(lua, "walk a selection with `for job in ... do`");
  auto& walk = walk_of(lua, *handle);
  auto& running = simulation(lua);
  push_job(lua, attempt(lua, [&] { return walk.next(running); }));
  return 1;
}

void no_simulation(lua_State* lua) {
  luaL_error(lua, "there is no simulation while a file is loaded");
  std::abort();  // luaL_error does not return
}

void hold_for_decision(lua_State* lua, std::size_t bytes) {
  auto& shared = border(lua);
  auto& guard = Guard::of(lua);
  const auto decision = present_decision(lua);
  if (std::exchange(shared.held_of, decision) != decision) {
    guard.release(std::exchange(shared.held_bytes, 0));
  }
  shared.held_bytes += bytes;
  guard.hold(bytes);
}

// Number 0 is the set of all processors.
void push_room(lua_State* lua, std::optional<sim::PlanId> plan) {
  if (!plan) return push_handle(lua, 0, Kind::kSet);
  require_handle(lua, plan->number() + 1, " sets of processors in one decision");
  push_handle(lua, of_decision(lua, plan->number() + 1), Kind::kSet);
}

void push_plan(lua_State* lua, sim::PlanId plan) {
  push_handle(lua, of_decision(lua, plan.number()), Kind::kPlan);
}

void push_view(lua_State* lua, std::size_t order) {
  push_handle(lua, of_decision(lua, order), Kind::kView);
}

void push_decision_handle(lua_State* lua, std::size_t number, Kind kind) {
  require_handle(lua, number, " placements or packings in one decision");
  push_handle(lua, of_decision(lua, number), kind);
}

void push_seconds(lua_State* lua, std::optional<Time> time) {
  if (time.value_or(kNever) == kNever) return lua_pushnil(lua);
  lua_pushnumber(lua, to_seconds(*time));
}

int push_refusal(lua_State* lua, Refusal refusal) {
  lua_pushnil(lua);
  push_string(lua, name(refusal));
  return 2;
}

void hold_plan(lua_State* lua, sim::PlanId plan) {
  const auto& room = simulation(lua).plans().at(plan).room;
  hold_for_decision(lua, sizeof(Plan) + (room ? bytes_of(*room) : 0));
}

// Plans, selections and what else has a handle of one decision, "plans": one limit, in
// whatever call it is met.
void require_handle(lua_State* lua, std::size_t number, const char* things) {
  if (number < kPerDecision) return;
  Guard::of(lua).refuse(lua, {number + 1, "", things, "65,536",
                              "keep what was made in a variable, and use it again"});
}

void require_plan(lua_State* lua) {
  require_handle(lua, simulation(lua).plans().all().size(), " plans in one decision");
}

std::size_t new_walk(lua_State* lua) {
  auto& shared = border(lua);
  const auto decision = simulation(lua).world().decision().number;
  if (shared.walks_of != decision) {
    shared.walks_used = 0;
    shared.walks_of = decision;
  }
  require_handle(lua, shared.walks_used, " selections in one decision");
  if (shared.walks_used == shared.walks.size()) {
    attempt(lua, [&] { (void)shared.walks.emplace_back(); });
  }
  return shared.walks_used++;
}

int push_walk_number(lua_State* lua, std::size_t number) {
  const auto& walk = *border(lua).walks[number];
  hold_for_decision(lua, sizeof(walk) + walk.memory(simulation(lua)));
  lua_pushcfunction(lua, walk_next);
  push_handle(lua, of_decision(lua, number), Kind::kWalk);
  return 2;
}

bool is_kind(lua_State* lua, int at, Kind kind) {
  return number_of(lua, at, kind).has_value();
}

JobId read_job(lua_State* lua, int at) {
  const auto number = number_of(lua, at, Kind::kJob);
  if (!number) expected(lua, at, "a job");
  const auto& jobs = simulation(lua).world().jobs();
  if (*number >= jobs.size()) bad_argument(lua, at, "no such job");
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

std::size_t read_of_decision(lua_State* lua, int at, Kind kind) {
  const auto handle = number_of(lua, at, kind);
  if (!handle) {
    // Pushed, it would stand where an argument may be missing.
    std::array<char, 32> what{};
    fmt::format_to_n(what.data(), what.size() - 1, "a {}", kind_name(kind));
    expected(lua, at, what.data());
  }
  return within_decision(lua, *handle, kind_name(kind));
}

sim::PlanId read_plan(lua_State* lua, int at) {
  return {simulation(lua).world().decision().number,
          read_of_decision(lua, at, Kind::kPlan)};
}

sim::Selection& read_walk(lua_State* lua, int at) {
  const auto handle = number_of(lua, at + 1, Kind::kWalk);
  if (!handle) bad_argument(lua, at, "a view, a selection or the book expected");
  return walk_of(lua, *handle);
}

void refuse_unnamed_shares(lua_State* lua) {
  if (border(lua).traits->asks_for_users) return;
  luaL_error(lua,
             "users are not kept, since no text of this policy says 'share': write "
             "cluster.shares or \"fair_share\" out");
}

void no_family(lua_State* lua, std::string_view name) {
  if (name == kShares) refuse_unnamed_shares(lua);
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
    const auto decision = simulation(lua).world().decision().number;
    return &*simulation(lua).plans().at({decision, number - 1}).room;
  });
}

std::optional<std::size_t> order_of(lua_State* lua, int at) {
  const auto& shared = border(lua);
  if (lua_topointer(lua, at) == shared.queue_table) return shared.traits->default_order;
  const auto handle = number_of(lua, at, Kind::kView);
  if (!handle) return std::nullopt;
  return within_decision(lua, *handle, "view");
}

void refuse_view(lua_State* lua) {
  bool with_colon = false;
  const char* name = called_as(lua, &with_colon);
  luaL_error(lua, "%s: call it on a view, with a colon: queue:%s(...)", name, name);
  std::abort();  // luaL_error does not return
}

void expected(lua_State* lua, int at, const char* what) {
  if (lua_islightuserdata(lua, at)) {
    const char* got = kind_name(kind_of(lua_touserdata(lua, at)));
    bad_argument(lua, at, lua_pushfstring(lua, "%s expected, got a %s", what, got));
  }
  const char* got = lua_isnoneornil(lua, at) ? "nothing" : luaL_typename(lua, at);
  if (lua_type(lua, at) == LUA_TUSERDATA) {  // of a tool: "a column"
    (void)luaL_getmetafield(lua, at, "__name");
    got = lua_pushfstring(lua, "a %s", lua_tostring(lua, -1));
  }
  bad_argument(lua, at, lua_pushfstring(lua, "%s expected, got %s", what, got));
}

void refuse_self(lua_State* lua, const char* name) {
  bool with_colon = false;
  const char* called = called_as(lua, &with_colon);
  luaL_error(lua, "%s: call it with a colon: %s:%s(...)", called, name, called);
  std::abort();  // luaL_error does not return
}

void bad_argument(lua_State* lua, int at, const char* what) {
  bool with_colon = false;
  const char* name = called_as(lua, &with_colon);
  luaL_error(lua, "bad argument #%d to '%s': %s", with_colon ? at - 1 : at, name, what);
  std::abort();  // luaL_error does not return
}

void unknown_member(lua_State* lua, int key, const char* of, const Names& known) {
  if (lua_type(lua, key) != LUA_TSTRING) {
    const bool is_number = lua_type(lua, key) == LUA_TNUMBER;
    lua_pushvalue(lua, key);
    const char* shown = is_number ? lua_tostring(lua, -1) : luaL_typename(lua, -1);
    luaL_error(lua, "%s has no member [%s]", of, shown);
  }
  std::array<char, 160> hint{};
  const auto name = read_text(lua, key);
  const char* shown = push_short(lua, name);
  const auto near = nearest(name, known.all());
  if (!near.empty()) {
    fmt::format_to_n(hint.data(), hint.size() - 1, " (did you mean '{}'?)", near);
  }
  luaL_error(lua, "%s has no member '%s'%s", of, shown, hint.data());
  std::abort();  // luaL_error does not return
}

void no_list(lua_State* lua) {
  luaL_error(lua,
             "a view is not a list: walk it with `for job in queue:all() do`, count it "
             "with queue:length()");
  std::abort();  // luaL_error does not return
}

void set_queue_events(lua_State* lua) {
  lua_getmetatable(lua, -1);
  set_functions(lua, kQueueEvents);
  lua_pop(lua, 1);
}

void install_handles(lua_State* lua) {
  lua_pushlightuserdata(lua, nullptr);
  lua_createtable(lua, 0, 7);
  set_functions(lua, kHandleEvents);
  lock_metatable(lua);
  lua_setmetatable(lua, -2);
  lua_pop(lua, 1);
}

std::string handle_text(const Border& shared, const void* value) {
  const auto number = handle_value(value) / kKinds;
  const auto kind = kind_of(value);
  const auto* handle = handle_of_machine(kind);
  if (handle != nullptr && handle->text != nullptr) return handle->text(shared, number);
  if (shared.at_hand != nullptr && kind == Kind::kJob) {
    return shared.at_hand->job_text(number);
  }
  if (shared.simulation == nullptr) return kind_name(kind);
  const auto& world = shared.simulation->world();
  if (kind == Kind::kJob && number < world.jobs().size()) {
    return fmt::format("job {}", world.jobs().job(JobId{std::uint32_t(number)}).id);
  }
  const auto decision = remainder_of(world.decision().number);
  if (kind == Kind::kView && number / kPerDecision == decision) {
    const auto view = shared.simulation->queue(number % kPerDecision);
    return members_text("view", view, world.jobs());
  }
  return kind_name(kind);
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
