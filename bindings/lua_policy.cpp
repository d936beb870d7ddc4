#include "bindings/lua_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bindings/call_profile.hpp"
#include "bindings/evaluation.hpp"
#include "bindings/key_formula.hpp"
#include "bindings/machine_calls.hpp"
#include "bindings/numbered_calls.hpp"
#include "bindings/policy_table.hpp"
#include "bindings/table_reader.hpp"
#include "bindings/value.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/scoped_value.hpp"
#include "engine/base/spelling.hpp"
#include "engine/sim/machine.hpp"

namespace berth::bindings {

namespace {

using ParameterValues = std::map<std::string, ParameterValue>;

// Upvalue: the values.
int no_parameter(lua_State* lua) {
  const auto& values =
      *static_cast<const ParameterValues*>(lua_touserdata(lua, lua_upvalueindex(1)));
  Names known;
  for (const auto& [name, value] : values) known.add(name);
  unknown_member(lua, 2, "cluster.params", known);
}

void push_value(lua_State* lua, const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    lua_pushboolean(lua, *flag);
  } else if (const auto* number = std::get_if<double>(&value)) {
    const bool whole = std::abs(*number) < 0x1p53 && std::floor(*number) == *number;
    if (whole) {
      lua_pushinteger(lua, static_cast<lua_Integer>(*number));
    } else {
      lua_pushnumber(lua, *number);
    }
  } else {
    push_string(lua, std::get<std::string>(value));
  }
}

// Pushes the table cluster.params, to which nothing can be added.
void push_params(lua_State* lua, const ParameterValues& values) {
  lua_createtable(lua, 0, static_cast<int>(values.size()));
  for (const auto& [name, value] : values) {
    push_string(lua, name);
    push_value(lua, value);
    lua_rawset(lua, -3);
  }
  lua_pushlightuserdata(lua, const_cast<ParameterValues*>(&values));
  lua_pushcclosure(lua, no_parameter, 1);
  close_table(lua);
}

void set_raw(lua_State* lua, const char* name) {
  lua_pushstring(lua, name);
  lua_insert(lua, -2);
  lua_rawset(lua, -3);
}

// Calls act(hook, field) for each field that only some machines read.
template <class Act>
void for_each_hook(const PolicyTable& table, const Act& act) {
  for (const auto& calls : machine_calls()) {
    for (const auto& hook : calls.hooks) {
      const auto at = table.of_machines.find(hook.name);
      if (at != table.of_machines.end()) act(hook, at->second);
    }
  }
}

// The parameter of the machine with what the file asks for.
Parameter amended(Parameter parameter, const PolicyTable& table,
                  const std::string& file) {
  for_each_hook(table, [&](const PolicyHook& hook, const std::any& field) {
    const bool is_its = hook.amend != nullptr && hook.name == parameter.name;
    if (is_its) hook.amend(parameter, field, file);
  });
  return parameter;
}

}  // namespace

struct LuaPolicy::Script {
  std::string file;
  Border border;
  PolicyTable table;
  std::map<std::string, ParameterValue> values;
  int params = LUA_NOREF;
  std::vector<std::optional<KeyFormula>> formulas;  // by order
  std::optional<JobId> about;  // the job of the running hook or key function
  bool is_at_line = false;
  std::unique_ptr<Sandbox> sandbox;
  std::unique_ptr<NumberedCalls> calls;

  static Script& from(lua_State* lua) {
    return *static_cast<Script*>(lua_touserdata(lua, 1));
  }

  [[nodiscard]] Host host(const PolicyOptions& options);
  [[nodiscard]] std::string where() const;

