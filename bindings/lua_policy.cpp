#include "bindings/lua_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bindings/evaluation.hpp"
#include "bindings/machines/fractional_packing.hpp"
#include "bindings/machines/network_embedding.hpp"
#include "bindings/policy_table.hpp"
#include "bindings/table_reader.hpp"
#include "bindings/value.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/machines/fractional/pack/raise.hpp"
#include "engine/machines/network/networked.hpp"
#include "engine/machines/network/slots_settings.hpp"

namespace berth::bindings {

namespace {

using Values = std::map<std::string, ParameterValue>;

// Upvalue: the values.
int no_parameter(lua_State* lua) {
  const auto& values =
      *static_cast<const Values*>(lua_touserdata(lua, lua_upvalueindex(1)));
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
void push_params(lua_State* lua, const Values& values) {
  lua_createtable(lua, 0, static_cast<int>(values.size()));
  for (const auto& [name, value] : values) {
    push_string(lua, name);
    push_value(lua, value);
    lua_rawset(lua, -3);
  }
  lua_pushlightuserdata(lua, const_cast<Values*>(&values));
  lua_pushcclosure(lua, no_parameter, 1);
  close_table(lua);
}

// Pushes the table of an object that every machine has.
void push_object(lua_State* lua, std::string_view type) {
  for (const auto& family : families()) {
    if (family.type == type) return push_family(lua, family);
  }
}

// The packers of a study: those of cluster.packing, without a machine.
void push_packer(lua_State* lua) {
  static const auto kOfStudy = [] {
    for (auto family : families()) {
      if (family.type != "Packer") continue;
      family.reach = "packing";
      family.serves = nullptr;
      return family;
    }
    return Family{};
  }();
  push_family(lua, kOfStudy);
}

void set_raw(lua_State* lua, const char* name) {
  lua_pushstring(lua, name);
  lua_insert(lua, -2);
  lua_rawset(lua, -3);
}

// The parameter with the value that the file asks for.  Error{kPolicy} if it cannot be.
Parameter with_field(Parameter parameter, const PolicyTable& table,
                     const std::string& file) {
  if (table.own_embedding) {
    parameter.values.emplace_back(kOwnEmbedding);
    parameter.value = std::string(kOwnEmbedding);
    return parameter;
  }
  if (table.embedding.empty()) return parameter;
  const auto& known = parameter.values;
  if (std::find(known.begin(), known.end(), table.embedding) == known.end()) {
    const std::vector<std::string_view> names(known.begin(), known.end());
    throw Error(ErrorCode::kPolicy,
                fmt::format("{}: there is no embedding '{}'{}", file, table.embedding,
                            did_you_mean(table.embedding, names)));
  }
  parameter.value = table.embedding;
  return parameter;
}

}  // namespace

struct LuaPolicy::Script {
  std::string file;
  Border border;
  PolicyTable table;
  std::map<std::string, ParameterValue> values;
  int queue = LUA_NOREF;
  int cluster = LUA_NOREF;
  int packer = LUA_NOREF;
  int params = LUA_NOREF;
  std::optional<JobId> about;  // the job of the running hook or key function
  bool is_at_line = false;
  std::unique_ptr<Sandbox> sandbox;

  static Script& from(lua_State* lua) {
    return *static_cast<Script*>(lua_touserdata(lua, 1));
  }

  [[nodiscard]] Host host(const PolicyOptions& options);
  [[nodiscard]] std::string where() const;

