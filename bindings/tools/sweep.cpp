#include "bindings/tools/sweep.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "bindings/tools/calls.hpp"
#include "bindings/tools/run_jobs.hpp"
#include "engine/compare/comparable.hpp"
#include "engine/metrics/count_names.hpp"

namespace berth::bindings {

namespace {

void set_text(lua_State* lua, const std::string& key, const std::string& text) {
  lua_pushlstring(lua, key.data(), key.size());
  lua_pushlstring(lua, text.data(), text.size());
  lua_rawset(lua, -3);
}

const SweepSource& sweep_of(lua_State* lua) {
  return *static_cast<const SweepSource*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

std::string_view sweep_text(lua_State* lua, int at) {
  std::size_t length = 0;
  const char* text = luaL_checklstring(lua, at, &length);
  return {text, length};
}

std::size_t sweep_number(lua_State* lua, int at, std::size_t most) {
  const auto number = luaL_checkinteger(lua, at);
  if (number < 1 || static_cast<std::size_t>(number) > most) {
    luaL_error(lua, "there is no number %I among %I", static_cast<LUAI_UACINT>(number),
               static_cast<LUAI_UACINT>(most));
  }
  return static_cast<std::size_t>(number) - 1;
}

// Reads the arguments `point, policy` from stack index `at` on.
SweepSource::Place place_at(lua_State* lua, int at) {
  return {sweep_number(lua, at, sweep_of(lua).shape().points.size()),
          sweep_text(lua, at + 1)};
}

// The number of a metric in a run, or of "kills_a_job" and the like; and the jobs or
// cases that it is computed from.
struct Measured {
  std::optional<double> value{};
  double n = 0;
};

Measured measured_of(const Summary& summary, std::string_view metric) {
  constexpr std::string_view kEachJob = "_a_job";
  if (const auto* found = summary.find(metric)) {
    return {found->value, static_cast<double>(found->n)};
  }
  const auto jobs = static_cast<double>(summary.jobs.finished);
  if (jobs == 0 || !metric.ends_with(kEachJob)) return {};
  metric.remove_suffix(kEachJob.size());
  const auto* const at =
      std::find_if(kRunCounts.begin(), kRunCounts.end(),
                   [&](const auto& count) { return count.name == metric; });
  if (at == kRunCounts.end()) return {};
  return {static_cast<double>(summary.counts.*(at->count)) / jobs, jobs};
}

// Adds a value, or false without one, to the list at a stack index.
void add_to_list(lua_State* lua, int list, const std::optional<double>& value) {
  Guard::of(lua).charge(lua, 1);
  if (value) {
    lua_pushnumber(lua, *value);
  } else {
    lua_pushboolean(lua, 0);
  }
  lua_rawseti(lua, list, static_cast<lua_Integer>(lua_rawlen(lua, list)) + 1);
}

// Pushes so many empty lists; the stack index of the first one.
int push_lists(lua_State* lua, int count, std::size_t seeds) {
  const int first = lua_gettop(lua) + 1;
  for (int i = 0; i < count; ++i) lua_createtable(lua, static_cast<int>(seeds), 0);
  return first;
}

}  // namespace

struct SweepCalls {
  using Place = SweepSource::Place;

  // What the source has of the run of `place` under a seed.
  static SweepSource::Result result(lua_State* lua, const Place& place,
                                    std::size_t seed) {
    SweepSource::Result found;
    work_outside(lua, 0, [&](Budget&) { found = sweep_of(lua).result(place, seed); });
    return found;
  }

  // The run of the arguments `point, policy, seed` from stack index `at` on.
  static const ComparedRun* run_at(lua_State* lua, int at) {
    const auto place = place_at(lua, at);
    const auto seed = sweep_number(lua, at + 2, sweep_of(lua).shape().seeds);
    return result(lua, place, seed).run;
  }

  static int values(lua_State* lua) {
    const auto metric = sweep_text(lua, 2);
    const auto place = place_at(lua, 3);
    const auto seeds = sweep_of(lua).shape().seeds;
    const int list = push_lists(lua, 2, seeds);
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      const auto* run = result(lua, place, seed).run;
      const auto found =
          run != nullptr ? measured_of(run->summary, metric) : Measured{};
      add_to_list(lua, list, found.value);
      add_to_list(lua, list + 1, found.n);
    }
    return 2;
  }

  struct Pair {
    Measured own;
    Measured base;
    double jobs = 0;  // that finished under both; 0: the values are those of the runs
  };

