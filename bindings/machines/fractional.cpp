// Machines shared by fractions: cluster.packing, and their part in other objects.

#include <fmt/format.h>

#include <array>

#include "bindings/machines/fractional_packing.hpp"
#include "bindings/policy_table.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/scoped_value.hpp"
#include "engine/machines/fractional/fractions.hpp"
#include "engine/machines/fractional/pack/raise.hpp"
#include "engine/machines/fractional/packing_actions.hpp"

namespace berth::bindings {

namespace fraction_calls {
namespace {

// --- the cluster and jobs ---

int share(lua_State* lua) {
  ++border(lua).crossings;
  require_self(lua, border(lua).cluster_table, "cluster");
  auto& machine = simulation(lua);
  const JobId job = read_job(lua, 2);
  if (capability<Fractions>(machine.world().hosts()) == nullptr)
    no_family(lua, "packing");
  const double yield = read_exact(lua, 3, "a yield");
  return push_done(lua, [&] { return sim::PackingActions(machine).share(job, yield); });
}

constexpr std::array kOfCluster{Primitive{
    "share", "job: Job, yield: number", "true?, refusal? why",
    "Give all tasks of a running job this part, 0 to 1, of their CPU need; nil "
    "and \"busy\" if a host has not so much left (machines shared by "
    "fractions).",
    "not pcall(cluster.share, cluster, job, 0.5)", share}};

TaskNeeds needs_of(const JobFieldAt& at) {
  return capability<Fractions>(at.simulation.world().hosts())
      ->needs(at.id, at.job.demand());
}

bool is_running(const JobFieldAt& at) { return at.entry.state == JobState::kRunning; }

void push_memory(const JobFieldAt& at) {
  lua_pushnumber(at.lua, gib_of(needs_of(at).memory_kib));
}

void push_cpu(const JobFieldAt& at) { lua_pushnumber(at.lua, needs_of(at).cpu); }

void push_yield(const JobFieldAt& at) {
  if (!is_running(at)) return lua_pushnil(at.lua);
  const auto& place = at.simulation.world().hosts().placement(at.id);
  lua_pushnumber(at.lua, place.form_if<TaskHosts>()->yield);
}

// Work done so far.
void push_virtual_time(const JobFieldAt& at) {
  auto ticks = at.entry.progress;
  if (is_running(at)) {
    const auto since =
        static_cast<double>(at.simulation.world().now() - at.entry.settled);
    ticks += at.entry.rate * since;
  }
  push_seconds(at.lua, static_cast<Duration>(ticks));
}

constexpr std::array kOfJob{
    JobField{{"memory", "", "number?", "", ""}, push_memory},
    JobField{{"cpu", "", "number?",
              "Part of a host that each task can use; nil if none is given.",
              "job.cpu == nil"},
             push_cpu},
    JobField{{"yield", "", "number?",
              "The part of its CPU need that a running job gets (machines shared by "
              "fractions); else nil.",
              "job.yield == nil"},
             push_yield},
    JobField{{"virtual_time", "", "seconds?",
              "Seconds at full speed that it has been given so far (machines shared "
              "by fractions); else nil.",
              "job.virtual_time == nil"},
             push_virtual_time}};

// --- what the calls keep ---

PackingsKept& kept_of(const Border& shared) {
  static const auto& calls = *calls_of("fractional");
  return state_of<PackingsKept>(shared, calls);
}

// The packers of a study: those of cluster.packing, without a machine.
void push_packer(lua_State* lua) {
  static const Family kOfStudy{"Packer", "packing", "", packer_primitives()};
  push_family(lua, kOfStudy);
  packings_kept(lua).packer_table = lua_topointer(lua, -1);
}

// --- the field `pack` ---

// A call of `pack`.
struct PackCall {
  const HookScript& script;
  int function;
  Packings& desk;
  std::optional<std::size_t> packing;  // the number of what it answered
};

// Calls `pack` with the packer, the list of all jobs and the parameters.
int run_pack(lua_State* lua) {
  auto& call = *static_cast<PackCall*>(lua_touserdata(lua, 1));
  auto& desk = call.desk;
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.function);
  push_packer(lua);
  const int jobs = desk.task()->problem.items.jobs();
  lua_createtable(lua, jobs, 0);
  for (int job = 0; job < jobs; ++job) {
    push_item(lua, job);
    lua_rawseti(lua, -2, job + 1);
  }
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.script.params);
  lua_call(lua, 3, 1);
  if (lua_isnil(lua, -1)) return 0;
  const int answer = lua_gettop(lua);
  if (!is_kind(lua, answer, packing_kind())) {
    return luaL_error(lua, "%s: pack must return a packing, or nil; got %s",
                      call.script.file->c_str(), luaL_typename(lua, answer));
  }
  const auto number = read_of_decision(lua, answer, packing_kind());
  if (!desk.held(number).subject->is_whole) {
    return luaL_error(lua, "%s: pack must return a packing of all jobs",
                      call.script.file->c_str());
  }
  call.packing = number;
  return 0;
}

class ScriptPacker final : public pack::Packer {
 public:
  ScriptPacker(const HookScript& script, int function)
      : script_(script), function_(function) {}