  static int install(lua_State* lua);
  static int read_table(lua_State* lua);
  static int install_params(lua_State* lua);
  static int ask_promise(lua_State* lua);
  static int ask_formulas(lua_State* lua);
  // The keys of these jobs by the formula of the order.
  void compute(const sim::Simulation& simulation, std::size_t order,
               std::span<const JobId> jobs, std::span<double> keys);
  // A call of a hook for one job, or of a key function for each of several.
  struct Call {
    Script& script;
    int function;
    std::span<const JobId> jobs;
    std::size_t order = 0;
    std::span<double> keys{};  // what the function returns, by job; of an estimate
                               // less than 0: nil
    std::int32_t host = 0;     // of a hook of hosts
    bool is_up = false;
  };
  [[nodiscard]] HookScript for_hooks();
  static int run_hook(lua_State* lua);
  static int run_host_hook(lua_State* lua);
  static int run_estimate(lua_State* lua);
  static int run_keys(lua_State* lua);
  void run(sim::Simulation& simulation, lua_CFunction body, Call& call,
           const char* kind);
  void watch_lines(const std::function<void(std::string_view, int)>& look);
};

Host LuaPolicy::Script::host(const PolicyOptions& options) {
  Host host;
  host.print = options.print;
  host.library = options.library;
  host.where = [this] { return where(); };
  host.describe = [this](const void* value) { return handle_text(border, value); };
  if (options.profile == nullptr) return host;
  host.entry = [this, profile = options.profile](const Errand* errand) {
    const auto* running = border.simulation;
    if (running == nullptr) return;  // the file is loaded
    if (errand == nullptr) return profile->leave();
    profile->enter(errand->kind, errand->number, running->world().now(),
                   running->queue(0).length());
  };
  return host;
}

HookScript LuaPolicy::Script::for_hooks() {
  return {sandbox.get(), &border, &file, &values, border.cluster, params, &about};
}

void LuaPolicy::Script::watch_lines(
    const std::function<void(std::string_view, int)>& look) {
  sandbox->guard().watch_lines([this, look](lua_State* lua, lua_Debug* activation) {
    lua_getinfo(lua, "Sl", activation);
    const auto* name = activation->source;  // "@policies/easy.lua"
    is_at_line = true;
    Guard::host_work(lua, [&] { look(name + 1, activation->currentline); });
    is_at_line = false;
  });
}

std::string LuaPolicy::Script::where() const {
  if (border.at_hand != nullptr) return border.at_hand->where();
  const auto* running = border.simulation;
  if (running == nullptr) return "while loading";
  auto text = fmt::format("decision {} at t={}", running->world().decision().number,
                          seconds_text(running->world().now()));
  if (about) text += fmt::format(", job {}", running->world().jobs().job(*about).id);
  return text;
}

// Handles, tables of methods, and the names of job fields.
int LuaPolicy::Script::install(lua_State* lua) {
  auto& script = from(lua);
  auto& shared = script.border;
  install_handles(lua);
  for (const auto& field : job_primitives()) {
    push_string(lua, field.name);
    shared.job_names.push_back(lua_tostring(lua, -1));
    (void)luaL_ref(lua, LUA_REGISTRYINDEX);  // interned as long as it is referenced
  }
  push_family(lua, object_family("View"));
  set_queue_events(lua);
  shared.queue_table = lua_topointer(lua, -1);
  shared.view_methods = luaL_ref(lua, LUA_REGISTRYINDEX);
  push_family(lua, object_family("Book"));
  shared.book_table = lua_topointer(lua, -1);
  shared.book = luaL_ref(lua, LUA_REGISTRYINDEX);
  push_family(lua, object_family("Cluster"));
  shared.cluster_table = lua_topointer(lua, -1);
  shared.cluster = luaL_ref(lua, LUA_REGISTRYINDEX);
  return 0;
}

int LuaPolicy::Script::read_table(lua_State* lua) {
  auto& script = from(lua);
  return run_reader(lua, [&] { read_policy_table(lua, script.file, script.table); });
}