  static int install(lua_State* lua);
  static int read_table(lua_State* lua);
  static int install_params(lua_State* lua);
  static int ask_promise(lua_State* lua);
  // A call of a hook for one job, of a key function for each of several, or of a weight
  // for each of several things.
  struct Call {
    Script& script;
    int function;
    std::span<const JobId> jobs;
    std::size_t order = 0;
    std::span<double> keys{};  // what the function returns, by job or thing
    std::span<const std::int32_t> things{};  // idle-slot counts or servers
  };
  // A call of `pack`.
  struct PackCall {
    Script& script;
    std::optional<std::size_t> packing;  // the number of what it answered
  };
  static int run_pack(lua_State* lua);
  static int run_hook(lua_State* lua);
  static int run_keys(lua_State* lua);
  static int run_weights(lua_State* lua);
  void weigh(sim::Simulation& simulation, const ClusterRequest& request,
             std::span<const std::int32_t> things, std::span<double> weights);
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
  return host;
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
  if (border.packings != nullptr) {
    return fmt::format("instance {}", border.packings->task()->instance);
  }
  const auto* running = border.simulation;
  if (running == nullptr) return "while loading";
  auto text = fmt::format("decision {} at t={}", running->world().decision().number,
                          seconds_text(running->now()));
  if (about) text += fmt::format(", job {}", running->jobs().job(*about).id);
  return text;
}

// Handles, tables of methods, and the names of job fields.
int LuaPolicy::Script::install(lua_State* lua) {
  auto& script = from(lua);
  auto& shared = script.border;
  install_handles(lua);
  for (const auto& field : job_primitives()) {
    push_string(lua, field.name);
    shared.job_fields.push_back(lua_tostring(lua, -1));
    (void)luaL_ref(lua, LUA_REGISTRYINDEX);  // interned as long as it is referenced
  }
  push_object(lua, "View");
  shared.queue_table = lua_topointer(lua, -1);
  script.queue = shared.view_methods = luaL_ref(lua, LUA_REGISTRYINDEX);
  push_object(lua, "Plan");
  shared.plan_methods = luaL_ref(lua, LUA_REGISTRYINDEX);
  push_object(lua, "Packed");
  shared.packing_methods = luaL_ref(lua, LUA_REGISTRYINDEX);
  push_object(lua, "Draft");
  shared.draft_methods = luaL_ref(lua, LUA_REGISTRYINDEX);
  push_packer(lua);
  shared.packer_table = lua_topointer(lua, -1);
  script.packer = luaL_ref(lua, LUA_REGISTRYINDEX);
  push_object(lua, "Book");
  shared.book_table = lua_topointer(lua, -1);
  shared.book = luaL_ref(lua, LUA_REGISTRYINDEX);
  push_object(lua, "Cluster");
  for (const auto& family : shared.families) {
    push_family(lua, family);
    set_raw(lua, family.name().data());
  }
  shared.cluster_table = lua_topointer(lua, -1);
  script.cluster = luaL_ref(lua, LUA_REGISTRYINDEX);
  return 0;
}

int LuaPolicy::Script::read_table(lua_State* lua) {
  auto& script = from(lua);
  return run_reader(lua, [&] { read_policy_table(lua, script.file, script.table); });
}

int LuaPolicy::Script::install_params(lua_State* lua) {
  auto& script = from(lua);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, script.cluster);
  push_params(lua, script.values);
  lua_pushvalue(lua, -1);
  script.params = luaL_ref(lua, LUA_REGISTRYINDEX);
  set_raw(lua, "params");
  return 0;
}

// Calls `pack` with the packer, the list of all jobs and the parameters.
int LuaPolicy::Script::run_pack(lua_State* lua) {
  auto& call = *static_cast<PackCall*>(lua_touserdata(lua, 1));
  auto& script = call.script;
  auto& desk = *script.border.packings;
  lua_rawgeti(lua, LUA_REGISTRYINDEX, script.table.pack);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, script.packer);
  const int jobs = desk.task()->problem.items.jobs();
  lua_createtable(lua, jobs, 0);
  for (int job = 0; job < jobs; ++job) {
    push_item(lua, job);
    lua_rawseti(lua, -2, job + 1);
  }
  lua_rawgeti(lua, LUA_REGISTRYINDEX, script.params);
  lua_call(lua, 3, 1);
  if (lua_isnil(lua, -1)) return 0;
  const int answer = lua_gettop(lua);
  if (!is_kind(lua, answer, Kind::kPacking)) {
    return luaL_error(lua, "%s: pack must return a packing, or nil; got %s",
                      script.file.c_str(), luaL_typename(lua, answer));
  }
  const auto number = read_of_decision(lua, answer, Kind::kPacking);
  if (!desk.held(number).subject->is_whole) {
    return luaL_error(lua, "%s: pack must return a packing of all jobs",
                      script.file.c_str());
  }
  call.packing = number;
  return 0;
}

