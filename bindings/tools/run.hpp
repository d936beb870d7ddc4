#pragma once
// The run that a tool is given: its jobs, users, levels, settings, machine and metrics.
//
// A script reads it and nothing else.  Times are seconds, none is nil; a column is made
// when it is first read.  A name that it has not raises, and so does an assignment.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/families.hpp"
#include "bindings/tools/frame.hpp"
#include "bindings/tools/steps.hpp"
#include "engine/base/job_attributes.hpp"
#include "engine/base/setting.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/metrics/job_details.hpp"
#include "engine/metrics/metric_options.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/summary.hpp"
#include "engine/sim/machine.hpp"

namespace berth::bindings {

// Numbers of jobs from side files, by name of the column: "need.gpu".
using NeedColumns = std::vector<std::pair<std::string, const JobAttributes::Column*>>;

// What the object answers from.  What it points to outlives it.
struct ToolRun {
  std::string policy;  // its label
  std::string title;   // of the scenario
  std::uint64_t seed = 0;
  // Both null: a run that is made again to be explained.  It has `workload`, waits,
  // blocks and blockers (run_waits.hpp), and nothing that needs results.
  const Summary* summary = nullptr;
  const Outcomes* outcomes = nullptr;
  std::span<const Job> workload{};
  std::span<const Time> starts{};  // of it by job, kNever: none; empty: not known
  // Of other policies, by label: runs of the same jobs.
  std::vector<const ToolRun*> others{};
  std::shared_ptr<const FrameSource> waits{};
  std::shared_ptr<const FrameSource> blocks{};
  std::shared_ptr<const FrameSource> blockers{};
  Window window{};
  SlowdownBound bound{};
  const sim::Machine* machine = nullptr;
  const JobDetails* details = nullptr;
  // How often the audit checked each rule that it checked, by code; null: no audit.
  const std::map<std::string, std::int64_t>* checked = nullptr;
  std::map<std::int32_t, double> weights{};  // of users; one that is not here has 1
  NeedColumns attributes{};
  std::span<const Time> expected_ends{};  // by job; empty: there are none
  // By name: "queue", "used", "idle", and "used_gpu" of a kind.
  std::vector<std::pair<std::string, std::shared_ptr<const StepsSource>>> levels{};
  // The setting of a key; nullopt: open.  Throws Error{kUsage} for one that there is
  // not.
  std::function<std::optional<SettingValue>(std::string_view key)> setting{};
};

inline constexpr const char* kRunIsOver =
    "this run is over: a run is known while its function is called";

// One object of a script.  It and the run outlive the sandbox in which it is pushed.
class RunObject {
 public:
  // `of_class`: the measured jobs are those of this class alone; null: all.
  explicit RunObject(const ToolRun& run, const JobClass* of_class = nullptr);

  // Pushes the object.  REQUIRES: install_frames; called once.
  void push(lua_State* lua) const;
  // The same with the members of the table on top, which it replaces.
  void push_with(lua_State* lua) const;
  // From here on the run need not outlive this object: what a script asks of it, or of
  // a frame of it that it kept, is an error.
  void close();
  [[nodiscard]] bool is_over() const { return *is_over_; }

  [[nodiscard]] const ToolRun& run() const { return run_; }
  // The measured jobs that finished, by (submit, id): the rows of `run.finished`.
  [[nodiscard]] const std::shared_ptr<const std::vector<JobId>>& finished() const {
    return finished_;
  }
  // The first submit and the last end of what is measured, where the window is open.
  [[nodiscard]] std::pair<std::optional<Time>, std::optional<Time>> window() const;

 private:
  friend struct RunMembers;

  using Source = std::shared_ptr<const FrameSource>;
  class UntilOver;

  // The frame of these jobs, which stays until another one of this name.
  const Source& keep(std::string_view name, std::vector<JobId> rows) const;

  const ToolRun& run_;
  std::vector<ResourceKind> kinds_;
  std::shared_ptr<const OutcomesByJob> outcomes_;
  std::shared_ptr<const std::vector<JobId>> finished_;
  mutable std::map<std::string_view, Source> frames_;  // those that were asked for
  std::vector<std::unique_ptr<RunObject>> others_;
  std::shared_ptr<bool> is_over_ = std::make_shared<bool>(false);
};

// Pushes the counts of a run, read-only.  May raise.
void push_counts(lua_State* lua, const Summary& summary);

// ToolRun, for the reference; examples are true where one job of 2 processors ran from
// 0 to 30 and one of 4 from 30 to 60, both submitted at 0, on a machine of 4
// processors.
[[nodiscard]] const Family& tool_run_family();

}  // namespace berth::bindings