int LuaPolicy::Script::install_params(lua_State* lua) {
  auto& script = from(lua);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, script.border.cluster);
  push_params(lua, script.values);
  lua_pushvalue(lua, -1);
  script.params = luaL_ref(lua, LUA_REGISTRYINDEX);
  set_raw(lua, "params");
  return 0;
}

// What the policy promises with these parameters.
int LuaPolicy::Script::ask_promise(lua_State* lua) {
  auto& script = from(lua);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, script.table.promises);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, script.params);
  lua_call(lua, 1, 1);
  const int type = lua_type(lua, -1);
  if (type == LUA_TNIL) return 0;
  const int at = lua_gettop(lua);
  return run_reader(lua, [&] {
    const TableReader reader(lua, script.file);
    reader.require(type == LUA_TSTRING, "promises must return text or nil");
    script.table.traits.promise = promise_of(reader, reader.kept(at, "promises"));
  });
}

// The formulas of its orders with these parameters.
int LuaPolicy::Script::ask_formulas(lua_State* lua) {
  auto& script = from(lua);
  const auto& table = script.table;
  for (std::size_t order = 0; order < table.formulas.size(); ++order) {
    if (table.formulas[order] == LUA_NOREF) continue;
    if (lua_rawgeti(lua, LUA_REGISTRYINDEX, table.formulas[order]) == LUA_TFUNCTION) {
      lua_rawgeti(lua, LUA_REGISTRYINDEX, script.params);
      lua_call(lua, 1, 1);
    }
    const int at = lua_gettop(lua);
    run_reader(lua, [&] {
      TableReader reader(lua, script.file);
      auto& traits = script.table.traits.orders[order];
      script.formulas[order] = read_formula(reader, at, script.values, traits);
    });
    lua_settop(lua, 1);
  }
  return 0;
}

int LuaPolicy::Script::run_hook(lua_State* lua) {
  const auto& call = *static_cast<const Call*>(lua_touserdata(lua, 1));
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.function);
  push_job(lua, call.jobs.front());
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.script.border.cluster);
  lua_call(lua, 2, 0);
  return 0;
}

int LuaPolicy::Script::run_host_hook(lua_State* lua) {
  const auto& call = *static_cast<const Call*>(lua_touserdata(lua, 1));
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.function);
  lua_pushinteger(lua, call.host);
  lua_pushboolean(lua, call.is_up ? 1 : 0);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.script.border.cluster);
  lua_call(lua, 3, 0);
  return 0;
}

int LuaPolicy::Script::run_estimate(lua_State* lua) {
  auto& call = *static_cast<Call*>(lua_touserdata(lua, 1));
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.function);
  push_job(lua, call.jobs.front());
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.script.border.cluster);
  lua_call(lua, 2, 1);
  if (lua_isnil(lua, -1)) return 0;
  const auto seconds = exact_number(lua, -1);
  if (!seconds || *seconds < 0) {
    return luaL_error(lua,
                      "%s: estimate must return seconds, at least 0, or nil, got %s",
                      call.script.file.c_str(), push_inexact(lua, -1));
  }
  call.keys.front() = std::min(*seconds, kMaxSeconds);
  return 0;
}

int LuaPolicy::Script::run_keys(lua_State* lua) {
  auto& call = *static_cast<Call*>(lua_touserdata(lua, 1));
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.function);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.script.border.cluster);
  const int function = lua_gettop(lua) - 1;
  for (std::size_t i = 0; i < call.jobs.size(); ++i) {
    call.script.about = call.jobs[i];
    lua_pushvalue(lua, function);
    push_job(lua, call.jobs[i]);
    lua_pushvalue(lua, function + 1);
    lua_call(lua, 2, 1);
    const auto key = exact_number(lua, -1);
    if (!key) {
      return luaL_error(lua, "%s: order '%s' must return a finite number, got %s",
                        call.script.file.c_str(),
                        call.script.table.traits.orders[call.order].name.c_str(),
                        push_inexact(lua, -1));
    }
    call.keys[i] = *key;
    lua_pop(lua, 1);
  }
  return 0;
}

