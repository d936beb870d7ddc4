#pragma once
// Conversion between Lua values and the engine; used by every primitive.
//
// Handles are light userdata, number * 16 + kind, with one locked metatable.  A job's
// number is its JobId; plans and views carry the number of their decision, modulo what
// a pointer has room for, and raise in a later one.  No handle is a pointer or needs
// garbage collection.
//
// Every function with a lua_State may raise; sandbox.hpp says what that requires of the
// caller.  Engine work that may throw goes through `attempt`.

#include <array>
#include <cstdint>
#include <exception>
#include <limits>
#include <lua.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bindings/arguments.hpp"
#include "bindings/families.hpp"
#include "bindings/sandbox/sandbox.hpp"
#include "engine/sim/selection.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::bindings {

enum class Kind : std::uint8_t {
  kJob,  // is 0
  kPlan,
  kView,
  kWalk,
  kSet,
  kPlacement,
  kOfMachines,  // this and the next ones: those of machine_calls(), in their order
};

// Orders of every queue, besides those that the policy declares.
inline constexpr std::string_view kSubmit = "submit";
inline constexpr std::string_view kFairShare = "fair_share";
inline constexpr std::string_view kShares = "shares";  // the family

[[noreturn]] void no_simulation(lua_State* lua);

class CallProfile;
struct JobFieldAt;
struct MachineCalls;

// What a script works on where there is no simulation: one case of a study.
class CaseAtHand {
 public:
  virtual ~CaseAtHand() = default;
  // Stands for the decision: handles of another one raise.
  [[nodiscard]] virtual std::int64_t number() const = 0;
  // "instance 3"; for messages.
  [[nodiscard]] virtual std::string where() const = 0;
  // A member of a job: arguments handle and key.
  virtual int job_member(lua_State* lua) = 0;
  // By which jobs are compared: of the job at this stack index.
  [[nodiscard]] virtual std::int64_t read_rank(lua_State* lua, int at) = 0;
  // "job 17"; for messages.
  [[nodiscard]] virtual std::string job_text(std::uint64_t number) const = 0;
};

// Placements that were made for jobs in one decision (proposals.hpp).
struct Proposals {
  std::vector<Proposal> all;
  std::int64_t decision = -1;
  std::size_t bytes = 0;  // of them, as counted by the guard
};

// A field of jobs, as it is in the run at hand.
struct BoundField {
  void (*push)(const JobFieldAt&);
  bool is_kept = false;  // readable after the job has left
};

// What the primitives of one policy share.
struct Border {
  sim::Simulation* simulation = nullptr;  // null while the script is loaded
  CaseAtHand* at_hand = nullptr;          // null: no case of a study is at hand
  const MachineCalls* machine = nullptr;  // of the run; null: its machine adds nothing
  const sim::PolicyTraits* traits = nullptr;
  std::span<const Family> families;  // those that only some machines have
  bool lacked_family = false;        // a family that this machine lacks was called
  CallProfile* profile = nullptr;    // what methods are timed in; null: nothing
  // The first `walks_used` belong to this decision.
  std::vector<std::optional<sim::Selection>> walks;
  std::size_t walks_used = 0;
  std::int64_t walks_of = -1;
  std::int64_t held_of = -1;    // the decision of the memory below
  std::size_t held_bytes = 0;   // of walks and plans, as counted by the guard
  std::vector<JobId> job_list;  // of the call at hand
  Proposals proposals;
  std::vector<std::shared_ptr<void>> states;  // of machine_calls(), what they keep
  std::int64_t crossings = 0;
  // References in the Lua registry.
  int cluster = LUA_NOREF;
  int view_methods = LUA_NOREF;
  int book = LUA_NOREF;
  const void* queue_table = nullptr;
  const void* cluster_table = nullptr;
  const void* book_table = nullptr;
  std::vector<const char*> job_names;  // of fields, interned
  std::vector<BoundField> job_fields;  // by name
  // What calls a primitive by its number (numbered_calls.hpp); null: nothing does.
  lua_CFunction caller = nullptr;
};

// The border of the policy whose state this is.
[[nodiscard]] inline Border& border(lua_State* lua) {
  return *static_cast<Border*>(Guard::of(lua).cargo());
}
// Null: the script is no policy's.
[[nodiscard]] inline const Border* border_of_policy(lua_State* lua) {
  return static_cast<const Border*>(Guard::of(lua).cargo());
}
// The simulation; raises while the script is being loaded.
[[nodiscard]] inline sim::Simulation& simulation(lua_State* lua) {
  auto* running = border(lua).simulation;
  if (running == nullptr) no_simulation(lua);
  return *running;
}

