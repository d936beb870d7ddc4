#pragma once
// A policy written in Lua: a file that returns a table with `schedule` and, optionally,
// hooks, parameters, orders and promises.
//
// Loading runs the file once, under the limits of a decision.
//
// Errors       Error{kPolicy} (kTime, kMemory for limits) beginning "file:line: what".
// Determinism  Same text, parameters and seed: same behaviour in every process.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bindings/families.hpp"
#include "bindings/sandbox/sandbox.hpp"
#include "engine/machines/case_set.hpp"
#include "engine/sim/policy.hpp"

namespace berth::bindings {

using ParameterValue = std::variant<double, bool, std::string>;

// A parameter, as the policy declares it.
struct Parameter {
  std::string name;
  std::string help;
  ParameterValue value;       // its default
  std::optional<double> min;  // of numbers
  std::optional<double> max;
  std::vector<std::string> values;  // of texts: what it may be
};

class CallProfile;
class NumberedCalls;

struct PolicyFile {
  std::string stem;        // "easy"; the label begins with it
  std::string chunk_name;  // "policies/easy.lua"; its name in messages
  std::string text;
};

struct PolicyOptions {
  Limits limits;
  std::uint64_t seed = 0;
  // By name, as typed: "false", "100", "least_left_over".
  std::map<std::string, std::string> parameters;
  // A parameter that every policy has on its machine ("embedding"), with the machine's
  // own value; the field of this name in the file comes before that.
  std::optional<Parameter> of_machine;
  // Called with each line that the script prints; null: dropped.
  std::function<void(std::string_view)> print;
  // Called with each line that the script comes to, its file as messages show it, from
  // the load on; slows the script.  Null: not called.
  std::function<void(std::string_view file, int line)> line;
  // What its entries and calls are timed in; must outlive the policy.  Null: none.
  CallProfile* profile = nullptr;
  // The file for `require "name"`; null: none.
  std::function<std::optional<LoadedSource>(std::string_view)> library;
  // Families of calls that only some machines have.  Must outlive the policy.
  std::span<const Family> families = machine_families();
};

// REQUIRES: used for one simulation at a time.  Where another one follows, its script
// goes on with what it has noted: jobs have the same numbers there, and decisions are
// numbered behind those before.
class LuaPolicy final : public sim::Policy {
 public:
  LuaPolicy(const PolicyFile& file, const PolicyOptions& options);
  ~LuaPolicy() override;
  LuaPolicy(const LuaPolicy&) = delete;
  LuaPolicy& operator=(const LuaPolicy&) = delete;

  [[nodiscard]] const sim::PolicyTraits& traits() const override;
  // What the script charges, and within whose limits.
  [[nodiscard]] Budget& budget() override;
  void begin(sim::Simulation& simulation) override;
  void schedule(sim::Simulation& simulation) override;
  void on_submit(sim::Simulation& simulation, JobId job) override;
  void on_end(sim::Simulation& simulation, JobId job) override;
  void on_host(sim::Simulation& simulation, std::int32_t host, bool is_up) override;
  void on_hit(sim::Simulation& simulation, JobId job) override;
  [[nodiscard]] std::optional<Duration> estimate(sim::Simulation& simulation,
                                                 JobId job) override;
  [[nodiscard]] double key(sim::Simulation& simulation, std::size_t order,
                           JobId job) override;
  void keys(sim::Simulation& simulation, std::size_t order, std::span<const JobId> jobs,
            std::span<double> out) override;
  [[nodiscard]] std::string where() const override;
  [[nodiscard]] std::int64_t drawn() const override;
  // Whether the file has the function.  Where a hook stands for it, as `pack`, it may
  // be absent, and throws Error{kPolicy} when it is called.
  [[nodiscard]] bool has_schedule() const;
  // Whether the file has this field, which only some machines read ("pack").
  [[nodiscard]] bool has_hook(std::string_view name) const;
  // The machine that reads a field of the file in a run; empty: any has what it needs.
  [[nodiscard]] std::string_view machine() const;
  // What answers the cases of a study; the policy outlives it, and works on one case at
  // a time.  REQUIRES: has_hook(name), and such cases are answered by it.
  [[nodiscard]] std::unique_ptr<CaseHook> bind(std::string_view hook);
  // Why what the policy promises is not judged, for what its file asks of its machine;
  // empty: it is.
  [[nodiscard]] std::string_view unjudged() const;
  // The time of the simulation; nullopt while the file is loaded.
  [[nodiscard]] std::optional<Time> now() const;
  // Whether the script has called a family of calls that its machine lacks.
  [[nodiscard]] bool lacked_family() const;

  // For one who looks into a script.  While it calls PolicyOptions::line: the local
  // variables of the function at that line, in the order of their declaration.
  struct Local {
    std::string name;
    std::string value;
  };
  [[nodiscard]] std::vector<Local> locals() const;
  // The text of this expression of Lua, with those local variables, the globals of the
  // script, `queue` and `cluster`.  Actions raise, but the expression may change tables
  // of the script.  Throws Error{kPolicy}.  REQUIRES: during a run.
  [[nodiscard]] std::string evaluate(sim::Simulation& simulation,
                                     std::string_view expression);

  // Its runs keep the use by users, whatever its text names: for calls() and
  // evaluate().  REQUIRES: called before a run begins.
  void keep_users();
  // Calls of the API from outside the script.  REQUIRES: a run has begun, and its
  // simulation is this one.
  [[nodiscard]] NumberedCalls& calls(sim::Simulation& simulation);

  // Fields of the file; empty if absent.
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] const std::string& paper() const;
  // By name.
  [[nodiscard]] const std::vector<Parameter>& parameters() const;
  // Every parameter and its value.
  [[nodiscard]] const std::map<std::string, ParameterValue>& values() const;
  // The file and everything it required, in the order of loading.
  [[nodiscard]] std::vector<LoadedSource> sources() const;
  // Calls between the engine and the script so far.
  [[nodiscard]] std::int64_t crossings() const;
  // Memory, work and output of the script so far.
  [[nodiscard]] const Usage& usage() const;

 private:
  struct Script;
  std::unique_ptr<Script> script_;
};

// "sjf", or "sjf(block=false)" with the parameters that differ from their defaults, by
// name.  A label is one line of plain text, the same in every format: control bytes are
// shown as "\x1b", backslashes are as they are.
[[nodiscard]] std::string policy_label(
    const std::string& stem, const std::vector<Parameter>& parameters,
    const std::map<std::string, ParameterValue>& values);

}  // namespace berth::bindings