// Messages name the job until the call ends, by an error too.
void LuaPolicy::Script::run(sim::Simulation& simulation, lua_CFunction body, Call& call,
                            const char* kind) {
  const ScopedValue named(about, call.jobs.empty() ? std::optional<JobId>()
                                                   : std::optional(call.jobs.front()));
  border.simulation = &simulation;
  border.crossings += static_cast<std::int64_t>(call.jobs.size());
  sandbox->enter(body, &call, {kind, simulation.world().decision().number});
}

void LuaPolicy::Script::compute(const sim::Simulation& simulation, std::size_t order,
                                std::span<const JobId> jobs, std::span<double> keys) {
  const auto& world = simulation.world();
  const auto& formula = *formulas[order];
  if (formula.reads(KeyFact::kFactor) && world.shares() == nullptr) {
    border.lacked_family = true;
    throw Error(ErrorCode::kPolicy,
                fmt::format("{}: orders.{}.formula: factor: this machine has no shares",
                            file, table.traits.orders[order].name));
  }
  const auto read = [&](KeyFact fact, std::size_t first, std::span<double> lane) {
    read_key_fact(world, fact, jobs.subspan(first, lane.size()), lane);
  };
  formula.values(read, keys, sandbox->guard().budget());
  const auto wrong = std::find_if_not(keys.begin(), keys.end(),
                                      [](double key) { return std::isfinite(key); });
  if (wrong == keys.end()) return;
  const ScopedValue named(
      about, std::optional(jobs[static_cast<std::size_t>(wrong - keys.begin())]));
  throw Error(ErrorCode::kPolicy,
              fmt::format("{}: order '{}' must return a finite number, got {}\nin {}",
                          file, table.traits.orders[order].name, *wrong, where()));
}

LuaPolicy::LuaPolicy(const PolicyFile& file, const PolicyOptions& options)
    : script_(std::make_unique<Script>()) {
  auto& script = *script_;
  script.file = file.chunk_name;
  script.border.traits = &script.table.traits;
  script.border.families = options.families;
  script.border.profile = options.profile;
  for (const auto& calls : machine_calls()) {
    script.border.states.push_back(calls.state != nullptr ? calls.state() : nullptr);
  }
  script.sandbox =
      std::make_unique<Sandbox>(options.limits, options.seed, script.host(options));
  script.sandbox->guard().carry(&script.border);
  if (options.line) script.watch_lines(options.line);
  script.sandbox->enter(Script::install, &script, {"load", 0});
  bind_job_fields(script.border, nullptr);
  script.sandbox->load(file.chunk_name, file.text);
  script.sandbox->enter(Script::read_table, &script, {"load", 0});
  if (options.of_machine) {
    script.table.parameters.push_back(
        amended(*options.of_machine, script.table, file.chunk_name));
  }
  script.values =
      parameter_values(file.stem, script.table.parameters, options.parameters);
  script.table.traits.label =
      policy_label(file.stem, script.table.parameters, script.values);
  if (options.profile != nullptr) options.profile->label = traits().label;
  script.sandbox->enter(Script::install_params, &script, {"load", 0});
  if (script.table.promises != LUA_NOREF) {
    script.sandbox->enter(Script::ask_promise, &script, {"load", 0});
  }
  script.formulas.resize(script.table.formulas.size());
  if (!script.formulas.empty()) {
    script.sandbox->enter(Script::ask_formulas, &script, {"load", 0});
  }
  script.table.traits.asks_for_users =
      names_users(script.table, script.sandbox->sources(), script.formulas);
  if (!has_schedule()) return;
  script.sandbox->prepare(std::array{script.table.schedule, script.border.view_methods,
                                     script.border.cluster});
}

LuaPolicy::~LuaPolicy() = default;