  static Pair pair_of(lua_State* lua, std::string_view metric, const Place& own,
                      const Place& base, std::size_t seed) {
    const auto a = result(lua, own, seed);
    const auto b = result(lua, base, seed);
    if (a.run == nullptr || b.run == nullptr) return {};
    const bool is_of_base = a.base == base.policy;
    const bool is_of_own = b.base == own.policy;
    Pair pair{measured_of(a.run->summary, metric), measured_of(b.run->summary, metric)};
    if (own.policy == base.policy || (!is_of_base && !is_of_own)) return pair;
    const auto& common = (is_of_base ? a : b).run->common;
    const CommonJobs::Means* means = nullptr;
    work_outside(lua, 0, [&](Budget&) {
      const auto at = common.means.find(std::string(metric));
      if (at != common.means.end()) means = &at->second;
    });
    if (means == nullptr) return pair;
    pair.own.value = is_of_base ? means->other : means->base;
    pair.base.value = is_of_base ? means->base : means->other;
    pair.jobs = static_cast<double>(common.n);
    return pair;
  }

  static int pairs(lua_State* lua) {
    const auto metric = sweep_text(lua, 2);
    const auto own = place_at(lua, 3);
    const Place base{own.point, sweep_text(lua, 5)};
    const auto seeds = sweep_of(lua).shape().seeds;
    const int list = push_lists(lua, 3, seeds);
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      const auto pair = pair_of(lua, metric, own, base, seed);
      const bool has_both = pair.own.value && pair.base.value;
      add_to_list(lua, list, has_both ? pair.own.value : std::nullopt);
      add_to_list(lua, list + 1, has_both ? pair.base.value : std::nullopt);
      add_to_list(lua, list + 2, pair.jobs);
    }
    return 3;
  }

  static int batches(lua_State* lua) {
    const auto metric = sweep_text(lua, 2);
    const auto* run = run_at(lua, 3);
    std::span<const double> found;
    work_outside(lua, 0, [&](Budget&) {
      if (run == nullptr) return;
      const auto at = run->batches.find(std::string(metric));
      if (at != run->batches.end()) found = at->second;
    });
    if (found.empty()) return 0;
    push_list(lua, found, [lua](double value) { lua_pushnumber(lua, value); });
    return 1;
  }

  static int counts(lua_State* lua) {
    const auto* run = run_at(lua, 2);
    if (run == nullptr) return 0;
    push_counts(lua, run->summary);
    return 1;
  }

  static int queue(lua_State* lua) {
    const auto* run = run_at(lua, 2);
    if (run == nullptr) return 0;
    const auto& summary = run->summary;
    lua_createtable(lua, 0, 3);
    lua_pushboolean(lua, summary.queue_never_empties ? 1 : 0);
    lua_setfield(lua, -2, "never_empties");
    lua_pushnumber(lua, to_seconds(summary.longest_queue_stretch));
    lua_setfield(lua, -2, "longest");
    lua_pushnumber(lua, to_seconds(summary.submit_span));
    lua_setfield(lua, -2, "span");
    return 1;
  }

  static int users(lua_State* lua) {
    const auto* run = run_at(lua, 2);
    if (run == nullptr) return 0;
    const std::shared_ptr<const FrameSource>* source = nullptr;
    work_outside(lua, 0, [&](Budget&) {
      auto& kept = sweep_of(lua).users_[run];
      if (kept == nullptr) kept = users_of(run->summary, nullptr);
      source = &kept;
    });
    push_frame(lua, *source);
    return 1;
  }

  static int failure(lua_State* lua) {
    const auto place = place_at(lua, 2);
    std::string_view text;
    work_outside(lua, 0, [&](Budget&) { text = sweep_of(lua).failure(place); });
    if (text.empty()) return 0;
    lua_pushlstring(lua, text.data(), text.size());
    return 1;
  }

  static int is_full(lua_State* lua) {
    const auto place = place_at(lua, 2);
    const auto seeds = sweep_of(lua).shape().seeds;
    bool answer = false;
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      const auto* run = result(lua, place, seed).run;
      if (run == nullptr) continue;
      const auto& summary = run->summary;
      answer = answer || summary.longest_queue_stretch > summary.submit_span / 2;
    }
    lua_pushboolean(lua, answer ? 1 : 0);
    return 1;
  }

  static int is_one_run(lua_State* lua) {
    const auto place = place_at(lua, 2);
    bool answer = false;
    work_outside(lua, 0, [&](Budget&) {
      ComparedPolicy policy;
      const auto seeds = sweep_of(lua).shape().seeds;
      for (std::size_t seed = 0; seed < seeds; ++seed) {
        policy.runs.push_back(sweep_of(lua).result(place, seed).run);
      }
      answer = is_complete(policy) && distinct_runs(policy).size() == 1;
    });
    lua_pushboolean(lua, answer ? 1 : 0);
    return 1;
  }
};