  [[nodiscard]] pack::Packing pack(const PackingTask& task) override {
    auto& border = *script_.border;
    Packings desk(task, ++kept_of(border).calls);
    const ScopedValue at_hand(border.at_hand, &desk);
    ++border.crossings;
    PackCall call{script_, function_, desk, std::nullopt};
    auto& budget = script_.sandbox->guard().budget();
    const auto before = budget.charged();
    script_.sandbox->enter(run_pack, &call, {"pack", task.instance});
    auto packing = answer_of(call);
    packing.effort.work = budget.charged() - before;
    if (!packing.packed() || desk.held(*call.packing).is_raised) return packing;
    return pack::raised(task.problem, budget, std::move(packing),
                        pack::Raising::kAverage);
  }

 private:
  static pack::Packing answer_of(const PackCall& call) {
    auto& desk = call.desk;
    if (call.packing) return std::move(desk.held(*call.packing).packing);
    const auto& problem = desk.task()->problem;
    if (const auto why = pack::cannot_fit(problem)) return pack::failed(*why);
    return desk.failure.value_or(pack::failed(pack::Outcome::kNoPacking));
  }

  HookScript script_;
  int function_;
};

constexpr std::string_view kNewPacker =
    R"lua(-- @: each task, largest need first, goes to the host with the most CPU left.
--
-- berth calls pack(packing, jobs, params) once for each instance of a packing study.
-- `berth api packing` and `berth api draft` list what can be called.

-- Called at one yield after the other; one succeeds when every task is put.
local function fill(draft)
  for task, cpu, memory in draft:tasks("max") do
    local best, most
    for host, free_cpu, free_memory in draft:hosts(task) do
      if not best or free_cpu > most then best, most = host, free_cpu end
    end
    if not best then return end
    draft:put(task, best)
  end
end

-- It packs the instances of studies; by the library `repack` it is a policy, too, where
-- hosts are shared by fractions.
return require("repack").policy({
  -- What can be set from outside: berth run --policy ./@.lua:improve=false
  params = {
    improve = { default = true, help = "move and swap tasks off the most loaded host" },
  },
  pack = function(packing, jobs, params)
    local packed, why = packing:search(jobs, fill)
    if packed and params.improve then packed = packing:improve(packed) end
    return packed, why
  end,
})
)lua";

constexpr std::string_view kNewStudy = R"toml(# How good is @?
title = "@ against the exact optimum, MCB8 and a greedy packer"
study = "packing"
seed  = 1

[packing]
hosts     = 4
jobs      = 10
slack     = 0.3        # share of all memory that is free
cv_cpu    = 0.75
cv_memory = 0.75
instances = 100

[run]
policies = ["exact", "mcb", "greedy", "./@.lua"]
)toml";

void read_pack(TableReader& reader, int top, std::any& field) {
  const int function = read_function(reader, top, "pack", false);
  if (function != LUA_NOREF) field = function;
}

std::unique_ptr<CaseHook> bind_pack(const HookScript& script, const std::any& field) {
  return std::make_unique<ScriptPacker>(script, std::any_cast<int>(field));
}

constexpr std::array kHooks{PolicyHook{
    .name = "pack",
    .instead_of_schedule = "it packs instances, in scenarios with study = \"packing\"",
    .read = read_pack,
    .bind = bind_pack,
    .new_policy = kNewPacker,
    .new_scenario = kNewStudy}};

constexpr std::array kTopics{Topic{
    "pack", "",
    R"(`pack(packing, jobs, params)` packs one instance of a packing study (scenarios with
`study = "packing"`, [packing.md](packing.md)): `packing` has the packers, `jobs` is the list of all
jobs, `params` the parameters.  It returns a packing of all jobs, or nil.  A job then has `id`,
`size` (tasks), `cpu` and `memory` (of each task, as shares of a host).  A file with `pack` may do
without `schedule`.)",
    R"(return {
  params = { budget = { default = 1, min = 0, max = 64, help = "hosts of memory that may move" } },
  pack = function(packing, jobs, params)
    local packed, why = packing:greedy(jobs, { sorted = true })
    return packed and packing:improve(packed, { budget = params.budget }), why
  end,
  schedule = function(queue, cluster) cluster:start_all(queue) end,
}
)"}};

constexpr std::array kHandles{HandleKind{"packing", packing_member},
                              HandleKind{"draft", draft_member}};

}  // namespace
}  // namespace fraction_calls

PackingsKept& packings_kept(lua_State* lua) {
  return fraction_calls::kept_of(border(lua));
}

Kind packing_kind() {
  static const auto kKind = kind_of(fraction_calls::kHandles[0]);
  return kKind;
}

Kind draft_kind() {
  static const auto kKind = kind_of(fraction_calls::kHandles[1]);
  return kKind;
}

MachineCalls fractional_calls() {
  static const std::array kObjects{
      Family{"Packed", "packed",
             "A packing: a host for each task, a yield for each job.",
             packed_primitives()},
      Family{"Draft", "draft", "A packing in the making at one yield, in a fill.",
             draft_primitives()}};
  static const std::array kFamilies{Family{
      "Packer", "cluster.packing",
      "Packers: jobs in, a packing out (machines shared by fractions); the first "
      "argument of `pack`, too.",
      packer_primitives(), [](const sim::World& world) {
        return capability<Fractions>(world.hosts()) != nullptr;
      }}};
  MachineCalls calls{"fractional"};
  calls.objects = kObjects;
  calls.families = kFamilies;
  calls.of_cluster = fraction_calls::kOfCluster;
  calls.of_job = fraction_calls::kOfJob;
  calls.handles = fraction_calls::kHandles;
  calls.hooks = fraction_calls::kHooks;
  calls.topics = fraction_calls::kTopics;
  calls.state = []() -> std::shared_ptr<void> {
    return std::make_shared<PackingsKept>();
  };
  return calls;
}

}  // namespace berth::bindings
