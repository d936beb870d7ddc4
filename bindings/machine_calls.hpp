#pragma once
// What a machine adds to the policy API: one record a machine, in its own file below
// bindings/machines/; list.cpp there lists them.  No other file of bindings/ knows a
// machine.

#include <any>
#include <lua.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bindings/families.hpp"
#include "bindings/guide.hpp"
#include "bindings/lua_policy.hpp"
#include "bindings/starter.hpp"
#include "bindings/table_reader.hpp"
#include "bindings/value.hpp"
#include "engine/machines/case_set.hpp"

namespace berth::bindings {

// A job whose field is read.
struct JobFieldAt {
  lua_State* lua;
  sim::Simulation& simulation;
  JobId id;
  const Job& job;
  const JobEntry& entry;
};

// A field of jobs on this machine, which is nil on others, or a method of them, which
// is there on all.  Where every machine has a field of this name, this machine has it
// in its own way.
struct JobField {
  Primitive primitive;
  void (*push)(const JobFieldAt&);
};

// A kind of handle besides the common ones (value.hpp).
struct HandleKind {
  const char* what;                     // "switch": for messages
  int (*member)(lua_State*) = nullptr;  // arguments handle and key; null: has none
  // Names the handle of this number in messages; where it is null, `what` does.
  std::string (*text)(const Border&, std::uint64_t number) = nullptr;
};

// A named number of processors for queue:fitting(name): members that ask for no more.
struct FittingBound {
  std::string_view name;      // "background"
  std::string_view family;    // without which it raises: "tiers"
  sim::Selection::Most most;  // asked on this machine alone
};

// The script of a policy, for its hooks, which it outlives.
struct HookScript {
  Sandbox* sandbox;
  Border* border;
  const std::string* file;                              // as messages name it
  const std::map<std::string, ParameterValue>* values;  // of its parameters
  int cluster = LUA_NOREF;  // references in the Lua registry
  int params = LUA_NOREF;
  std::optional<JobId>* about;  // the job that messages name
};

// A field of a policy file that only this machine reads.  Functions may be null.
struct PolicyHook {
  std::string_view name;  // "pack"
  // What a file with it does without a function `schedule`; empty: it needs one.
  std::string_view instead_of_schedule{};
  // Reads the field of the table at this stack index; leaves `field` empty if it is not
  // there.
  void (*read)(TableReader& reader, int top, std::any& field);
  // Sets the parameter of this name, which every policy has on this machine, to what
  // the file asks for.  Error{kPolicy}, beginning with the file, if it cannot be.
  void (*amend)(Parameter& parameter, const std::any& field,
                const std::string& file) = nullptr;
  // A run on this machine begins.
  void (*begin)(const HookScript& script, const std::any& field,
                sim::Simulation& simulation) = nullptr;
  // Why a promise of the policy is not judged; empty: it is.
  std::string_view (*unjudged)(const HookScript& script, const std::any& field,
                               sim::Promise promise) = nullptr;
  // What answers the cases of a study without a simulation.
  std::unique_ptr<CaseHook> (*bind)(const HookScript& script,
                                    const std::any& field) = nullptr;
  // A new file with the field, and a scenario that studies it; "@" stands for its name.
  std::string_view new_policy{};
  std::string_view new_scenario{};
};

struct MachineCalls {
  std::string_view machine;            // ModelRecord::name
  std::span<const Family> objects{};   // families of values: every script knows them
  std::span<const Family> families{};  // of cluster, which this machine serves
  std::span<const Primitive> of_cluster{};  // further members of `cluster`
  std::span<const Primitive> of_hosts{};    // further members of `cluster.hosts`
  // What hosts:choose does on this machine; null: as on any other.
  lua_CFunction choose_hosts = nullptr;
  std::span<const JobField> of_job{};
  std::span<const HandleKind> handles{};
  std::span<const FittingBound> fitting{};
  std::span<const PolicyHook> hooks{};
  std::span<const Topic> topics{};  // of these fields, for the reference
  std::span<const Starter> starters{};
  // Members of the placements that start takes: arguments handle and key.
  int (*placement_member)(lua_State*) = nullptr;
  // What its calls keep for one script, made as the script is loaded.
  std::shared_ptr<void> (*state)() = nullptr;
};

// In the order of the reference.
[[nodiscard]] std::span<const MachineCalls> machine_calls();
// Those of this name; nullptr: the machine adds nothing.
[[nodiscard]] const MachineCalls* calls_of(std::string_view machine);

// What the calls of a machine keep.  REQUIRES: the record makes a State.
template <class State>
[[nodiscard]] State& state_of(const Border& shared, const MachineCalls& calls) {
  const auto number = static_cast<std::size_t>(&calls - machine_calls().data());
  return *static_cast<State*>(shared.states[number].get());
}

// The number of a kind of handle among all kinds.  REQUIRES: a record lists it.
[[nodiscard]] Kind kind_of(const HandleKind& handle);
// The other way round; nullptr for the common kinds, and a value that is none.
[[nodiscard]] const HandleKind* handle_of_machine(Kind kind);

// The built-in family of this type.  REQUIRES: there is one.
[[nodiscard]] const Family& object_family(std::string_view type);

// Decides what each field of a job is in a run on this machine; null: while there is no
// run.
void bind_job_fields(Border& shared, const MachineCalls* machine);

}  // namespace berth::bindings
