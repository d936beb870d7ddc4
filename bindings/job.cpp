// The fields of a job.

#include <algorithm>
#include <array>
#include <vector>

#include "bindings/key_formula.hpp"
#include "bindings/kinds.hpp"
#include "bindings/machine_calls.hpp"
#include "engine/base/memory.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/hosts/speeds.hpp"
#include "engine/jobs/checkpoints.hpp"
#include "engine/jobs/label.hpp"
#include "engine/jobs/own_estimates.hpp"
#include "engine/share/shares.hpp"

namespace berth::bindings {

namespace job_calls {
namespace {

void push_known(lua_State* lua, std::int64_t number) {
  if (number == kUnknown) {
    lua_pushnil(lua);
  } else {
    lua_pushinteger(lua, number);
  }
}

bool is_running(const JobFieldAt& at) { return at.entry.state == JobState::kRunning; }

// Work done so far, in ticks.
Duration progress(const JobFieldAt& at) {
  if (const auto* checkpoints = at.simulation.parts().world.state().checkpoints) {
    return checkpoints->work(at.id, at.job, at.entry, at.simulation.world().now());
  }
  if (!is_running(at)) return static_cast<Duration>(at.entry.progress);
  const auto since =
      static_cast<double>(at.simulation.world().now() - at.entry.settled);
  return static_cast<Duration>(at.entry.progress + at.entry.rate * since);
}

// Its first start, but of a job that lost a host that of its last attempt.
Time start_of(const JobEntry& entry) {
  return entry.was_hit ? entry.attempt_start : entry.first_start;
}

void push_elapsed(const JobFieldAt& at) {
  const Time start = start_of(at.entry);
  push_seconds(at.lua, start != kNever ? at.simulation.world().now() - start : kNever);
}

void push_attempt(const JobFieldAt& at) {
  const auto& entry = at.entry;
  const auto hits = entry.was_hit ? entry.account.kills : 0;
  const bool failed_by_host = entry.state == JobState::kFailed && !entry.ends_at_limit;
  const bool is_between = entry.state == JobState::kWaiting ||
                          entry.state == JobState::kReturning || failed_by_host;
  const bool has_run = entry.first_start != kNever;
  lua_pushinteger(at.lua, hits + (has_run && !is_between ? 1 : 0));
}

void push_saved(const JobFieldAt& at) {
  const auto* checkpoints = at.simulation.parts().world.state().checkpoints;
  push_seconds(at.lua, checkpoints == nullptr ? 0 : checkpoints->saved(at.id));
}

void push_estimate(const JobFieldAt& at) {
  const auto* own = at.simulation.parts().world.state().estimates;
  const auto walltime = at.job.walltime;
  push_seconds(at.lua, own == nullptr ? walltime : own->of(at.id, walltime));
}

void push_expected_end(const JobFieldAt& at) {
  if (!at.simulation.world().hosts().traits().cannot_plan.empty())
    return lua_pushnil(at.lua);
  const auto& running = at.simulation.world().running();
  push_seconds(at.lua, is_running(at)
                           ? running.expected_end(at.entry.planned_end,
                                                  at.simulation.world().now())
                           : kNever);
}

void push_chunks(const JobFieldAt& at) {
  const auto* machine = at.simulation.world().hosts().kinds();
  lua_pushinteger(at.lua, machine == nullptr ? 1 : machine->need(at.id).chunks);
}

void push_memory(const JobFieldAt& at) {
  if (at.job.memory_kib == kUnknown) {
    lua_pushnil(at.lua);
  } else {
    lua_pushnumber(at.lua, gib_of(at.job.memory_kib));
  }
}

// Where speed is not guaranteed progress is hidden: the time since the start counts.
Duration walltime_used(const JobFieldAt& at) {
  const auto* speeds = at.simulation.world().hosts().speeds();
  if (speeds != nullptr && speeds->walltime_of() == WalltimeOf::kTime) {
    const bool runs = is_running(at) && !at.entry.frozen;
    return at.entry.used +
           (runs ? at.simulation.world().now() - at.entry.state_since : 0);
  }
  if (at.simulation.world().hosts().traits().guarantees_speed) return progress(at);
  return is_running(at) ? at.simulation.world().now() - at.entry.attempt_start : 0;
}

struct FieldRecord {
  Primitive primitive;
  void (*push)(const JobFieldAt&);
  bool kept = false;  // readable after the job has left
};

constexpr std::array kFields{
    FieldRecord{{"size", "", "integer", "Processors requested.", "job.size == 2"},
                [](const JobFieldAt& at) { lua_pushinteger(at.lua, at.job.size); }},
    FieldRecord{{"id", "", "integer", "Its number in the trace.", "job.id == 1"},
                [](const JobFieldAt& at) { lua_pushinteger(at.lua, at.job.id); },
                true},
    FieldRecord{{"walltime", "", "seconds", "The user's estimate of the run time.",
                 "job.walltime == 60"},
                [](const JobFieldAt& at) { push_seconds(at.lua, at.job.walltime); }},
    FieldRecord{{"submit", "", "seconds", "When it was submitted.", "job.submit == 0"},
                [](const JobFieldAt& at) { push_seconds(at.lua, at.job.submit); },
                true},
    FieldRecord{
        {"state", "", "job_state", "Its present state.", "job.state == \"waiting\""},
        [](const JobFieldAt& at) {
          push_string(at.lua, name(at.simulation.world().jobs().state(at.id)));
        },
        true},
    FieldRecord{
        {"user", "", "integer?", "The user's number; nil if the trace has none.",
         "job.user == 7"},
        [](const JobFieldAt& at) { push_known(at.lua, label_number(at.job.user)); }},
    FieldRecord{
        {"group", "", "integer?", "The group's number; nil if unknown.",
         "job.group == nil"},
        [](const JobFieldAt& at) { push_known(at.lua, label_number(at.job.group)); }},
    FieldRecord{{"executable", "", "integer?", "The program's number; nil if unknown.",
                 "job.executable == nil"},
                [](const JobFieldAt& at) {
                  push_known(at.lua, label_number(at.job.executable));
                }},
    FieldRecord{{"class", "", "integer|string|nil",
                 "The trace's queue number, or where the machine reads classes of "
                 "jobs that; nil if unknown.",
                 "job.class == nil"},
                [](const JobFieldAt& at) {
                  push_known(at.lua, label_number(at.job.queue_class));
                }},
    FieldRecord{{"partition", "", "integer?", "The trace's partition; nil if unknown.",
                 "job.partition == nil"},
                [](const JobFieldAt& at) {
                  push_known(at.lua, label_number(at.job.partition));
                }},
    FieldRecord{
        {"start", "", "seconds?",
         "Its first start, or of a job that lost a host that of its last attempt; nil "
         "if it never ran.",
         "job.start == nil"},
        [](const JobFieldAt& at) { push_seconds(at.lua, start_of(at.entry)); }},
    FieldRecord{{"elapsed", "", "seconds?",
                 "Time since that start; nil if it never ran.", "job.elapsed == nil"},
                push_elapsed},
    FieldRecord{{"expected_end", "", "seconds?",
                 "Of a running job: its planned end, or a later instant once that has "
                 "passed; else "
                 "nil.",
                 "job.expected_end == nil"},
                push_expected_end},
    FieldRecord{
        {"estimate", "", "seconds",
         "What it is planned for: the walltime, or what the policy's `estimate` "
         "said, if that is less.",
         "job.estimate == job.walltime"},
        push_estimate},
    FieldRecord{
        {"walltime_left", "", "seconds",
         "Walltime less progress, or less the time since its start where speed is not "
         "guaranteed; negative once it has overrun.",
         "job.walltime_left == 60"},
        [](const JobFieldAt& at) {
          push_seconds(at.lua, at.job.walltime - walltime_used(at));
        }},
    FieldRecord{{"attempt", "", "integer",
                 "Which of its attempts runs or ran last, from 1; 0 if it never ran.",
                 "job.attempt == 0"},
                push_attempt},
    FieldRecord{{"saved", "", "seconds",
                 "Work that it keeps of attempts that lost a host: up to its last "
                 "complete checkpoint.",
                 "job.saved == 0"},
                push_saved},
    FieldRecord{{"frozen", "", "boolean", "Whether it is frozen after a migration.",
                 "job.frozen == false"},
                [](const JobFieldAt& at) { lua_pushboolean(at.lua, at.entry.frozen); }},
    FieldRecord{{"memory", "", "number?",
                 "GiB requested per processor, or needed by each task; nil if none.",
                 "job.memory == nil"},
                push_memory},
    FieldRecord{
        {"chunks", "", "integer", "Equal parts, each whole on one host; 1 in a pool.",
         "job.chunks == 1"},
        push_chunks},
};

bool has_name(const std::vector<Primitive>& all, std::string_view name) {
  return std::any_of(all.begin(), all.end(),
                     [&](const auto& each) { return each.name == name; });
}

// The common fields, then those that only machines have.
std::vector<Primitive> all_primitives() {
  std::vector<Primitive> all;
  all.reserve(kFields.size());
  for (const auto& field : kFields) all.push_back(field.primitive);
  for (const auto& calls : machine_calls()) {
    for (const auto& field : calls.of_job) {
      if (!has_name(all, field.primitive.name)) all.push_back(field.primitive);
    }
  }
  return all;
}

// Finds the field of this name that a machine has; null if it has none.
const JobField* field_of(const MachineCalls& calls, std::string_view name) {
  for (const auto& field : calls.of_job) {
    if (field.primitive.name == name) return &field;
  }
  return nullptr;
}

void push_nothing(const JobFieldAt& at) { lua_pushnil(at.lua); }

// On this machine, which may be null.
BoundField bound_field(std::size_t number, const MachineCalls* machine) {
  const auto& name = job_primitives()[number].name;
  const auto* own = machine == nullptr ? nullptr : field_of(*machine, name);
  const bool is_common = number < kFields.size();
  if (own != nullptr) return {own->push, is_common && kFields[number].kept};
  if (is_common) return {kFields[number].push, kFields[number].kept};
  for (const auto& calls : machine_calls()) {
    const auto* method = field_of(calls, name);
    if (method != nullptr && method->primitive.call != nullptr) return {method->push};
  }
  return {push_nothing};
}

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
  unknown_member(lua, 2, "a job", Names(job_primitives()));
}

const BoundField* find_field(const Border& shared, const char* key) {
  for (std::size_t i = 0; i < shared.job_names.size(); ++i) {
    if (shared.job_names[i] == key) return &shared.job_fields[i];
  }
  return nullptr;
}

}  // namespace
}  // namespace job_calls