// What engine work on behalf of the script charges.
[[nodiscard]] inline Budget& budget(lua_State* lua) { return Guard::of(lua).budget(); }

// Runs engine work and returns its result.  A wrong call becomes a Lua error
// "file:line: what"; any other exception (a failed audit, a full disk, a defect) leaves
// Lua and cannot be caught by the script.
template <class Work>
auto attempt(lua_State* lua, const Work& work);

// A handle is as wide as a pointer: the kind has 4 bits, the number within a decision
// 16, and the decision the rest, modulo which decisions are compared.
constexpr std::uintptr_t kKinds = 16;
constexpr std::uintptr_t kPerDecision = sim::PlanId::kPerDecision;
constexpr std::uintptr_t kDecisions =
    std::numeric_limits<std::uintptr_t>::max() / (kKinds * kPerDecision) + 1;
static_assert(sizeof(void*) == sizeof(std::uintptr_t) && kPerDecision == 65'536);
static_assert(kDecisions >= 4096);
// How many jobs handles can tell apart: 2^28 where a pointer has 32 bits.
constexpr std::uintptr_t kMostJobs =
    std::numeric_limits<std::uintptr_t>::max() / kKinds + 1;

// Push.
inline void push_handle(lua_State* lua, std::uintptr_t number, Kind kind) {
  const auto value = number * kKinds + static_cast<std::uintptr_t>(kind);
  lua_pushlightuserdata(lua,
                        reinterpret_cast<void*>(value));  // NOLINT: a number
}
inline void push_job(lua_State* lua, std::optional<JobId> job) {  // nil for nullopt
  if (!job) return lua_pushnil(lua);
  push_handle(lua, index(*job), Kind::kJob);
}
void push_plan(lua_State* lua, sim::PlanId plan);
void push_view(lua_State* lua, std::size_t order);
// The set of the processors that the plan can spare; nullopt: of all.
void push_room(lua_State* lua, std::optional<sim::PlanId> plan);
void push_decision_handle(lua_State* lua, std::size_t number, Kind kind);
void push_seconds(lua_State* lua, std::optional<Time> time);  // nil: nullopt, kNever
// Pushes nil and the reason; returns 2.
int push_refusal(lua_State* lua, Refusal refusal);
// Runs an action; pushes true, or nil and the reason.
template <class Action>
int push_done(lua_State* lua, Action&& action);
// Runs a reservation; pushes its plan, or nil and the reason.
template <class Action>
int push_made(lua_State* lua, Action&& action);
// Pushes the two values with which a generic `for` walks the result of `make()`.
template <class Make>
int push_walk(lua_State* lua, const Make& make);

// Read; each raises naming the primitive, the argument and the value.
[[nodiscard]] bool is_kind(lua_State* lua, int at, Kind kind);
[[nodiscard]] JobId read_job(lua_State* lua, int at);
[[nodiscard]] sim::PlanId read_plan(lua_State* lua, int at);
// An optional set of processors; nullptr: all.
[[nodiscard]] const Placement* read_room(lua_State* lua, int at);
// The jobs of a list at stack index `list`; `name` is what argument `at` calls it.
// Valid until the next call of this function.
[[nodiscard]] std::span<const JobId> read_job_list(lua_State* lua, int list, int at,
                                                   const char* name);
// The number of a handle of this kind; nullopt for every other value.
[[nodiscard]] std::optional<std::uint64_t> read_number(lua_State* lua, int at,
                                                       Kind kind);
// The same within the present decision; raises for every other value and decision.
[[nodiscard]] std::size_t read_of_decision(lua_State* lua, int at, Kind kind);
// A selection: two values, at `at` and `at` + 1.
[[nodiscard]] sim::Selection& read_walk(lua_State* lua, int at);
// nullopt if the value is not a view.
[[nodiscard]] std::optional<std::size_t> order_of(lua_State* lua, int at);
// Raises: the value on which a method was called is not a view.
[[noreturn]] void refuse_view(lua_State* lua);
// The order of the view that a method was called on (`queue` or a view of it).
[[nodiscard]] inline std::size_t read_view(lua_State* lua, int at) {
  const auto order = order_of(lua, at);
  if (!order) refuse_view(lua);
  return *order;
}
// A whole number >= 0; sim::kAnyDepth for nil and -1.
[[nodiscard]] std::int64_t read_depth(lua_State* lua, int at);
// Raises "this machine has no tiers", and notes that the policy needs another machine.
[[noreturn]] void no_family(lua_State* lua, std::string_view name);
// Raises where users are not kept, since the policy nowhere names what they are asked
// by (docs/model.md#when-kept).
void refuse_unnamed_shares(lua_State* lua);
// Raises for a view that is used as a list.
[[noreturn]] void no_list(lua_State* lua);
// Raises: a method of the table of this name was called on another value.
[[noreturn]] void refuse_self(lua_State* lua, const char* name);
// Raises unless the method was called on this table (with a colon).
inline void require_self(lua_State* lua, const void* table, const char* name) {
  // No other value has its address.
  if (lua_topointer(lua, 1) != table) refuse_self(lua, name);
}

// Names of members, without memory of its own; those beyond the 64th are left out.
class Names {
 public:
  Names() = default;
  explicit Names(std::span<const Primitive> primitives) {
    for (const auto& primitive : primitives) add(primitive.name);
  }
  void add(std::string_view name) {
    if (count_ < names_.size()) names_[count_++] = name;
  }
  [[nodiscard]] std::span<const std::string_view> all() const {
    return std::span(names_).first(count_);
  }

 private:
  std::array<std::string_view, 64> names_{};
  std::size_t count_ = 0;
};
// Raises for a member that does not exist, naming the nearest one.
[[noreturn]] void unknown_member(lua_State* lua, int key, const char* of,
                                 const Names& known);

// Sets the metatable of all handles, and what the queue, whose table is on top, does
// besides.
void install_handles(lua_State* lua);
void set_queue_events(lua_State* lua);

// Members of handles: arguments handle and key.
int job_member(lua_State* lua);
int plan_member(lua_State* lua);
int view_member(lua_State* lua);
// "queue of 3 jobs: 1, 4, 7": the first 20.
[[nodiscard]] std::string members_text(const char* what, const QueueView& members,
                                       const JobTable& jobs);
// "job 17"; for messages.
[[nodiscard]] std::string handle_text(const Border& border, const void* value);

// Steps a selection: its argument is the handle.
int walk_next(lua_State* lua);
// "plan"; for messages.
[[nodiscard]] const char* kind_name(Kind kind);

// Implementation.
[[nodiscard]] std::size_t new_walk(lua_State* lua);
// Counts memory that the present decision holds; gives back that of an earlier one.
void hold_for_decision(lua_State* lua, std::size_t bytes);
// Ends the run, which no script can catch, if the decision has 65,536 of these things.
// REQUIRES: a literal, " plans in one decision".
void require_handle(lua_State* lua, std::size_t number, const char* things);
// The same of the next plan.
void require_plan(lua_State* lua);
// Counts the memory of the plan, until the decision is over.
void hold_plan(lua_State* lua, sim::PlanId plan);
// Counts the memory of the walk, and pushes it.
int push_walk_number(lua_State* lua, std::size_t number);
[[noreturn]] void raise_kept(lua_State* lua);
void keep_error(lua_State* lua, std::exception_ptr error) noexcept;

template <class Work>
auto attempt(lua_State* lua, const Work& work) {
  try {
    return work();
  } catch (...) {
    keep_error(lua, std::current_exception());
  }
  raise_kept(lua);
}

template <class Action>
int push_done(lua_State* lua, Action&& action) {
  const Result<Done, Refusal> done = attempt(lua, action);
  if (!done) return push_refusal(lua, done.reason());
  return lua_pushboolean(lua, 1), 1;
}

template <class Action>
int push_made(lua_State* lua, Action&& action) {
  if (simulation(lua).plans().all().size() >= sim::PlanId::kPerDecision)
    require_plan(lua);
  const Result<sim::PlanId, Refusal> plan = attempt(lua, action);
  if (!plan) return push_refusal(lua, plan.reason());
  hold_plan(lua, plan.value());
  return push_plan(lua, plan.value()), 1;
}

// Turns into what `make()` returns where that is to stay: an object that is moved is
// copied in parts.
template <class Make>
struct MadeBy {
  const Make& make;
  // NOLINTNEXTLINE(google-explicit-constructor): the point
  operator sim::Selection() const { return make(); }
};

template <class Make>
int push_walk(lua_State* lua, const Make& make) {
  const auto number = new_walk(lua);
  attempt(lua, [&] { (void)border(lua).walks[number].emplace(MadeBy<Make>{make}); });
  return push_walk_number(lua, number);
}

}  // namespace berth::bindings
