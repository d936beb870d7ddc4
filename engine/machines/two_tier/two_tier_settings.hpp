#pragma once
// Settings of a machine with two tiers, and of the processes of its jobs.
//
// Source       Liu et al. 2012; docs/model.md#two-tier.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/setting.hpp"
#include "engine/base/spread.hpp"
#include "engine/jobs/job_file_form.hpp"

namespace berth {

// When a foreground process runs slower: while the slot below is occupied, always, or
// while the process below runs at a rate above 0.
enum class LossWhen : std::uint8_t { kShared, kAlways, kActive };
// Whether a value is drawn for each process or once for the job.
enum class DrawScope : std::uint8_t { kJob, kProcess };
// efficiency * min(1, idle / use), or min(1, efficiency * idle / use).
enum class BackgroundCap : std::uint8_t { kBefore, kAfter };

struct TwoTierSettings {
  Spread fg_loss{0.005, 0.04};
  LossWhen fg_loss_when = LossWhen::kShared;
  Spread bg_eff_single{0.80, 0.92};  // of jobs of one process
  // Of all others: normal, drawn again until inside.
  Spread bg_eff_multi{0.198, 0.766};
  double bg_eff_mean = 0.482;
  double bg_eff_sd = 0.0947;
  DrawScope eff_scope = DrawScope::kJob;
  BackgroundCap bg_cap = BackgroundCap::kBefore;
  double bg_threshold = 0.96;    // a slot below a process that declares less is usable
  Spread use_of_many{0.4, 1.0};  // of the processes of jobs that have several
  DrawScope usage_scope = DrawScope::kProcess;
  std::optional<double> cpu_use{};  // of every process, instead of a draw; in (0, 1]
  std::string cpu_use_file{};       // of values by job; its reader makes the columns
  bool cpu_usage_known = true;      // whether jobs declare their use
};

// The scenario keys of the model: [machine.two_tier], and those of [workload] that only
// this model reads.
[[nodiscard]] std::vector<SettingOf<TwoTierSettings>> two_tier_setting_records();

// use, and declared if known: in (0, 1], a line for each process.
[[nodiscard]] JobFileForm cpu_use_form();

}  // namespace berth
