#pragma once
// Hand-sized cases for a policy, kept beside it as NAME.test.lua:
//
//   return {
//     { "a short job overtakes", processors = 10, params = { block = false },
//       jobs = { { 0, 6, 6 }, { 1, 2, 4, 10 } },   -- submit, size, length[, walltime]
//       starts = { 0, 1 } },                       -- what each job's start must be
//   }
//
// `needs` of kinds on hosts are of each chunk, of machine-wide kinds of the job.
//
// A job may have `user = 7` besides.  Jobs are numbered from 1 in the order given.  A
// start of false: the job must not start.  A job may have `needs = { chunks = 2,
// memory = 1, licence = 1 }` beside its size, as in a file of needs.  All else that a
// case says of its machine and its run are settings of a scenario: by section, as in
// `run = { pass = "event" }`, or by an older name, as in `hosts = { { count = 2,
// processors = 4, memory = 8, gpu = 1 } }`.
//
// In place of jobs a case names a `scenario` or a `trace`, or draws them: `random = {
// jobs = 100, runs = 200 }`.  Besides `starts`, or instead: `ends`, `order`, `why`,
// `check = function(run)` and `holds = function(run, other)`, where `other` is the run
// of the policy that `versus` names (docs/testing.md).

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "bindings/tools/run.hpp"
#include "engine/base/setting.hpp"
#include "engine/jobs/job.hpp"

namespace berth::bindings {

// Workloads to be drawn: whole numbers, small ones more often than large ones.
struct RandomJobs {
  std::int64_t jobs = 100;    // of each
  std::int64_t runs = 100;    // workloads
  std::int64_t seed = 1;      // of the first; each has its own
  std::int64_t longest = 64;  // seconds
  std::int64_t users = 4;
  double load = 1;     // of the machine, in the mean
  bool exact = false;  // walltimes are the lengths
};

struct ExpectedReason {
  std::int64_t job;
  std::optional<Time> at;  // nullopt: the reason under which it waits longest
  std::string why;         // the name of a reason (docs/explain.md)
};

struct PolicyCase {
  using Times = std::map<std::int64_t, std::optional<Time>>;

  std::string name;
  std::optional<std::int32_t> processors{};  // nullopt: those of a scenario or a trace
  // As they are given: "sharing", "hosts.1.count".
  std::vector<std::pair<std::string, SettingValue>> settings{};
  std::any made{};  // of the settings, by what knows them
  std::map<std::string, std::string> parameters{};
  std::vector<Job> jobs{};
  // Of a side file: by column ("needs.memory") and number of the job.
  std::map<std::string, std::map<std::int64_t, std::vector<double>>> needs{};
  std::map<std::string, std::vector<std::string>>
      texts{};  // that such values stand for

  // In place of jobs; at most one of the three.
  std::string scenario{};
  std::string trace{};
  std::optional<RandomJobs> random{};

  // What is expected, by number of the job; nullopt: it must not start, or end.
  Times starts{};
  Times ends{};
  std::vector<std::int64_t> order{};  // of their starts
  std::vector<ExpectedReason> why{};
  bool has_check = false;
  bool has_holds = false;
  std::string property{};  // `holds` is that of the case of this name; empty: its own
  std::string versus{};    // another policy, as --policy takes it
};

// The fields of a case that are settings.
struct CaseSettings {
  std::vector<std::string> fields;  // each a value, or a table of them
  // Sets `processors` and `made` of the case.  Throws Error with what is wrong.
  std::function<void(PolicyCase&)> take;
};

// What the functions of a case ask of a run.
class RunAnswers {
 public:
  virtual ~RunAnswers() = default;
  [[nodiscard]] virtual const ToolRun& run() const = 0;
  struct Why {
    std::string_view name;  // of the reason
    std::string words;
  };
  // At this time, or that under which it waited longest; nullopt: it did not wait.
  // Throws Error{kUsage} if there is no such job.
  [[nodiscard]] virtual std::optional<Why> why(std::int64_t job,
                                               std::optional<Time> at) const = 0;
};

// A file of cases, with its functions.  One thread at a time.
class CaseFile {
 public:
  // Throws Error{kPolicy}: the file does not load, or is not such a list; limits as of
  // a policy.
  CaseFile(const PolicyFile& file, const Limits& limits, const CaseSettings& settings);
  // `cases`: those of this file, which was read before.
  CaseFile(const PolicyFile& file, const Limits& limits, std::vector<PolicyCase> cases);
  ~CaseFile();
  CaseFile(const CaseFile&) = delete;
  CaseFile& operator=(const CaseFile&) = delete;

  [[nodiscard]] const std::vector<PolicyCase>& cases() const;

  // Calls `check`, or `holds`, of the case of this number; what it found wrong, or
  // raised, in one or more lines; empty: nothing.  `other` may be null.  Throws
  // Error{kTime, kMemory} at a limit; the file cannot be used any more then.
  enum class Function : std::uint8_t { kCheck, kHolds };
  [[nodiscard]] std::string ask(std::size_t number, Function function,
                                const RunAnswers& run, const RunAnswers* other);

 private:
  friend std::span<const Primitive> run_primitives();
  struct Desk;
  std::unique_ptr<Desk> desk_;
};

// The cases of a file alone.  Throws as CaseFile.
[[nodiscard]] std::vector<PolicyCase> read_policy_cases(const PolicyFile& file,
                                                        const Limits& limits,
                                                        const CaseSettings& settings);

}  // namespace berth::bindings