std::span<const Primitive> job_primitives() {
  static const auto kAll = job_calls::all_primitives();
  return kAll;
}

void bind_job_fields(Border& shared, const MachineCalls* machine) {
  shared.job_fields.clear();
  for (std::size_t i = 0; i < shared.job_names.size(); ++i) {
    shared.job_fields.push_back(job_calls::bound_field(i, machine));
  }
}

int job_member(lua_State* lua) {
  auto& shared = border(lua);
  ++shared.crossings;
  if (shared.at_hand != nullptr) return shared.at_hand->job_member(lua);
  const JobId id = read_job(lua, 1);
  auto& running = *shared.simulation;
  // Short strings are interned: equal names are equal pointers.
  const char* key = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : nullptr;
  const auto* field = job_calls::find_field(shared, key);
  if (field == nullptr) job_calls::no_field(lua);
  static constexpr JobEntry kForgotten;
  const bool is_known = running.world().jobs().holds(id);
  const auto& entry = is_known ? running.world().jobs()[id] : kForgotten;
  const bool gone = !is_known || (job_calls::has_left(entry.state) &&
                                  entry.state_since != running.world().now());
  if (gone && !field->is_kept) {
    const auto number = static_cast<lua_Integer>(running.world().jobs().job(id).id);
    return luaL_error(lua, "job %I has left: only id, submit and state are kept",
                      number);
  }
  field->push({lua, running, id, running.world().jobs().job(id), entry});
  return 1;
}