// What the policy promises with these parameters.
int LuaPolicy::Script::ask_promise(lua_State* lua) {
  auto& script = from(lua);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, script.table.promises);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, script.cluster);
  lua_pushliteral(lua, "params");
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
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

int LuaPolicy::Script::run_hook(lua_State* lua) {
  const auto& call = *static_cast<const Call*>(lua_touserdata(lua, 1));
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.function);
  push_job(lua, call.jobs.front());
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.script.cluster);
  lua_call(lua, 2, 0);
  return 0;
}

int LuaPolicy::Script::run_keys(lua_State* lua) {
  auto& call = *static_cast<Call*>(lua_touserdata(lua, 1));
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.function);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.script.cluster);
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

int LuaPolicy::Script::run_weights(lua_State* lua) {
  auto& call = *static_cast<Call*>(lua_touserdata(lua, 1));
  const auto& script = call.script;
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.function);
  const int function = lua_gettop(lua);
  push_job(lua, call.jobs.front());
  lua_rawgeti(lua, LUA_REGISTRYINDEX, script.cluster);
  lua_pushliteral(lua, "network");
  lua_rawget(lua, -2);
  const int network = lua_gettop(lua);
  for (std::size_t i = 0; i < call.things.size(); ++i) {
    lua_pushvalue(lua, function);
    lua_pushinteger(lua, call.things[i]);
    lua_pushvalue(lua, function + 1);
    lua_pushvalue(lua, network);
    lua_call(lua, 3, 1);
    const auto weight = exact_number(lua, -1);
    if (!weight) {
      return luaL_error(lua, "%s: a weight must be a finite number, got %s for %d",
                        script.file.c_str(), push_inexact(lua, -1),
                        static_cast<int>(call.things[i]));
    }
    call.keys[i] = *weight;
    lua_pop(lua, 1);
  }
  return 0;
}

void LuaPolicy::Script::weigh(sim::Simulation& simulation,
                              const ClusterRequest& request,
                              std::span<const std::int32_t> things,
                              std::span<double> weights) {
  if (things.empty()) return;
  auto& guard = sandbox->guard();
  if (!guard.is_inside()) guard.account_for_engine();
  const sim::World::ReadingOnly reading(simulation.parts().world);
  const JobId job{request.who};
  const auto& own = *table.own_embedding;
  const int function = own.weight != LUA_NOREF ? own.weight : own.server_weight;
  Call call{*this, function, {&job, 1}, 0, weights, things};
  run(simulation, run_weights, call, "weight");
}

// Messages name the job until the call ends, by an error too.
void LuaPolicy::Script::run(sim::Simulation& simulation, lua_CFunction body, Call& call,
                            const char* kind) {
  struct Restore {
    std::optional<JobId>& about;
    std::optional<JobId> before;
    ~Restore() { about = before; }
  };
  const Restore restore{about, about};
  about = call.jobs.front();
  border.simulation = &simulation;
  border.crossings += static_cast<std::int64_t>(call.jobs.size());
  sandbox->enter(body, &call,
                 {kind, simulation.world().decision().number, !call.things.empty()});
}

LuaPolicy::LuaPolicy(const PolicyFile& file, const PolicyOptions& options)
    : script_(std::make_unique<Script>()) {
  auto& script = *script_;
  script.file = file.chunk_name;
  script.border.traits = &script.table.traits;
  script.border.families = options.families;
  script.sandbox =
      std::make_unique<Sandbox>(options.limits, options.seed, script.host(options));
  script.sandbox->guard().carry(&script.border);
  if (options.line) script.watch_lines(options.line);
  script.sandbox->enter(Script::install, &script, {"load", 0});
  script.sandbox->load(file.chunk_name, file.text);
  script.sandbox->enter(Script::read_table, &script, {"load", 0});
  if (options.of_machine) {
    script.table.parameters.push_back(
        with_field(*options.of_machine, script.table, file.chunk_name));
  }
  script.values =
      parameter_values(file.stem, script.table.parameters, options.parameters);
  script.table.traits.label =
      policy_label(file.stem, script.table.parameters, script.values);
  script.sandbox->enter(Script::install_params, &script, {"load", 0});
  if (script.table.promises != LUA_NOREF) {
    script.sandbox->enter(Script::ask_promise, &script, {"load", 0});
  }
  if (!has_schedule()) return;
  script.sandbox->prepare(
      std::array{script.table.schedule, script.queue, script.cluster});
}

