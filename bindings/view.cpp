// Views: the queue and its other orders.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bindings/kinds.hpp"
#include "bindings/machine_calls.hpp"
#include "engine/base/spelling.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/jobs/label.hpp"

namespace berth::bindings {

namespace view_calls {
namespace {

using sim::Selection;

constexpr std::size_t kMostPlans = 64;

// The order of the view that a method was called on; counts a crossing.
std::size_t self_order(lua_State* lua) {
  ++border(lua).crossings;
  return read_view(lua, 1);
}

// The place of an optional job, behind which a selection begins.
std::optional<Place> read_place(lua_State* lua, int at, std::size_t order) {
  if (lua_isnoneornil(lua, at)) return std::nullopt;
  const JobId job = read_job(lua, at);
  return attempt(lua, [&] { return simulation(lua).place(job, order); });
}

int head(lua_State* lua) {
  const auto first = simulation(lua).queue(self_order(lua)).head();
  push_job(lua, first ? std::optional(first->job) : std::nullopt);
  return 1;
}

int length(lua_State* lua) {
  const auto members = simulation(lua).orders().all(self_order(lua)).length();
  lua_pushinteger(lua, static_cast<lua_Integer>(members));
  return 1;
}

int all(lua_State* lua) {
  const auto order = self_order(lua);
  return push_walk(lua, [&] { return Selection::all(order); });
}

int shown(lua_State* lua) {
  const auto order = self_order(lua);
  return push_walk(lua, [&] { return Selection::shown(order); });
}

int after(lua_State* lua) {
  const auto order = self_order(lua);
  (void)read_job(lua, 2);
  const auto place = read_place(lua, 2, order);
  return push_walk(lua, [&] { return Selection::shown(order, place); });
}

int startable(lua_State* lua) {
  const auto order = self_order(lua);
  return push_walk(lua, [&] { return Selection::startable(order); });
}

// A bound that a machine names.  Raises on other machines.
Selection::Most read_bound(lua_State* lua, int at) {
  const auto name = read_text(lua, at);
  lua_pushliteral(lua, "a job");
  for (const auto& calls : machine_calls()) {
    for (const auto& bound : calls.fitting) {
      const bool is_mine = border(lua).machine == &calls;
      if (bound.name == name && !is_mine) no_family(lua, bound.family);
      if (bound.name == name) return bound.most;
      lua_pushfstring(lua, " or \"%s\"", bound.name.data());
      lua_concat(lua, 2);
    }
  }
  lua_pushliteral(lua, " expected");
  lua_concat(lua, 2);
  bad_argument(lua, at, lua_tostring(lua, -1));
}

int fitting(lua_State* lua) {
  const auto order = self_order(lua);
  if (lua_type(lua, 2) == LUA_TSTRING) {
    const auto most = read_bound(lua, 2);
    return push_walk(lua, [&] { return Selection::up_to(order, most); });
  }
  const auto place = read_place(lua, 2, order);
  return push_walk(lua, [&] { return Selection::fitting(order, place); });
}

int backfillable(lua_State* lua) {
  const auto order = self_order(lua);
  // A raise would leak a vector; clearing 64 plans would cost more than the search.
  std::array<sim::PlanId, kMostPlans> plans;  // NOLINT(*-member-init)
  std::size_t count = 0;
  int at = 2;
  do {
    if (count == kMostPlans) return luaL_error(lua, "at most 64 plans at once");
    plans[count++] = read_plan(lua, at);
  } while (is_kind(lua, ++at, Kind::kPlan));
  const auto depth = lua_isnoneornil(lua, at) ? sim::kAnyDepth : read_count(lua, at, 0);
  return push_walk(lua, [&] {
    return Selection::backfillable(simulation(lua), order,
                                   std::span(plans).first(count), depth);
  });
}

// One number for each kind of resource of the machine.
std::span<const double> read_weights(lua_State* lua, int at,
                                     std::array<double, kMostKinds>& weights) {
  const auto kinds = kind_count(simulation(lua).world());
  if (!lua_istable(lua, at)) expected(lua, at, "a list of weights");
  if (lua_rawlen(lua, at) != kinds) {
    bad_argument(lua, at,
                 lua_pushfstring(lua, "a weight for each kind expected: there are %I",
                                 static_cast<lua_Integer>(kinds)));
  }
  lua_Integer kind = 0;
  for (auto& each : std::span(weights).first(kinds)) {
    lua_rawgeti(lua, at, ++kind);
    const auto weight = exact_number(lua, -1);
    if (!weight) {
      bad_argument(lua, at,
                   lua_pushfstring(lua, "a weight expected for kind %I, got %s", kind,
                                   push_inexact(lua, -1)));
    }
    each = *weight;
    lua_pop(lua, 1);
  }
  return std::span(weights).first(kinds);
}

int tightest(lua_State* lua) {
  const auto order = self_order(lua);
  std::array<double, kMostKinds> room;  // NOLINT(*-member-init)
  std::span<const double> weights;
  if (!lua_isnoneornil(lua, 2)) weights = read_weights(lua, 2, room);
  push_job(lua, attempt(lua, [&] {
             return sim::tightest(simulation(lua), order, weights);
           }));
  return 1;
}

// The members of the view `self`, all or of one user, in another order.
int push_same_members(lua_State* lua, std::size_t self, std::size_t order) {
  auto& orders = simulation(lua).parts().orders;
  const auto user = orders.user_of(self);
  if (user) order = attempt(lua, [&] { return orders.of_user(order, *user); });
  push_view(lua, order);
  return 1;
}

int by(lua_State* lua) {
  const auto self = self_order(lua);
  const auto wanted = read_text(lua, 2);
  const auto& orders = border(lua).traits->orders;
  if (wanted == kSubmit) return push_same_members(lua, self, 0);
  if (wanted == kFairShare) {
    refuse_unnamed_shares(lua);
    const auto order = border(lua).traits->fair_share();
    attempt(lua, [&] { (void)simulation(lua).queue(order); });
    return push_same_members(lua, self, order);
  }
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (orders[i].name == wanted) return push_same_members(lua, self, i + 1);
  }
  Names known;
  known.add(kSubmit);
  known.add(kFairShare);
  for (const auto& declared : orders) known.add(declared.name);
  const auto near = nearest(wanted, known.all());
  const char* shown = push_short(lua, wanted);
  bad_argument(lua, 2,
               near.empty()
                   ? lua_pushfstring(lua, "the policy declares no order '%s'", shown)
                   : lua_pushfstring(lua,
                                     "the policy declares no order '%s' (did you mean "
                                     "'%s'?)",
                                     shown, near.data()));
}

// Upvalues: the numbers as a list, how many were shown.
int users_next(lua_State* lua) {
  ++border(lua).crossings;
  const auto at = lua_tointeger(lua, lua_upvalueindex(2)) + 1;
  lua_pushinteger(lua, at);
  lua_replace(lua, lua_upvalueindex(2));
  lua_rawgeti(lua, lua_upvalueindex(1), at);
  return 1;
}

int users(lua_State* lua) {
  const auto& running = simulation(lua);
  const auto members = running.queue(self_order(lua));
  lua_newtable(lua);  // by user: true
  const int seen = lua_gettop(lua);
  lua_newtable(lua);
  lua_Integer count = 0;
  for (auto place = members.head(); place; place = members.next(&*place)) {
    const auto user = label_number(running.world().jobs().job(place->job).user);
    if (lua_rawgeti(lua, seen, user) == LUA_TNIL) {
      lua_pushboolean(lua, 1);
      lua_rawseti(lua, seen, user);
      lua_pushinteger(lua, user);
      lua_rawseti(lua, seen + 1, ++count);
    }
    lua_pop(lua, 1);
  }
  lua_pushinteger(lua, 0);
  lua_pushcclosure(lua, users_next, 2);
  return 1;
}

int of(lua_State* lua) {
  const auto order = self_order(lua);
  std::int32_t user = kUnknown;
  if (is_kind(lua, 2, Kind::kJob)) {
    user = simulation(lua).world().jobs().job(read_job(lua, 2)).user;
  } else {
    user = label_code(std::min(read_count(lua, 2, kUnknown), kLargestLabel));
  }
  push_view(lua, attempt(lua, [&] {
              return simulation(lua).parts().orders.of_user(order, user);
            }));
  return 1;
}

int why_not(lua_State* lua) {
  (void)self_order(lua);
  const JobId job = read_job(lua, 2);
  std::optional<sim::PlanId> plan;
  if (!lua_isnoneornil(lua, 3)) plan = read_plan(lua, 3);
  const auto reason =
      attempt(lua, [&] { return simulation(lua).actions().why_not(job, plan); });
  if (!reason) return lua_pushnil(lua), 1;
  push_string(lua, name(reason->reason));
  lua_pushinteger(lua, reason->needed);
  lua_pushinteger(lua, reason->available);
  push_job(lua, reason->by);
  if (reason->kind.empty()) return 4;
  push_string(lua, reason->kind);
  return 5;
}

constexpr std::array kPrimitives{
    Primitive{"head", "", "Job?", "First member; nil if the view is empty.",
              "queue:head() == job", head},
    Primitive{"length", "", "integer", "Number of members, barred ones among them.",
              "queue:length() == 2", length},
    Primitive{"all", "", "Selection",
              "Every member, in order, also one that a limit bars from starting.",
              "(function() for j in queue:all() do return j == job end end)()", all},
    Primitive{"shown", "", "Selection",
              "Every member that no limit bars (see [limits]), in order: all of them "
              "where there are none. The selections below show no others, either.",
              "(function() for j in queue:shown() do return j == job end end)()",
              shown},
    Primitive{"after", "job: Job", "Selection", "Members behind `job`.",
              "(function() for j in queue:after(job) do return j.size == 4 end end)()",
              after},
    Primitive{"startable", "", "Selection",
              "Members in order while they fit; ends at the first that does not.",
              "(function() for j in queue:startable() do return j == job end end)()",
              startable},
    Primitive{
        "fitting", "after?: Job|\"background\"", "Selection",
        "Members (behind `after`) that fit now; with \"background\", members that fit "
        "the usable background slots.",
        "(function() for j in queue:fitting(job) do return j.size == 4 end end)()",
        fitting},
    Primitive{
        "backfillable", "plan: Plan, ...: Plan|integer", "Selection",
        "Members behind the last plan's job that fit now and that every plan admits; "
        "with a number last, only among the first so many members behind that job.",
        "(function() cluster:start(job); local plan = cluster:reserve(queue:head()); "
        "for j in queue:backfillable(plan) do return false end return true end)()",
        backfillable},
    Primitive{
        "tightest", "weights?: number[]", "Job?",
        "The fitting member that leaves the least idle: the part of each kind of "
        "resource, times its weight (1 each without a list), in sum; ties (1e-12) "
        "in order; nil if none.",
        "queue:tightest().size == 4 and queue:tightest({ -1 }).size == 2", tightest},
    Primitive{
        "by", "order: string", "View",
        "The same members in an order that the policy declares, in \"submit\" or in "
        "\"fair_share\"; ties by (submit, id).",
        "queue:by(\"widest\"):head().size == 4", by},
    Primitive{"users", "", "fun(): integer?",
              "The numbers of the users with members in the view, by their first "
              "members, as of the call; -1: jobs that name none.",
              "(function() for user in queue:users() do return user == 7 end end)()",
              users},
    Primitive{
        "of", "who: Job|integer", "View",
        "The members of one user, in the order of the view; -1: jobs that name no "
        "user.",
        "queue:of(7):head() == job and queue:of(job):length() == 1", of},
    Primitive{"why_not", "job: Job, plan?: Plan",
              "refusal?, integer? needed, integer? available, Job? by, string? kind",
              "Nil if the job could start now (under the plan), else the reason; on a "
              "machine with several kinds of resource the first that lacks, in whose "
              "unit the two numbers are, or \"chunks\" where no set of hosts has room "
              "for them.",
              "queue:why_not(job) == nil", why_not},
};

}  // namespace
}  // namespace view_calls

std::span<const Primitive> view_primitives() { return view_calls::kPrimitives; }

std::string members_text(const char* what, const QueueView& members,
                         const JobTable& jobs) {
  constexpr int kShown = 20;
  auto text = fmt::format("{} of {} job{}", what, members.length(),
                          members.length() == 1 ? "" : "s");
  int shown = 0;
  for (auto at = members.head(); at; at = members.next(&*at)) {
    if (shown++ == kShown) return text + ", ...";
    text += fmt::format("{} {}", shown == 1 ? ":" : ",", jobs.job(at->job).id);
  }
  return text;
}

int view_member(lua_State* lua) {
  lua_rawgeti(lua, LUA_REGISTRYINDEX, border(lua).view_methods);
  lua_pushvalue(lua, 2);
  if (lua_rawget(lua, -2) == LUA_TNIL)
    unknown_member(lua, 2, "a view", Names(view_calls::kPrimitives));
  return 1;
}

}  // namespace berth::bindings