void read_key_fact(const sim::World& world, KeyFact fact, std::span<const JobId> jobs,
                   std::span<double> lane) {
  const auto fill = [&](const auto& of) {
    std::transform(jobs.begin(), jobs.end(), lane.begin(),
                   [&](JobId job) { return of(world.jobs().job(job)); });
  };
  switch (fact) {
    case KeyFact::kSize:
      return fill([](const Job& job) { return static_cast<double>(job.size); });
    case KeyFact::kWalltime:
      return fill([](const Job& job) { return to_seconds(job.walltime); });
    case KeyFact::kSubmit:
      return fill([](const Job& job) { return to_seconds(job.submit); });
    case KeyFact::kWaited:
      // In two loops, the second of which divides several at once.
      fill([](const Job& job) { return static_cast<double>(job.submit); });
      std::transform(lane.begin(), lane.end(), lane.begin(),
                     [now = to_seconds(world.now())](double submit) {
                       return now - submit / static_cast<double>(kSecond);
                     });
      return;
    case KeyFact::kFactor:
      return fill([&world, &shares = *world.shares()](const Job& job) {
        return shares.factor(shares.of(job), world.now());
      });
    case KeyFact::kMachine:
      std::fill(lane.begin(), lane.end(), static_cast<double>(capacity_of(world, 0)));
  }
}

}  // namespace berth::bindings