const sim::PolicyTraits& LuaPolicy::traits() const { return script_->table.traits; }

void LuaPolicy::begin(sim::Simulation& simulation) {
  auto& script = *script_;
  script.border.simulation = &simulation;
  script.border.walks.clear();  // those of a simulation before this one
  const auto* machine = calls_of(simulation.world().machine().sharing);
  script.border.machine = machine;
  if (simulation.world().jobs().size() > kMostJobs) {
    throw Error(ErrorCode::kInput,
                fmt::format("{} jobs are more than handles of {} bits tell apart",
                            simulation.world().jobs().size(), 8 * sizeof(void*)));
  }
  bind_job_fields(script.border, machine);
  if (machine == nullptr) return;
  for_each_hook(script.table, [&](const PolicyHook& hook, const std::any& field) {
    const bool is_mine = &hook >= machine->hooks.data() &&
                         &hook < machine->hooks.data() + machine->hooks.size();
    if (is_mine && hook.begin != nullptr) {
      hook.begin(script.for_hooks(), field, simulation);
    }
  });
}

void LuaPolicy::schedule(sim::Simulation& simulation) {
  auto& script = *script_;
  if (!has_schedule()) {
    std::string_view instead;
    for_each_hook(script.table, [&](const PolicyHook& hook, const std::any&) {
      if (instead.empty()) instead = hook.instead_of_schedule;
    });
    throw Error(ErrorCode::kPolicy,
                fmt::format("{}: the policy has no function 'schedule': {}",
                            script.file, instead));
  }
  script.border.simulation = &simulation;
  ++script.border.crossings;
  script.sandbox->call_prepared({"decision", simulation.world().decision().number});
}

void LuaPolicy::on_submit(sim::Simulation& simulation, JobId job) {
  if (script_->table.on_submit == LUA_NOREF) return;
  Script::Call call{*script_, script_->table.on_submit, {&job, 1}};
  script_->run(simulation, Script::run_hook, call, "on_submit hook");
}

void LuaPolicy::on_end(sim::Simulation& simulation, JobId job) {
  if (script_->table.on_end == LUA_NOREF) return;
  Script::Call call{*script_, script_->table.on_end, {&job, 1}};
  script_->run(simulation, Script::run_hook, call, "on_end hook");
}

void LuaPolicy::on_host(sim::Simulation& simulation, std::int32_t host, bool is_up) {
  if (script_->table.on_host == LUA_NOREF) return;
  Script::Call call{*script_, script_->table.on_host, {}, 0, {}, host, is_up};
  script_->run(simulation, Script::run_host_hook, call, "on_host hook");
}

void LuaPolicy::on_hit(sim::Simulation& simulation, JobId job) {
  if (script_->table.on_hit == LUA_NOREF) return;
  Script::Call call{*script_, script_->table.on_hit, {&job, 1}};
  script_->run(simulation, Script::run_hook, call, "on_hit hook");
}

std::optional<Duration> LuaPolicy::estimate(sim::Simulation& simulation, JobId job) {
  double seconds = -1;
  Script::Call call{*script_, script_->table.estimate, {&job, 1}, 0, {&seconds, 1}};
  script_->run(simulation, Script::run_estimate, call, "estimate");
  return seconds < 0 ? std::nullopt : ticks_from_seconds(seconds);
}

double LuaPolicy::key(sim::Simulation& simulation, std::size_t order, JobId job) {
  double key = 0;
  keys(simulation, order, {&job, 1}, {&key, 1});
  return key;
}

void LuaPolicy::keys(sim::Simulation& simulation, std::size_t order,
                     std::span<const JobId> jobs, std::span<double> out) {
  if (jobs.empty()) return;
  if (script_->formulas[order]) {
    return script_->compute(simulation, order, jobs, out);
  }
  Script::Call call{*script_, script_->table.keys[order], jobs, order, out};
  script_->run(simulation, Script::run_keys, call, "order");
}