namespace {

constexpr std::array kSweepMembers{
    Primitive{"axes", "", "table[]",
              "What varies, but the seed: a list of key and values.",
              "sweep.axes[1].key == \"workload.load\""},
    Primitive{"points", "", "table[]",
              "The points in the order of the grid: settings by key, without the seed, "
              "and text.",
              "sweep.points[2].settings[\"workload.load\"] == \"0.9\""},
    Primitive{"policies", "", "string[]", "Labels of the policies.",
              "sweep.policies[1] == \"fcfs\""},
    Primitive{"classes", "", "string[]",
              "Names of the classes of jobs; \"user=\" of a class for each user.",
              "#sweep.classes == 0"},
    Primitive{"seeds", "", "integer", "How many seeds there are.", "sweep.seeds == 2"},
    Primitive{"values", "metric: string, point: integer, policy: string",
              "(number|false)[], number[]",
              "A number for each seed, false without one; and the jobs behind each.",
              "sweep:values(\"mean_wait\", 1, \"fcfs\")[2] == 30", SweepCalls::values},
    Primitive{
        "pairs", "metric: string, point: integer, policy: string, base: string",
        "(number|false)[], (number|false)[], number[]",
        "The numbers of policy and base for each seed, and how many jobs they are "
        "over: those that finished under both, where one of the two is the first "
        "policy and the metric is a mean over jobs; else 0, and the numbers are "
        "those of the runs.",
        "select(2, sweep:pairs(\"mean_wait\", 1, \"easy\", \"fcfs\"))[1] == 18",
        SweepCalls::pairs},
    Primitive{
        "batches", "metric: string, point: integer, policy: string, seed: integer",
        "number[]?", "The values of the batches of a run, in a sweep with them.",
        "sweep:batches(\"mean_wait\", 1, \"fcfs\", 1) == nil", SweepCalls::batches},
    Primitive{"counts", "point: integer, policy: string, seed: integer", "table?",
              "The counts of a run, as run.counts; nil without a result.",
              "sweep:counts(1, \"fcfs\", 1).finished == 4", SweepCalls::counts},
    Primitive{
        "queue", "point: integer, policy: string, seed: integer", "table?",
        "How full the queue was up to the last submit: never_empties, the longest "
        "time with jobs in it, and the span of the submits; nil without a result.",
        "sweep:queue(1, \"fcfs\", 1).span == 10", SweepCalls::queue},
    Primitive{
        "users", "point: integer, policy: string, seed: integer", "Frame?",
        "A row for each user, as run.users without weights; nil without a result.",
        "sweep:users(1, \"fcfs\", 1).user[1] == 7", SweepCalls::users},
    Primitive{"failure", "point: integer, policy: string", "string?",
              "Why a run has no result under some seed.",
              "sweep:failure(1, \"fcfs\") == nil", SweepCalls::failure},
    Primitive{"is_full", "point: integer, policy: string", "boolean",
              "Whether the queue holds jobs for most of the time under some seed.",
              "not sweep:is_full(1, \"fcfs\")", SweepCalls::is_full},
    Primitive{"is_one_run", "point: integer, policy: string", "boolean",
              "Whether all seeds gave the same.", "not sweep:is_one_run(1, \"fcfs\")",
              SweepCalls::is_one_run}};

}  // namespace

void push_texts(lua_State* lua, const std::vector<std::string>& texts) {
  push_list(lua, texts, [lua](const std::string& text) {
    lua_pushlstring(lua, text.data(), text.size());
  });
}

void push_sweep(lua_State* lua, const SweepSource& source) {
  const auto& shape = source.shape();
  luaL_checkstack(lua, 10, nullptr);
  lua_newtable(lua);
  push_list(lua, shape.axes, [lua](const SweepShape::Axis& axis) {
    lua_newtable(lua);
    set_text(lua, "key", axis.key);
    push_texts(lua, axis.values);
    lua_setfield(lua, -2, "values");
  });
  lua_setfield(lua, -2, "axes");
  push_list(lua, shape.points, [lua](const SweepShape::SweepCell& point) {
    lua_newtable(lua);
    lua_newtable(lua);
    for (const auto& [key, value] : point.settings) set_text(lua, key, value);
    lua_setfield(lua, -2, "settings");
    set_text(lua, "text", point.text);
  });
  lua_setfield(lua, -2, "points");
  push_texts(lua, shape.policies);
  lua_setfield(lua, -2, "policies");
  push_texts(lua, shape.classes);
  lua_setfield(lua, -2, "classes");
  lua_pushinteger(lua, static_cast<lua_Integer>(shape.seeds));
  lua_setfield(lua, -2, "seeds");
  for (const auto& member : kSweepMembers) {
    if (member.call == nullptr) continue;
    lua_pushlightuserdata(lua, const_cast<SweepSource*>(&source));
    lua_pushcclosure(lua, member.call, 1);
    lua_setfield(lua, -2, member.name.data());
  }
}

const Family& tool_sweep_family() {
  static constexpr Family kSweep{"ToolSweep", "sweep",
                                 "The sweep that a tool is given.", kSweepMembers};
  return kSweep;
}

}  // namespace berth::bindings
