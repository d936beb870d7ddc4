// Workloads whose jobs name users: cluster.shares.

#include "engine/share/shares.hpp"

#include <algorithm>
#include <array>

#include "bindings/kinds.hpp"
#include "engine/jobs/label.hpp"

namespace berth::bindings {

namespace shares_calls {
namespace {

// REQUIRES: the run has the family.
const Shares& shares(lua_State* lua) {
  ++border(lua).crossings;
  return *simulation(lua).world().shares();
}

// A job, or the number of a user who has submitted one.
Shares::Number read_user(lua_State* lua, int at) {
  const auto& known = *simulation(lua).world().shares();
  if (is_kind(lua, at, Kind::kJob)) {
    return known.of(simulation(lua).world().jobs().job(read_job(lua, at)));
  }
  const auto number = read_count(lua, at, kUnknown);
  const bool fits = number <= kLargestLabel;
  const auto found = fits ? known.find(label_code(number)) : std::nullopt;
  if (!found) {
    bad_argument(lua, at,
                 lua_pushfstring(lua, "no job of user %I has been submitted",
                                 static_cast<lua_Integer>(number)));
  }
  return *found;
}

int push_real(lua_State* lua, double value) { return lua_pushnumber(lua, value), 1; }

int usage(lua_State* lua) {
  const auto now = simulation(lua).world().now();
  return push_real(lua, shares(lua).usage(read_user(lua, 2), now));
}

int weight(lua_State* lua) {
  return push_real(lua, shares(lua).weight(read_user(lua, 2)));
}

int factor(lua_State* lua) {
  const auto& known = shares(lua);
  const auto user = read_user(lua, 2);
  const auto now = simulation(lua).world().now();
  return push_real(lua, attempt(lua, [&] { return known.factor(user, now); }));
}

int rank(lua_State* lua) {
  const auto& known = shares(lua);
  const auto user = read_user(lua, 2);
  const auto now = simulation(lua).world().now();
  lua_pushinteger(lua, attempt(lua, [&] { return known.rank(user, now); }));
  return 1;
}

int held(lua_State* lua) {
  const auto& known = shares(lua);
  const auto user = read_user(lua, 2);
  const auto kind = read_kind_if_any(lua, 3);
  return push_amount(lua, kind, known.held(user, kind));
}

int dominant(lua_State* lua) {
  return push_real(lua, shares(lua).dominant(read_user(lua, 2)));
}

int turns(lua_State* lua) {
  (void)shares(lua);
  return push_walk(lua, [] { return sim::Selection::fitting(sim::Orders::kTurns); });
}

int waiting(lua_State* lua) {
  return lua_pushinteger(lua, shares(lua).waiting(read_user(lua, 2))), 1;
}

constexpr std::array kPrimitives{
    Primitive{"usage", "who: Job|integer", "number",
              "What the user has been charged, decayed, in processor seconds.",
              "cluster.shares:usage(job) == 0", usage},
    Primitive{"weight", "who: Job|integer", "number",
              "The user's weight: 1 unless the scenario says another one.",
              "cluster.shares:weight(7) == 1", weight},
    Primitive{"factor", "who: Job|integer", "number",
              "How well the user stands, from 0 to 1; 1 while no user has usage.",
              "cluster.shares:factor(job) == 1", factor},
    Primitive{"rank", "who: Job|integer", "integer",
              "The user's place by the rule of the scenario; 1 is served first, equals "
              "share a place.",
              "cluster.shares:rank(7) == 1", rank},
    Primitive{"held", "who: Job|integer, kind?: string|integer", "integer",
              "What the user's running jobs hold now (default: processors).",
              "cluster:start(job) and cluster.shares:held(7) == 2", held},
    Primitive{"dominant", "who: Job|integer", "number",
              "The largest part of the capacity of any kind that the user holds now.",
              "cluster:start(job) and cluster.shares:dominant(job) == 0.5", dominant},
    Primitive{
        "turns", "", "Selection",
        "The first job of each user that fits now, the user first with the "
        "smallest dominant share for its weight, asked anew after each; a user "
        "whose job is not started is passed over.",
        "(function() for j in cluster.shares:turns() do return j == job end end)()",
        turns},
    Primitive{"waiting", "who: Job|integer", "integer",
              "How many of the user's jobs are in the queue.",
              "cluster.shares:waiting(7) == 1", waiting},
};

}  // namespace
}  // namespace shares_calls

std::span<const Primitive> shares_primitives() { return shares_calls::kPrimitives; }

}  // namespace berth::bindings
