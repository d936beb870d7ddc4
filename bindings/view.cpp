// Views: the queue and its other orders.

#include <array>

#include "bindings/tiers.hpp"
#include "bindings/value.hpp"

namespace berth::bindings {

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
  const auto members = simulation(lua).queue(self_order(lua)).length();
  lua_pushinteger(lua, static_cast<lua_Integer>(members));
  return 1;
}

int all(lua_State* lua) {
  const auto order = self_order(lua);
  return push_walk(lua, [&] { return Selection::all(order); });
}

int after(lua_State* lua) {
  const auto order = self_order(lua);
  (void)read_job(lua, 2);
  const auto place = read_place(lua, 2, order);
  return push_walk(lua, [&] { return Selection::all(order, place); });
}

int startable(lua_State* lua) {
  const auto order = self_order(lua);
  return push_walk(lua, [&] { return Selection::startable(order); });
}

int fitting(lua_State* lua) {
  const auto order = self_order(lua);
  if (lua_type(lua, 2) == LUA_TSTRING) {
    if (read_text(lua, 2) == "background") return push_fitting_background(lua, order);
    bad_argument(lua, 2, "a job or \"background\" expected");
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
  for (; is_kind(lua, at, Kind::kPlan); ++at) {
    if (count == kMostPlans) return luaL_error(lua, "at most 64 plans at once");
    plans[count++] = read_plan(lua, at);
  }
  if (count == 0) (void)read_plan(lua, 2);
  std::optional<std::int64_t> depth;
  if (!lua_isnoneornil(lua, at)) depth = read_count(lua, at, 0);
  return push_walk(lua, [&] {
    return Selection::backfillable(simulation(lua), order,
                                   std::span(plans).first(count), depth);
  });
}

int tightest(lua_State* lua) {
  push_job(lua, sim::tightest(simulation(lua), self_order(lua)));
  return 1;
}

int by(lua_State* lua) {
  (void)self_order(lua);
  const auto wanted = read_text(lua, 2);
  if (wanted == "submit") return push_view(lua, 0), 1;
  const auto& orders = border(lua).traits->orders;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (orders[i].name != wanted) continue;
    push_view(lua, i + 1);
    return 1;
  }
  bad_argument(
      lua, 2, lua_pushfstring(lua, "the policy declares no order '%s'", wanted.data()));
}

int why_not(lua_State* lua) {
  (void)self_order(lua);
  const JobId job = read_job(lua, 2);
  std::optional<sim::PlanId> plan;
  if (!lua_isnoneornil(lua, 3)) plan = read_plan(lua, 3);
  const auto reason = attempt(lua, [&] { return simulation(lua).why_not(job, plan); });
  if (!reason) return lua_pushnil(lua), 1;
  push_string(lua, name(reason->reason));
  lua_pushinteger(lua, reason->needed);
  lua_pushinteger(lua, reason->available);
  push_job(lua, reason->by);
  return 4;
}

constexpr std::array kPrimitives{
    Primitive{"head", "", "Job?", "First member; nil if the view is empty.",
              "queue:head() == job", head},
    Primitive{"length", "", "integer", "Number of members.", "queue:length() == 2",
              length},
    Primitive{"all", "", "Selection", "Every member, in order.",
              "(function() for j in queue:all() do return j == job end end)()", all},
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
        "tightest", "", "Job?",
        "The fitting member that leaves the least idle; ties in order; nil if none.",
        "queue:tightest().size == 4", tightest},
    Primitive{
        "by", "order: string", "View",
        "The same members in an order that the policy declares, ties by (submit, id).",
        "queue:by(\"widest\"):head().size == 4", by},
    Primitive{"why_not", "job: Job, plan?: Plan",
              "refusal?, integer? needed, integer? available, Job? by",
              "Nil if the job could start now (under the plan), else the reason.",
              "queue:why_not(job) == nil", why_not},
};

}  // namespace

std::span<const Primitive> view_primitives() { return kPrimitives; }

int view_member(lua_State* lua) {
  lua_rawgeti(lua, LUA_REGISTRYINDEX, border(lua).view_methods);
  lua_pushvalue(lua, 2);
  if (lua_rawget(lua, -2) == LUA_TNIL)
    unknown_member(lua, 2, "a view", Names(kPrimitives));
  return 1;
}

}  // namespace berth::bindings
