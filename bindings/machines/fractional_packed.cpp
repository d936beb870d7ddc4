// Packings, and the jobs of an instance.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bindings/machines/fractional_packing.hpp"
#include "engine/machines/fractional/pack/raise.hpp"

namespace berth::bindings {

namespace {

// Jobs of an instance: call * 2^20 + number within it.
constexpr std::uint64_t kPerInstance = std::uint64_t{1} << 20U;

Packings::Held& self_packed(lua_State* lua) {
  ++border(lua).crossings;
  auto& desk = packings(lua);
  return desk.held(read_of_decision(lua, 1, packing_kind()));
}

// The number of a job within the problem of the packing.
int read_packed_job(lua_State* lua, const Packings::Subject& subject, int at) {
  const auto found = subject.find(read_packed_number(lua, at));
  if (!found) bad_argument(lua, at, "the packing does not have this job");
  return *found;
}

int yield_of(lua_State* lua) {
  const auto& held = self_packed(lua);
  const int job = read_packed_job(lua, *held.subject, 2);
  return lua_pushnumber(lua, held.packing.yields[job]), 1;
}

int host_of(lua_State* lua) {
  const auto& held = self_packed(lua);
  const int job = read_packed_job(lua, *held.subject, 2);
  const auto& items = held.subject->problem->items;
  const auto task = lua_isnoneornil(lua, 3) ? 1 : read_count(lua, 3, 1);
  const lua_Integer tasks = items.needs(job).tasks;
  if (task > tasks) {
    bad_argument(lua, 3, lua_pushfstring(lua, "the job has %I tasks", tasks));
  }
  const auto index = items.first(job) + static_cast<int>(task) - 1;
  return lua_pushinteger(lua, held.packing.hosts[index]), 1;
}

// Upvalues: the packing, and how many jobs were shown.
int next_job(lua_State* lua) {
  ++border(lua).crossings;
  auto& desk = packings(lua);
  const auto& subject =
      *desk.held(read_of_decision(lua, lua_upvalueindex(1), packing_kind())).subject;
  const auto shown = lua_tointeger(lua, lua_upvalueindex(2));
  const auto job = static_cast<int>(shown);
  if (job >= subject.problem->items.jobs()) return lua_pushnil(lua), 1;
  lua_pushinteger(lua, shown + 1);
  lua_replace(lua, lua_upvalueindex(2));
  return push_packed_number(lua, subject.number(job)), 1;
}

int jobs(lua_State* lua) {
  (void)self_packed(lua);
  lua_pushvalue(lua, 1);
  lua_pushinteger(lua, 0);
  lua_pushcclosure(lua, next_job, 2);
  return 1;
}

int raised(lua_State* lua) {
  const auto& held = self_packed(lua);
  auto how = std::optional(pack::Raising::kAverage);
  if (!lua_isnoneornil(lua, 2)) how = pack::raising(read_text(lua, 2));
  if (!how) bad_argument(lua, 2, "\"average\", \"max_min\" or \"none\" expected");
  const auto& subject = *held.subject;
  const int pushed = push_packed(lua, subject, [&] {
    return pack::raised(*subject.problem, budget(lua), held.packing, *how);
  });
  auto& desk = packings_in_use(lua);
  desk.held(desk.count() - 1).is_raised = true;
  return pushed;
}

constexpr std::array kPacked{
    Primitive{"yield", "", "number", "The smallest yield of a job.",
              "packing:mcb(jobs).yield == 1"},
    Primitive{"mean_yield", "", "number", "The mean yield over jobs.",
              "packing:mcb(jobs).mean_yield == 1"},
    Primitive{"moved", "", "number",
              "Memory of the tasks that would change host, in GiB.",
              "packing:mcb(jobs).moved == 0"},
    Primitive{"migrations", "", "integer", "Jobs that would change host.",
              "packing:mcb(jobs).migrations == 0"},
    Primitive{"yield_of", "job: Job", "number", "The yield of a job.",
              "packing:mcb(jobs):yield_of(job) == 1", yield_of},
    Primitive{"host_of", "job: Job, task?: integer", "integer",
              "The host of a task, counted from 1 (1).",
              "packing:greedy(jobs):host_of(job) == 0", host_of},
    Primitive{"jobs", "", "fun(): Job?", "Walk its jobs, by number.",
              "packing:mcb(jobs):jobs()() == job", jobs},
    Primitive{"raised", "how?: string", "Packed",
              "The same with what is left of the hosts given out: \"average\", "
              "\"max_min\" or \"none\".",
              "packing:mcb(jobs):raised().mean_yield == 1", raised},
};

bool push_packed_field(lua_State* lua, const Packings::Held& held,
                       std::string_view key) {
  const auto& packing = held.packing;
  if (key == "yield") return lua_pushnumber(lua, packing.yield), true;
  if (key == "mean_yield") return lua_pushnumber(lua, packing.mean_yield()), true;
  if (key != "moved" && key != "migrations") return false;
  const auto moved = pack::moved(*held.subject->problem, packing.hosts);
  if (key == "moved") {
    const double gib = moved.memory * packings_in_use(lua).host_memory();
    return lua_pushnumber(lua, gib), true;
  }
  return lua_pushinteger(lua, moved.jobs), true;
}

}  // namespace

void push_item(lua_State* lua, int job) {
  const auto call = static_cast<std::uint64_t>(packings_at_hand(lua)->number());
  push_handle(lua, call * kPerInstance + static_cast<std::uint64_t>(job), Kind::kJob);
}

int read_item(lua_State* lua, int at) {
  const auto handle = read_number(lua, at, Kind::kJob);
  if (!handle) bad_argument(lua, at, "a job expected");
  const auto call = static_cast<std::uint64_t>(packings_at_hand(lua)->number());
  if (*handle / kPerInstance != call) {
    bad_argument(lua, at, "this job belongs to an earlier instance");
  }
  return static_cast<int>(*handle % kPerInstance);
}

std::string Packings::where() const {
  return fmt::format("instance {}", task_->instance);
}

std::int64_t Packings::read_rank(lua_State* lua, int at) { return read_item(lua, at); }

std::string Packings::job_text(std::uint64_t number) const {
  const auto job = number % kPerInstance;
  const auto& items = task_->problem.items;
  if (std::cmp_greater_equal(job, items.jobs())) return "job";
  return fmt::format("job {}", items.needs(static_cast<int>(job)).number);
}

std::span<const Primitive> packed_primitives() { return kPacked; }

int packing_member(lua_State* lua) {
  const auto& held = self_packed(lua);
  if (lua_type(lua, 2) == LUA_TSTRING &&
      push_packed_field(lua, held, read_text(lua, 2))) {
    return 1;
  }
  static const Family& methods = object_family("Packed");
  push_family(lua, methods);
  lua_pushvalue(lua, 2);
  if (lua_rawget(lua, -2) == LUA_TNIL) {
    unknown_member(lua, 2, "a packing", Names(kPacked));
  }
  return 1;
}

int Packings::job_member(lua_State* lua) {
  const auto& needs = task_->problem.items.needs(read_item(lua, 1));
  const auto key = lua_type(lua, 2) == LUA_TSTRING ? read_text(lua, 2) : "";
  if (key == "cpu") return lua_pushnumber(lua, needs.cpu), 1;
  if (key == "memory") return lua_pushnumber(lua, needs.memory), 1;
  if (key == "size") return lua_pushinteger(lua, needs.tasks), 1;
  if (key == "id") return lua_pushinteger(lua, needs.number), 1;
  static constexpr std::array<std::string_view, 4> kKnown{"cpu", "id", "memory",
                                                          "size"};
  Names known;
  for (const auto name : kKnown) known.add(name);
  unknown_member(lua, 2, "a job of a packing study", known);
}

}  // namespace berth::bindings
