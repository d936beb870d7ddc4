// Two tiers (api 3.5).

#include <array>

#include "bindings/families.hpp"
#include "bindings/value.hpp"
#include "engine/hosts/two_tier.hpp"

namespace berth::bindings {

namespace {

// The machine of a call on cluster.tiers, which must have them.
sim::Simulation& tiers(lua_State* lua) {
  ++border(lua).crossings;
  auto& machine = simulation(lua);
  if (machine.tiers() == nullptr) luaL_error(lua, "this machine has no tiers");
  require_self(lua, border(lua).tiers_table, "cluster.tiers");
  return machine;
}

// Runs an action; pushes true, or nil and the reason.
template <class Action>
int answer(lua_State* lua, Action&& action) {
  std::optional<Refusal> refusal;
  attempt(lua, [&] {
    const auto done = action();
    if (!done) refusal = done.reason();
  });
  if (refusal) return push_refusal(lua, *refusal);
  return lua_pushboolean(lua, 1), 1;
}

int candidates(lua_State* lua) {
  push_view(lua, tiers(lua).candidates());
  return 1;
}

int start_background(lua_State* lua) {
  auto& machine = tiers(lua);
  const JobId job = read_job(lua, 2);
  return answer(lua, [&] { return machine.start_background(job); });
}

int promote(lua_State* lua, sim::Promotion how) {
  auto& machine = tiers(lua);
  const JobId job = read_job(lua, 2);
  const auto* within = read_room(lua, 3);
  return answer(lua, [&] { return machine.promote(job, how, within); });
}

int swap(lua_State* lua) { return promote(lua, sim::Promotion::kSwap); }
int restart(lua_State* lua) { return promote(lua, sim::Promotion::kRestart); }
int migrate(lua_State* lua) { return promote(lua, sim::Promotion::kMigrate); }

int freeze(lua_State* lua) {
  const auto& machine = tiers(lua);
  const JobId job = read_job(lua, 2);
  Duration span = 0;
  attempt(lua, [&] { span = machine.freeze_if_promoted(job); });
  push_seconds(lua, span);
  return 1;
}

int reserve(lua_State* lua) {
  auto& machine = tiers(lua);
  const JobId job = read_job(lua, 2);
  std::optional<sim::PlanId> plan;
  Refusal refusal{};
  attempt(lua, [&] {
    const auto made = machine.reserve_in_place(job);
    if (made) {
      plan = made.value();
    } else {
      refusal = made.reason();
    }
  });
  if (!plan) return push_refusal(lua, refusal);
  push_plan(lua, *plan);
  return 1;
}

// The process that argument `at` names, counted from 0.
std::size_t read_process(lua_State* lua, int at, JobId job) {
  const auto number = read_count(lua, at, 1);
  const lua_Integer size = simulation(lua).jobs().job(job).size;
  if (number > size) {
    bad_argument(lua, at, lua_pushfstring(lua, "the job has %I processes", size));
  }
  return static_cast<std::size_t>(number - 1);
}

int push_known(lua_State* lua, std::optional<double> use) {
  if (use) {
    lua_pushnumber(lua, *use);
  } else {
    lua_pushnil(lua);
  }
  return 1;
}

int use(lua_State* lua) {
  (void)tiers(lua);
  return push_use_of(lua, 2);
}

int above(lua_State* lua) {
  const auto& machine = tiers(lua);
  const JobId job = read_job(lua, 2);
  const auto process = read_process(lua, 3, job);
  if (!machine.in_background(job)) {
    bad_argument(lua, 2, "it does not run in the background: nobody is above it");
  }
  return push_known(lua, machine.tiers()->above(job, process));
}

constexpr std::array kPrimitives{
    Primitive{"candidates", "", "View", "Queue plus background jobs, by (submit, id).",
              "cluster.tiers:candidates():head() == job", candidates},
    Primitive{
        "start_background", "job: Job", "true?, refusal? why",
        "A waiting job onto usable background slots, least used foreground first.",
        "cluster.tiers:start_background(job) and job.tier == \"background\"",
        start_background},
    Primitive{"swap", "job: Job, room?: Processors", "true?, refusal? why",
              "A background job to the foreground in place.",
              "cluster.tiers:start_background(job) and cluster.tiers:swap(job)", swap},
    Primitive{"restart", "job: Job, room?: Processors", "true?, refusal? why",
              "A background job to the foreground elsewhere, from the beginning.",
              "cluster.tiers:start_background(job) and cluster.tiers:restart(job)",
              restart},
    Primitive{
        "migrate", "job: Job, room?: Processors", "true?, refusal? why",
        "A background job to the foreground elsewhere, frozen for the migration cost.",
        "cluster.tiers:start_background(job) and cluster.tiers:migrate(job)", migrate},
    Primitive{
        "freeze", "job: Job", "seconds",
        "How long it would stand still if moved up now; 0 if it waits or can swap.",
        "cluster.tiers:freeze(job) == 0", freeze},
    Primitive{"reserve", "job: Job", "Plan?, refusal? why",
              "As cluster:reserve, with a background job pinned to its processors.",
              "cluster.tiers:reserve(job).start == 0", reserve},
    Primitive{"use", "job: Job, i: integer", "number?",
              "Declared processor use of process i; nil if unknown.",
              "cluster.tiers:use(job, 1) <= 1", use},
    Primitive{
        "above", "job: Job, i: integer", "number?",
        "Declared use of the foreground process above process i of a background "
        "job; 0 if there is none, nil if unknown.",
        "cluster.tiers:start_background(job) and cluster.tiers:above(job, 1) == 0",
        above},
};

}  // namespace

std::span<const Primitive> tiers_primitives() { return kPrimitives; }

int push_use_of(lua_State* lua, int at) {
  const auto& machine = simulation(lua);
  if (machine.tiers() == nullptr) return luaL_error(lua, "this machine has no tiers");
  const JobId job = read_job(lua, at);
  const auto process = read_process(lua, at + 1, job);
  std::optional<double> declared;
  attempt(lua, [&] {
    declared = machine.tiers()->declared_use(machine.jobs().job(job).needs(), process);
  });
  return push_known(lua, declared);
}

}  // namespace berth::bindings
