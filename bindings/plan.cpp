// Plans and the book of reservations.

#include <array>
#include <cmath>

#include "bindings/kinds.hpp"
#include "bindings/machine_calls.hpp"
#include "bindings/value.hpp"
#include "engine/sim/book.hpp"
#include "engine/sim/policy.hpp"

namespace berth::bindings {

namespace plan_calls {
namespace {

// --- plans ---

const Plan& self_plan(lua_State* lua) {
  ++border(lua).crossings;
  const auto id = read_plan(lua, 1);
  return *attempt(lua, [&] { return &simulation(lua).plans().at(id); });
}

// Whether the plan admits the job if it starts now, frozen for an optional delay first.
std::optional<Admission> admission(lua_State* lua) {
  const auto& plan = self_plan(lua);
  auto& running = simulation(lua);
  const JobId job = read_job(lua, 2);
  if (!running.world().jobs().holds(job)) bad_argument(lua, 2, "this job has left");
  const auto& world = running.world();
  const auto planned = planned_now(world, job);
  Duration delay = planned.frozen;
  if (!lua_isnoneornil(lua, 3)) delay = read_seconds(lua, 3);
  if (delay < 0) bad_argument(lua, 3, "a delay cannot be negative");
  const Time begins = berth::after(running.world().now(), delay);
  const Time ends = berth::after(begins, planned.left);
  return attempt(lua, [&] { return running.parts().plans.admission(plan, job, ends); });
}

bool counts_tell(lua_State* lua) {
  const auto& hosts = simulation(lua).world().hosts();
  return hosts.traits().plans_by_count || hosts.kinds() != nullptr;
}

int admits(lua_State* lua) {
  const auto granted = admission(lua);
  if (!granted) return lua_pushnil(lua), 1;
  push_string(lua, *granted == Admission::kInTime ? "in_time" : "spare");
  return 1;
}

// All processors, or those that the plan can spare if the job is admitted only there.
int room(lua_State* lua) {
  if (!counts_tell(lua)) {
    luaL_error(lua,
               "room: on this machine no set of processors tells what a plan can "
               "spare; ask plan:admits(job)");
  }
  const auto granted = admission(lua);
  if (!granted) return lua_pushnil(lua), 1;
  const auto id = read_plan(lua, 1);
  const bool is_pinned =
      *granted == Admission::kSpare && simulation(lua).plans().at(id).room.has_value();
  push_room(lua, is_pinned ? std::optional(id) : std::nullopt);
  return 1;
}

int spare_of(lua_State* lua) {
  const auto& plan = self_plan(lua);
  const auto kind = read_kind(lua, 2);
  if (plan.outlook != nullptr) {
    const auto spare = plan.outlook->spare(kind);
    return spare ? push_amount(lua, kind, *spare) : (lua_pushnil(lua), 1);
  }
  if (!counts_tell(lua)) return lua_pushnil(lua), 1;
  lua_pushinteger(lua, plan.spare);
  return 1;
}

constexpr std::array kPlan{
    Primitive{"job", "", "Job", "The job that the plan is for.",
              "cluster:reserve(job).job == job"},
    Primitive{"start", "", "seconds",
              "Earliest start by expected ends (shadow time); now if the job fits now.",
              "cluster:reserve(job).start == 0"},
    Primitive{"spare", "", "integer?",
              "Processors left over at `start`; negative once overdrawn; nil on a "
              "network.",
              "cluster:reserve(job).spare == 2"},
    Primitive{"broken", "", "boolean", "Whether a start overdrew it.",
              "cluster:reserve(job).broken == false"},
    Primitive{"admits", "job: Job, delay?: seconds", "\"in_time\"|\"spare\"|nil",
              "Whether the job may start now, frozen for `delay` first: it ends by "
              "`start`, or "
              "fits beside the plan's job; nil: neither.",
              "cluster:reserve(job):admits(queue:tightest()) == nil", admits},
    Primitive{"room", "job: Job, delay?: seconds", "Processors?",
              "The processors that the job may use under the plan; nil if none.",
              "cluster:reserve(job):room(queue:tightest()) == nil", room},
    Primitive{"spare_of", "kind: string|integer", "integer?",
              "What is left over of one kind of resource; nil on a network.",
              "cluster:reserve(job):spare_of(\"processors\") == 2", spare_of},
};

bool push_plan_field(lua_State* lua, const Plan& plan, std::string_view key) {
  if (key == "start") return push_seconds(lua, plan.start), true;
  const bool has_spare =
      plan.outlook != nullptr ? plan.outlook->spare(0).has_value() : counts_tell(lua);
  if (key == "spare" && !has_spare) return lua_pushnil(lua), true;
  if (key == "spare") return lua_pushinteger(lua, plan.spare), true;
  if (key == "job") return push_job(lua, plan.job), true;
  if (key == "broken") return lua_pushboolean(lua, plan.broken()), true;
  return false;
}

// --- the book ---

sim::Book self_book(lua_State* lua) {
  ++border(lua).crossings;
  require_self(lua, border(lua).book_table, "book");
  return sim::Book(simulation(lua));
}

std::size_t read_order(lua_State* lua, int at) {
  return lua_isnoneornil(lua, at) ? border(lua).traits->default_order
                                  : read_view(lua, at);
}

int update(lua_State* lua) {
  static constexpr std::array<const char*, 4> kAnswers{"unchanged", "placed",
                                                       "compressed", "rebuilt"};
  auto book = self_book(lua);
  const auto order = read_order(lua, 2);
  auto compress = Compress::kEarlyEnds;
  if (!lua_isnoneornil(lua, 3)) {
    const auto when = read_text(lua, 3);
    if (when == "every_pass") {
      compress = Compress::kEveryPass;
    } else if (when == "start_now") {
      compress = Compress::kStartNow;
    } else if (when != "early_ends") {
      bad_argument(lua, 3, "\"early_ends\", \"every_pass\" or \"start_now\" expected");
    }
  }
  const auto done = attempt(lua, [&] { return book.update(order, compress); });
  lua_pushstring(lua, kAnswers[static_cast<std::size_t>(done)]);
  return 1;
}

int place(lua_State* lua) {
  auto book = self_book(lua);
  const JobId job = read_job(lua, 2);
  push_seconds(lua, attempt(lua, [&] { return book.place(job); }));
  return 1;
}

int drop(lua_State* lua) {
  auto book = self_book(lua);
  const JobId job = read_job(lua, 2);
  attempt(lua, [&] { book.drop(job); });
  return 0;
}

int of(lua_State* lua) {
  (void)self_book(lua);
  const JobId job = read_job(lua, 2);
  push_seconds(
      lua, attempt(lua, [&] { return simulation(lua).parts().world.book().of(job); }));
  return 1;
}

int rebuild(lua_State* lua) {
  auto book = self_book(lua);
  const auto order = read_order(lua, 2);
  attempt(lua, [&] { book.rebuild(order); });
  return 0;
}

int due(lua_State* lua) {
  (void)self_book(lua);
  const auto order = border(lua).traits->default_order;
  return push_walk(lua, [&] { return sim::Selection::due(order); });
}

int next_start(lua_State* lua) {
  (void)self_book(lua);
  auto& running = simulation(lua);
  const auto next = attempt(
      lua, [&] { return running.parts().world.book().next(running.world().now()); });
  if (next.value_or(kNever) == kNever) {
    lua_pushnil(lua);
    return 1;
  }
  // Beyond 2^51 ticks the nearest number of seconds may be that of a later tick, and a
  // wake-up then would miss the reservation.
  double shown = to_seconds(*next);
  if (ticks_from_seconds(shown).value_or(0) > *next) shown = std::nextafter(shown, 0.0);
  lua_pushnumber(lua, shown);
  return 1;
}

int earliest(lua_State* lua) {
  (void)self_book(lua);
  auto& running = simulation(lua);
  const auto amount = read_count(lua, 2, 1);
  const auto length = read_seconds(lua, 3);
  if (length <= 0) bad_argument(lua, 3, "a length must be more than 0");
  Time from = running.world().now();
  if (!lua_isnoneornil(lua, 4)) from = read_seconds(lua, 4);
  if (from < running.world().now()) bad_argument(lua, 4, "that time has passed");
  push_seconds(lua, attempt(lua, [&] {
                 return running.parts().world.book().earliest(amount, length, from,
                                                              running.world().now());
               }));
  return 1;
}

int free_at(lua_State* lua) {
  (void)self_book(lua);
  auto& running = simulation(lua);
  const auto time = read_seconds(lua, 2);
  if (time < running.world().now()) bad_argument(lua, 2, "that time has passed");
  lua_pushinteger(lua, attempt(lua, [&] {
                    return running.parts().world.book().free_at(time,
                                                                running.world().now());
                  }));
  return 1;
}

constexpr std::array kBook{
    Primitive{
        "update", "view?: View, compress?: string",
        "\"rebuilt\"|\"compressed\"|\"placed\"|\"unchanged\"",
        "Bring the book up to date: after a missed promise rebuild it in order; after "
        "an early end (or always, \"every_pass\") give every member its earliest "
        "start, "
        "never later than before (\"start_now\": only members that can then start at "
        "once); else place new members. Jobs that are not in the view lose their "
        "reservations.",
        "cluster:book():update() == \"placed\"", update},
    Primitive{"place", "job: Job", "seconds?",
              "Reserve the earliest start of one job, in place of the reservation it "
              "may have; nil: never.",
              "cluster:book():place(job) == cluster:now()", place},
    Primitive{"drop", "job: Job", "", "Give up the job's reservation, if it has one.",
              "cluster:book():drop(job) == nil", drop},
    Primitive{"of", "job: Job", "seconds?",
              "Reserved start of the job; nil if it has none.",
              "cluster:book():of(job) == nil", of},
    Primitive{
        "rebuild", "view?: View", "",
        "Make all reservations anew, in this order; jobs that are not in the view have "
        "none.",
        "(function() cluster:book():rebuild(queue) return cluster:book():of(job) == 0 "
        "end)()",
        rebuild},
    Primitive{
        "due", "", "Selection", "Members whose reservation is now or earlier.",
        "(function() cluster:book():update() for j in cluster:book():due() do return j "
        "== job end end)()",
        due},
    Primitive{"next", "", "seconds?",
              "Earliest reservation later than now; nil if there is none.",
              "cluster:book():next() == nil", next_start},
    Primitive{"earliest", "amount: integer, length: seconds, from?: seconds",
              "seconds?",
              "Earliest start at which `amount` processors stay free for `length`.",
              "cluster:book():earliest(1, 60) == cluster:now()", earliest},
    Primitive{"free_at", "time: seconds", "integer",
              "Processors neither expected to be busy nor reserved at `time`.",
              "cluster:book():free_at(0) == 4", free_at},
};

}  // namespace
}  // namespace plan_calls

std::span<const Primitive> plan_primitives() { return plan_calls::kPlan; }
std::span<const Primitive> book_primitives() { return plan_calls::kBook; }

int plan_member(lua_State* lua) {
  const auto& plan = plan_calls::self_plan(lua);
  if (lua_type(lua, 2) == LUA_TSTRING &&
      plan_calls::push_plan_field(lua, plan, read_text(lua, 2))) {
    return 1;
  }
  static const Family& methods = object_family("Plan");
  push_family(lua, methods);
  lua_pushvalue(lua, 2);
  if (lua_rawget(lua, -2) == LUA_TNIL)
    unknown_member(lua, 2, "a plan", Names(plan_calls::kPlan));
  return 1;
}

}  // namespace berth::bindings