bool LuaPolicy::has_schedule() const { return script_->table.schedule != LUA_NOREF; }

bool LuaPolicy::has_hook(std::string_view name) const {
  return script_->table.of_machines.contains(name);
}

std::string_view LuaPolicy::machine() const {
  for (const auto& calls : machine_calls()) {
    for (const auto& hook : calls.hooks) {
      if (hook.begin != nullptr && has_hook(hook.name)) return calls.machine;
    }
  }
  return {};
}

std::unique_ptr<CaseHook> LuaPolicy::bind(std::string_view name) {
  std::unique_ptr<CaseHook> bound;
  for_each_hook(script_->table, [&](const PolicyHook& hook, const std::any& field) {
    if (hook.name == name) bound = hook.bind(script_->for_hooks(), field);
  });
  BERTH_ASSERT(bound != nullptr);
  return bound;
}

std::string_view LuaPolicy::unjudged() const {
  std::string_view why;
  for_each_hook(script_->table, [&](const PolicyHook& hook, const std::any& field) {
    if (!why.empty() || hook.unjudged == nullptr) return;
    why = hook.unjudged(script_->for_hooks(), field, traits().promise);
  });
  return why;
}

const std::string& LuaPolicy::name() const { return script_->table.name; }

const std::string& LuaPolicy::paper() const { return script_->table.paper; }

const std::vector<Parameter>& LuaPolicy::parameters() const {
  return script_->table.parameters;
}

const std::map<std::string, ParameterValue>& LuaPolicy::values() const {
  return script_->values;
}

std::vector<LoadedSource> LuaPolicy::sources() const {
  return script_->sandbox->sources();
}

std::int64_t LuaPolicy::crossings() const { return script_->border.crossings; }

std::string LuaPolicy::where() const { return script_->sandbox->place(); }

std::int64_t LuaPolicy::drawn() const { return script_->sandbox->drawn(); }

std::optional<Time> LuaPolicy::now() const {
  const auto* running = script_->border.simulation;
  return running != nullptr ? std::optional(running->world().now()) : std::nullopt;
}

bool LuaPolicy::lacked_family() const { return script_->border.lacked_family; }

std::vector<LuaPolicy::Local> LuaPolicy::locals() const {
  std::vector<Local> all;
  if (script_->is_at_line) list_locals(*script_->sandbox, all);
  return all;
}

std::string LuaPolicy::evaluate(sim::Simulation& simulation,
                                std::string_view expression) {
  auto& script = *script_;
  script.border.simulation = &simulation;
  const sim::World::ReadingOnly reading(simulation.parts().world);
  return text_of_expression(
      *script.sandbox, {expression, script.border.view_methods, script.border.cluster,
                        script.is_at_line});
}

void LuaPolicy::keep_users() { script_->table.traits.asks_for_users = true; }

NumberedCalls& LuaPolicy::calls(sim::Simulation& simulation) {
  auto& script = *script_;
  script.border.simulation = &simulation;
  if (script.calls == nullptr) {
    script.calls = std::make_unique<NumberedCalls>(*script.sandbox, script.border);
  }
  return *script.calls;
}

Budget& LuaPolicy::budget() { return script_->sandbox->guard().budget(); }

const Usage& LuaPolicy::usage() const { return script_->sandbox->usage(); }

std::string policy_label(const std::string& stem,
                         const std::vector<Parameter>& parameters,
                         const std::map<std::string, ParameterValue>& values) {
  std::string changed;
  for (const auto& parameter : parameters) {
    const auto& value = values.at(parameter.name);
    if (value == parameter.value) continue;
    if (!changed.empty()) changed += ',';
    changed += fmt::format("{}={}", parameter.name, parameter_text(value));
  }
  return plain_text(changed.empty() ? stem : fmt::format("{}({})", stem, changed),
                    Newlines::kEscape);
}

}  // namespace berth::bindings
