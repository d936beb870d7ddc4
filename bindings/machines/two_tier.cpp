// Machines with two tiers: cluster.tiers, and their part in other members.

#include <array>

#include "bindings/machine_calls.hpp"
#include "engine/machines/two_tier/tier_actions.hpp"

namespace berth::bindings {

namespace tiers_calls {
namespace {

const Tiers& tiers(lua_State* lua) {
  const auto* found = capability<Tiers>(simulation(lua).world().hosts());
  if (found == nullptr) no_family(lua, "tiers");
  return *found;
}

int candidates(lua_State* lua) {
  push_view(lua, simulation(lua).world().traits().candidates());
  return 1;
}

int start_background(lua_State* lua) {
  auto& machine = simulation(lua);
  const JobId job = read_job(lua, 2);
  return push_done(lua,
                   [&] { return sim::TierActions(machine).start_background(job); });
}

int promote(lua_State* lua, Promotion how) {
  auto& machine = simulation(lua);
  const JobId job = read_job(lua, 2);
  const auto* where = read_room(lua, 3);
  return push_done(lua,
                   [&] { return sim::TierActions(machine).promote(job, how, where); });
}

int swap(lua_State* lua) { return promote(lua, Promotion::kSwap); }
int restart(lua_State* lua) { return promote(lua, Promotion::kRestart); }
int migrate(lua_State* lua) { return promote(lua, Promotion::kMigrate); }

int freeze(lua_State* lua) {
  auto& machine = simulation(lua);
  const JobId job = read_job(lua, 2);
  push_seconds(lua, attempt(lua, [&] {
                 return sim::TierActions(machine).freeze_if_promoted(job);
               }));
  return 1;
}

int reserve(lua_State* lua) {
  auto& machine = simulation(lua);
  const JobId job = read_job(lua, 2);
  return push_made(lua,
                   [&] { return sim::TierActions(machine).reserve_in_place(job); });
}

// The process named by argument `at`, counted from 0.
std::size_t read_process(lua_State* lua, int at, JobId job) {
  const auto number = read_count(lua, at, 1);
  const lua_Integer size = simulation(lua).world().jobs().job(job).size;
  if (number > size) {
    bad_argument(lua, at, lua_pushfstring(lua, "the job has %I processes", size));
  }
  return static_cast<std::size_t>(number - 1);
}

int push_use(lua_State* lua, std::optional<double> use) {
  if (!use) return lua_pushnil(lua), 1;
  return lua_pushnumber(lua, *use), 1;
}

// Pushes the declared use of a process of a job; its arguments job and process (counted
// from 1) start at stack index `at`.
int push_declared_use(lua_State* lua, int at) {
  const auto& machine = simulation(lua);
  const auto& known = tiers(lua);
  const JobId job = read_job(lua, at);
  const auto process = read_process(lua, at + 1, job);
  return push_use(lua, attempt(lua, [&] {
                    return known.declared_use(
                        job, machine.world().jobs().job(job).demand(), process);
                  }));
}

int use(lua_State* lua) { return push_declared_use(lua, 2); }

int use_of_job(lua_State* lua) { return push_declared_use(lua, 1); }

int above(lua_State* lua) {
  const auto& machine = simulation(lua);
  const JobId job = read_job(lua, 2);
  const auto process = read_process(lua, 3, job);
  if (!machine.world().jobs().runs_without_expected_end(job)) {
    bad_argument(lua, 2, "the job does not run in the background");
  }
  return push_use(lua, tiers(lua).use_above(job, process));
}

int jobs_above(lua_State* lua) {
  const auto& machine = simulation(lua);
  const JobId job = read_job(lua, 2);
  if (!machine.world().jobs().runs_without_expected_end(job)) {
    bad_argument(lua, 2, "the job does not run in the background");
  }
  return push_walk(lua,
                   [&] { return sim::Selection::listed(tiers(lua).jobs_above(job)); });
}

constexpr std::array kPrimitives{
    Primitive{"candidates", "", "View",
              "The queue and the background jobs, by (submit, id).",
              "cluster.tiers:candidates():head() == job", candidates},
    Primitive{"start_background", "job: Job", "true?, refusal? why",
              "Start a waiting job on usable background slots, those under the least "
              "used foreground first.",
              "cluster.tiers:start_background(job) and job.tier == \"background\"",
              start_background},
    Primitive{"swap", "job: Job, room?: Processors", "true?, refusal? why",
              "Move a background job to the foreground of its processors.",
              "cluster.tiers:start_background(job) and cluster.tiers:swap(job)", swap},
    Primitive{"restart", "job: Job, room?: Processors", "true?, refusal? why",
              "Move a background job to the foreground elsewhere; it starts anew.",
              "cluster.tiers:start_background(job) and cluster.tiers:restart(job)",
              restart},
    Primitive{
        "migrate", "job: Job, room?: Processors", "true?, refusal? why",
        "Move a background job to the foreground elsewhere, with its progress; it "
        "is frozen for the migration delay.",
        "cluster.tiers:start_background(job) and cluster.tiers:migrate(job)", migrate},
    Primitive{"freeze", "job: Job", "seconds",
              "How long the job would be frozen if promoted now; 0 if it waits or can "
              "swap.",
              "cluster.tiers:freeze(job) == 0", freeze},
    Primitive{"reserve", "job: Job", "Plan?, refusal? why",
              "As cluster:reserve, for a background job that stays on its processors.",
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
    Primitive{"jobs_above", "job: Job", "Selection",
              "Walk the foreground jobs above the processes of a background job, by "
              "(submit, id).",
              "(function() cluster.tiers:start_background(job) for above in "
              "cluster.tiers:jobs_above(job) do return false end return true end)()",
              jobs_above},
};

void push_tier(const JobFieldAt& at) {
  if (at.entry.state != JobState::kRunning) return lua_pushnil(at.lua);
  const auto& placement = at.simulation.world().hosts().placement(at.id);
  push_string(at.lua, name(placement.form_if<TierSlots>()->tier));
}

constexpr std::array kFamilies{
    Family{"Tiers", "cluster.tiers",
           "Foreground and background slots (machines with two tiers).", kPrimitives,
           [](const sim::World& world) {
             return capability<Tiers>(world.hosts()) != nullptr;
           }}};

constexpr std::array kOfJob{
    JobField{
        {"tier", "", "tier?", "The tier it runs in; nil on a machine without tiers.",
         "job.tier == nil"},
        push_tier},
    JobField{{"declared_use", "i: integer", "number?",
              "Declared processor use of process i (machines with tiers).",
              "not pcall(job.declared_use, job, 1)", use_of_job},
             [](const JobFieldAt& at) { lua_pushcfunction(at.lua, use_of_job); }}};

constexpr std::array kFitting{FittingBound{
    "background", "tiers", [](const sim::Simulation& running) {
      return capability<Tiers>(running.world().hosts())->usable_background();
    }}};

}  // namespace
}  // namespace tiers_calls

MachineCalls two_tier_calls() {
  MachineCalls calls{"two_tier"};
  calls.families = tiers_calls::kFamilies;
  calls.of_job = tiers_calls::kOfJob;
  calls.fitting = tiers_calls::kFitting;
  return calls;
}

}  // namespace berth::bindings
