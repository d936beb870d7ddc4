#pragma once
// The border: the one place that reads Lua values and pushes them.
//
// Handles are light userdata, number * 8 + kind, with one locked metatable for the
// type. A job's number is its JobId; plans and views carry the decision they belong to,
// and raise in a later one.  No handle is a pointer, none needs collecting.
//
// Every function with a lua_State may raise; see sandbox.hpp for what that asks of the
// caller.  Engine work that may throw goes through `attempt`.

#include <cstdint>
#include <exception>
#include <lua.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bindings/primitive.hpp"
#include "bindings/sandbox/sandbox.hpp"
#include "engine/sim/selection.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::bindings {

enum class Kind : std::uint8_t { kJob = 0, kPlan = 1, kView = 2, kWalk = 3, kSet = 4 };

// A list of jobs that is walked as it was when it was made.
struct Snapshot {
  std::vector<JobId> jobs;
  std::size_t next = 0;
};
using Walk = std::variant<sim::Selection, Snapshot>;
// The next job of the walk; nullopt at its end.
[[nodiscard]] std::optional<JobId> next(Walk& walk, sim::Simulation& running);

[[noreturn]] void no_simulation(lua_State* lua);

// What the primitives of one policy share.
struct Border {
  sim::Simulation* simulation = nullptr;  // null while the script is loaded
  const sim::PolicyTraits* traits = nullptr;
  std::vector<Walk> walks;  // the first `walks_used` are of the present decision
  std::size_t walks_used = 0;
  std::int64_t walks_of = -1;
  std::size_t walk_bytes = 0;  // what they hold, as the guard has been told
  std::int64_t crossings = 0;
  // References in the Lua registry.
  int view_methods = LUA_NOREF;
  int plan_methods = LUA_NOREF;
  int book = LUA_NOREF;
  const void* queue_table = nullptr;
  const void* cluster_table = nullptr;
  const void* book_table = nullptr;
  const void* tiers_table = nullptr;
  std::vector<const char*> job_fields;  // interned names, in the order of the records
};

// The border of the policy whose state this is.
[[nodiscard]] inline Border& border(lua_State* lua) {
  return *static_cast<Border*>(Guard::of(lua).cargo());
}
// The simulation; raises while the script is being loaded.
[[nodiscard]] inline sim::Simulation& simulation(lua_State* lua) {
  auto* running = border(lua).simulation;
  if (running == nullptr) no_simulation(lua);
  return *running;
}

// Runs engine work.  A wrong call becomes a Lua error "file:line: what"; whatever else
// is thrown (a failed audit, a full disk, a defect) leaves Lua uncatchably.
template <class Work>
void attempt(lua_State* lua, Work&& work);

// Push.
void push_job(lua_State* lua, JobId job);
void push_job(lua_State* lua, std::optional<JobId> job);  // nil for nullopt
void push_plan(lua_State* lua, sim::PlanId plan);
void push_view(lua_State* lua, std::size_t order);
// The set of processors that leaves the choice to the machine.
void push_all_processors(lua_State* lua);
// The processors that the plan can spare.
void push_room(lua_State* lua, sim::PlanId plan);
void push_seconds(lua_State* lua, Time time);                 // nil for kNever
void push_seconds(lua_State* lua, std::optional<Time> time);  // nil for nullopt
void push_string(lua_State* lua, std::string_view text);
// Pushes nil and the reason; returns 2.
int push_refusal(lua_State* lua, Refusal refusal);
// Pushes what a generic `for` needs to walk what `make()` returns; returns 2.
template <class Make>
int push_walk(lua_State* lua, Make&& make);

// Read; each raises naming the primitive, the argument and the value.
[[nodiscard]] bool is_kind(lua_State* lua, int at, Kind kind);
[[nodiscard]] JobId read_job(lua_State* lua, int at);
[[nodiscard]] sim::PlanId read_plan(lua_State* lua, int at);
// An optional set of processors; nullptr leaves the choice to the machine.
[[nodiscard]] const IntervalSet* read_room(lua_State* lua, int at);
// A selection: the two values that `for` needs, at `at` and behind it.
[[nodiscard]] Walk& read_walk(lua_State* lua, int at);
// nullopt if the value there is no view made by `by`.
[[nodiscard]] std::optional<std::size_t> order_of_view(lua_State* lua, int at);
// nullopt if the value there is no view.
[[nodiscard]] inline std::optional<std::size_t> order_of(lua_State* lua, int at) {
  const auto& shared = border(lua);
  if (lua_topointer(lua, at) == shared.queue_table) return shared.traits->default_order;
  return order_of_view(lua, at);
}
// The order of the view that a method was called on (`queue` or a view of it).
[[nodiscard]] std::size_t read_view(lua_State* lua, int at);
// A whole number from `least` on.
[[nodiscard]] std::int64_t read_count(lua_State* lua, int at, std::int64_t least);
// The same from 0 on; nullopt for nothing and for -1.
[[nodiscard]] std::optional<std::int64_t> read_count_or_all(lua_State* lua, int at);
// A time or a span in seconds, rounded to the nearest tick.
[[nodiscard]] Duration read_seconds(lua_State* lua, int at);
[[nodiscard]] std::string_view read_text(lua_State* lua, int at);
// A kind of resource, by name or by number from 1; there is one: processors.
void read_kind(lua_State* lua, int at);
// Raises unless the method was called on this table, with a colon.
void require_self(lua_State* lua, const void* table, const char* name);

// Raises "file:line: bad argument #at to 'primitive': what", not counting self.
[[noreturn]] void bad_argument(lua_State* lua, int at, const char* what);
// Raises for a member that does not exist, naming the nearest that does.
[[noreturn]] void unknown_member(lua_State* lua, int key, const char* of,
                                 std::span<const Primitive> primitives);

// Makes the table of a family's methods, to which nothing can be added; leaves it on
// the stack.  A script that replaces a method spoils its own copy alone.
void push_family(lua_State* lua, const Family& family);
// Gives the table under the function on top of the stack a locked metatable, which
// calls that function for members that are not there and refuses new ones; pops the
// function.
void close_table(lua_State* lua);
// Makes the metatable of all handles.
void install_handles(lua_State* lua);

// The fields of a job, by the order of kJobFields.
int job_member(lua_State* lua);
int plan_member(lua_State* lua);
int view_member(lua_State* lua);
// "job 17"; for messages.
[[nodiscard]] std::string handle_text(const Border& border, const void* value);

// Implementation.
[[nodiscard]] std::size_t new_walk(lua_State* lua);
// Tells the guard what the walk holds, and pushes it.
int push_walk_number(lua_State* lua, std::size_t number);
[[noreturn]] void raise_kept(lua_State* lua);
void keep_error(lua_State* lua, std::exception_ptr error) noexcept;

template <class Work>
void attempt(lua_State* lua, Work&& work) {
  bool failed = false;
  try {
    work();
  } catch (...) {
    keep_error(lua, std::current_exception());
    failed = true;
  }
  if (failed) raise_kept(lua);
}

template <class Make>
int push_walk(lua_State* lua, Make&& make) {
  const auto number = new_walk(lua);
  attempt(lua, [&] {
    border(lua).walks[number].template emplace<decltype(make())>(make());
  });
  return push_walk_number(lua, number);
}

}  // namespace berth::bindings