LuaPolicy::~LuaPolicy() = default;

const sim::PolicyTraits& LuaPolicy::traits() const { return script_->table.traits; }

void LuaPolicy::begin(sim::Simulation& simulation) {
  auto& script = *script_;
  script.border.simulation = &simulation;
  const auto& own = script.table.own_embedding;
  const auto chosen = script.values.find("embedding");
  auto* network = capability<Networked>(simulation.parts().world.hosts());
  script.border.network = network;
  const bool is_in_force = own && network != nullptr && chosen != script.values.end() &&
                           parameter_text(chosen->second) == kOwnEmbedding;
  if (!is_in_force) return;
  const auto what = own->weight != LUA_NOREF ? Weighed::kSlotCounts : Weighed::kServers;
  network->use(make_own_embedding(
      own->frame, what,
      [&script, &simulation](const ClusterRequest& request,
                             std::span<const std::int32_t> things,
                             std::span<double> weights) {
        script.weigh(simulation, request, things, weights);
      },
      Weights::kKept));
}

void LuaPolicy::schedule(sim::Simulation& simulation) {
  auto& script = *script_;
  if (!has_schedule()) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("{}: the policy has no function 'schedule': it packs "
                            "instances, in scenarios with study = \"packing\"",
                            script.file));
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

double LuaPolicy::key(sim::Simulation& simulation, std::size_t order, JobId job) {
  double key = 0;
  keys(simulation, order, {&job, 1}, {&key, 1});
  return key;
}

void LuaPolicy::keys(sim::Simulation& simulation, std::size_t order,
                     std::span<const JobId> jobs, std::span<double> out) {
  if (jobs.empty()) return;
  Script::Call call{*script_, script_->table.keys[order], jobs, order, out};
  script_->run(simulation, Script::run_keys, call, "order");
}

bool LuaPolicy::has_schedule() const { return script_->table.schedule != LUA_NOREF; }

bool LuaPolicy::has_embedding() const {
  return script_->table.own_embedding || !script_->table.embedding.empty();
}

bool LuaPolicy::weighs_servers() const {
  const auto& own = script_->table.own_embedding;
  return own && own->server_weight != LUA_NOREF;
}

bool LuaPolicy::has_pack() const { return script_->table.pack != LUA_NOREF; }

pack::Packing LuaPolicy::pack(const PackingTask& task) {
  BERTH_ASSERT(has_pack());
  struct Leave {
    Border& border;
    ~Leave() { border.packings = nullptr; }
  };
  auto& script = *script_;
  Packings desk(task);
  const Leave leave{script.border};
  script.border.packings = &desk;
  ++script.border.packing_call;
  ++script.border.crossings;
  Script::PackCall call{script, std::nullopt};
  script.sandbox->enter(Script::run_pack, &call, {"pack", task.instance});
  if (!call.packing) {
    if (const auto why = pack::cannot_fit(task.problem)) return pack::failed(*why);
    return desk.failure.value_or(pack::failed(pack::Outcome::kNoPacking));
  }
  auto& held = desk.held(*call.packing);
  if (held.is_raised) return std::move(held.packing);
  return pack::raised(task.problem, budget(), std::move(held.packing),
                      pack::Raising::kAverage);
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
  return running != nullptr ? std::optional(running->now()) : std::nullopt;
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
      *script.sandbox, {expression, script.queue, script.cluster, script.is_at_line});
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
