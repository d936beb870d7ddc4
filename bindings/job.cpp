// The fields of a job.

#include <algorithm>
#include <array>

#include "bindings/machines/fractional.hpp"
#include "bindings/machines/two_tier.hpp"
#include "bindings/value.hpp"
#include "engine/base/memory.hpp"
#include "engine/jobs/label.hpp"
#include "engine/machines/network/networked.hpp"
#include "engine/machines/two_tier/tier_slots.hpp"

namespace berth::bindings {

namespace job_calls {
namespace {

struct Field {
  lua_State* lua;
  sim::Simulation& simulation;
  JobId id;
  const Job& job;
  const JobEntry& entry;
};

void push_known(lua_State* lua, std::int64_t number) {
  if (number == kUnknown) {
    lua_pushnil(lua);
  } else {
    lua_pushinteger(lua, number);
  }
}

bool is_running(const Field& at) { return at.entry.state == JobState::kRunning; }

// Work done so far, in ticks.
Duration progress(const Field& at) {
  if (!is_running(at)) return static_cast<Duration>(at.entry.progress);
  const auto since = static_cast<double>(at.simulation.now() - at.entry.settled);
  return static_cast<Duration>(at.entry.progress + at.entry.rate * since);
}

void push_elapsed(const Field& at) {
  const bool started = at.entry.first_start != kNever;
  push_seconds(at.lua, started ? at.simulation.now() - at.entry.first_start : kNever);
}

void push_expected_end(const Field& at) {
  if (has_fractions(at.simulation.hosts())) return lua_pushnil(at.lua);
  const auto& running = at.simulation.world().running();
  push_seconds(at.lua, is_running(at) ? running.expected_end(at.entry.planned_end,
                                                             at.simulation.now())
                                      : kNever);
}

// What a task of the job needs; nullopt unless hosts are shared by fractions.
std::optional<TaskNeeds> needs_of(const Field& at) {
  const auto* fractions = capability<Fractions>(at.simulation.hosts());
  if (fractions == nullptr) return std::nullopt;
  return fractions->needs(at.id, at.job.demand());
}

void push_cpu(const Field& at) {
  const auto needs = needs_of(at);
  if (!needs) return lua_pushnil(at.lua);
  lua_pushnumber(at.lua, needs->cpu);
}

void push_yield(const Field& at) {
  if (!is_running(at) || !has_fractions(at.simulation.hosts())) {
    return lua_pushnil(at.lua);
  }
  const auto& place = at.simulation.hosts().placement(at.id);
  lua_pushnumber(at.lua, place.form_if<TaskHosts>()->yield);
}

void push_virtual_time(const Field& at) {
  if (!has_fractions(at.simulation.hosts())) return lua_pushnil(at.lua);
  push_seconds(at.lua, progress(at));
}

void push_chunks(const Field& at) {
  const auto* machine = at.simulation.hosts().kinds();
  lua_pushinteger(at.lua, machine == nullptr ? 1 : machine->need(at.id).chunks);
}

void push_memory(const Field& at) {
  if (const auto needs = needs_of(at)) {
    return lua_pushnumber(at.lua, gib_of(needs->memory_kib));
  }
  if (at.job.memory_kib == kUnknown) {
    lua_pushnil(at.lua);
  } else {
    lua_pushnumber(at.lua, gib_of(at.job.memory_kib));
  }
}

// Where speed is not guaranteed progress is hidden: the time since the start counts.
Duration walltime_used(const Field& at) {
  if (at.simulation.hosts().traits().guarantees_speed) return progress(at);
  return is_running(at) ? at.simulation.now() - at.entry.attempt_start : 0;
}

void push_tier(const Field& at) {
  const TierSlots* slots = nullptr;
  if (is_running(at)) {
    slots = at.simulation.hosts().placement(at.id).form_if<TierSlots>();
  }
  if (slots == nullptr) return lua_pushnil(at.lua);
  push_string(at.lua, name(slots->tier));
}

void push_bandwidth(const Field& at) {
  const auto* network = border(at.lua).network;
  if (network == nullptr) return lua_pushnil(at.lua);
  constexpr double kKbitPerMbit = 1000.0;
  const auto kbits =
      attempt(at.lua, [&] { return network->bandwidth(at.id, at.job.demand()); });
  lua_pushnumber(at.lua, static_cast<double>(kbits) / kKbitPerMbit);
}

int declared_use(lua_State* lua) { return push_declared_use(lua, 1); }

struct FieldRecord {
  Primitive primitive;
  void (*push)(const Field&);
  bool kept = false;  // readable after the job has left
};

constexpr std::array kFields{
    FieldRecord{{"size", "", "integer", "Processors requested.", "job.size == 2"},
                [](const Field& at) { lua_pushinteger(at.lua, at.job.size); }},
    FieldRecord{{"id", "", "integer", "Its number in the trace.", "job.id == 1"},
                [](const Field& at) { lua_pushinteger(at.lua, at.job.id); },
                true},
    FieldRecord{{"walltime", "", "seconds", "The user's estimate of the run time.",
                 "job.walltime == 60"},
                [](const Field& at) { push_seconds(at.lua, at.job.walltime); }},
    FieldRecord{{"submit", "", "seconds", "When it was submitted.", "job.submit == 0"},
                [](const Field& at) { push_seconds(at.lua, at.job.submit); },
                true},
    FieldRecord{
        {"state", "", "job_state", "Its present state.", "job.state == \"waiting\""},
        [](const Field& at) {
          push_string(at.lua, name(at.simulation.jobs().state(at.id)));
        },
        true},
    FieldRecord{{"user", "", "integer?",
                 "The user's number; nil if the trace has none.", "job.user == 7"},
                [](const Field& at) { push_known(at.lua, label_number(at.job.user)); }},
    FieldRecord{
        {"group", "", "integer?", "The group's number; nil if unknown.",
         "job.group == nil"},
        [](const Field& at) { push_known(at.lua, label_number(at.job.group)); }},
    FieldRecord{
        {"executable", "", "integer?", "The program's number; nil if unknown.",
         "job.executable == nil"},
        [](const Field& at) { push_known(at.lua, label_number(at.job.executable)); }},
    FieldRecord{
        {"class", "", "integer?", "The trace's queue number; nil if unknown.",
         "job.class == nil"},
        [](const Field& at) { push_known(at.lua, label_number(at.job.queue_class)); }},
    FieldRecord{
        {"partition", "", "integer?", "The trace's partition; nil if unknown.",
         "job.partition == nil"},
        [](const Field& at) { push_known(at.lua, label_number(at.job.partition)); }},
    FieldRecord{{"start", "", "seconds?", "Its first start; nil if it never ran.",
                 "job.start == nil"},
                [](const Field& at) { push_seconds(at.lua, at.entry.first_start); }},
    FieldRecord{
        {"elapsed", "", "seconds?", "Time since its first start; nil if it never ran.",
         "job.elapsed == nil"},
        push_elapsed},
    FieldRecord{{"expected_end", "", "seconds?",
                 "Of a running job: its planned end, or a later instant once that has "
                 "passed; else "
                 "nil.",
                 "job.expected_end == nil"},
                push_expected_end},
    FieldRecord{
        {"walltime_left", "", "seconds",
         "Walltime less progress, or less the time since its start where speed is not "
         "guaranteed; negative once it has overrun.",
         "job.walltime_left == 60"},
        [](const Field& at) {
          push_seconds(at.lua, at.job.walltime - walltime_used(at));
        }},
    FieldRecord{
        {"tier", "", "tier?", "The tier it runs in; nil on a machine without tiers.",
         "job.tier == nil"},
        push_tier},
    FieldRecord{{"frozen", "", "boolean", "Whether it is frozen after a migration.",
                 "job.frozen == false"},
                [](const Field& at) { lua_pushboolean(at.lua, at.entry.frozen); }},
    FieldRecord{{"memory", "", "number?",
                 "GiB requested per processor, or needed by each task; nil if none.",
                 "job.memory == nil"},
                push_memory},
    FieldRecord{{"cpu", "", "number?",
                 "Part of a host that each task can use; nil if none is given.",
                 "job.cpu == nil"},
                push_cpu},
    FieldRecord{{"yield", "", "number?",
                 "The part of its CPU need that a running job gets (machines shared by "
                 "fractions); else nil.",
                 "job.yield == nil"},
                push_yield},
    FieldRecord{{"virtual_time", "", "seconds?",
                 "Seconds at full speed that it has been given so far (machines shared "
                 "by fractions); else nil.",
                 "job.virtual_time == nil"},
                push_virtual_time},
    FieldRecord{
        {"chunks", "", "integer", "Equal parts, each whole on one host; 1 in a pool.",
         "job.chunks == 1"},
        push_chunks},
    FieldRecord{{"bandwidth", "", "number?",
                 "Mb/s of each VM; nil on a machine without a network.",
                 "job.bandwidth == nil"},
                push_bandwidth},
    FieldRecord{{"declared_use", "i: integer", "number?",
                 "Declared processor use of process i (machines with tiers).",
                 "not pcall(job.declared_use, job, 1)", declared_use},
                [](const Field& at) { lua_pushcfunction(at.lua, declared_use); }},
};

constexpr auto kPrimitives = [] {
  std::array<Primitive, kFields.size()> out{};
  for (std::size_t i = 0; i < kFields.size(); ++i) out[i] = kFields[i].primitive;
  return out;
}();

bool has_left(JobState state) {
  return state == JobState::kFinished || state == JobState::kRejected ||
         state == JobState::kFailed;
}

// What a policy cannot know, under the names one would try.
constexpr std::array<std::string_view, 6> kHidden{"length",   "run_time", "runtime",
                                                  "duration", "end_time", "progress"};

[[noreturn]] void no_field(lua_State* lua) {
  if (lua_type(lua, 2) == LUA_TSTRING) {
    const auto name = read_text(lua, 2);
    if (std::find(kHidden.begin(), kHidden.end(), name) != kHidden.end()) {
      luaL_error(lua,
                 "a job has no member '%s': true run times are hidden, because no "
                 "scheduler knows them; use job.walltime, the user's estimate",
                 name.data());
    }
  }
  unknown_member(lua, 2, "a job", Names(kPrimitives));
}

const FieldRecord* find_field(const Border& shared, const char* key) {
  for (std::size_t i = 0; i < shared.job_fields.size(); ++i) {
    if (shared.job_fields[i] == key) return &kFields[i];
  }
  return nullptr;
}

}  // namespace
}  // namespace job_calls

std::span<const Primitive> job_primitives() { return job_calls::kPrimitives; }

int job_member(lua_State* lua) {
  auto& shared = border(lua);
  ++shared.crossings;
  if (shared.packings != nullptr) return item_member(lua);
  const JobId id = read_job(lua, 1);
  auto& running = *shared.simulation;
  // Short strings are interned: equal names are equal pointers.
  const char* key = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : nullptr;
  const auto* field = job_calls::find_field(shared, key);
  if (field == nullptr) job_calls::no_field(lua);
  static constexpr JobEntry kForgotten;
  const bool is_known = running.jobs().holds(id);
  const auto& entry = is_known ? running.jobs()[id] : kForgotten;
  const bool gone = !is_known || (job_calls::has_left(entry.state) &&
                                  entry.state_since != running.now());
  if (gone && !field->kept) {
    const auto number = static_cast<lua_Integer>(running.jobs().job(id).id);
    return luaL_error(lua, "job %I has left: only id, submit and state are kept",
                      number);
  }
  field->push({lua, running, id, running.jobs().job(id), entry});
  return 1;
}

}  // namespace berth::bindings
