#pragma once
// What is known of a machine with two tiers, and of the processes of its jobs.
//
// Source       Liu et al. 2012; spec: two-tier 1, with the assumptions named there.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/setting.hpp"
#include "engine/base/spread.hpp"

namespace berth {

// When a foreground process runs slower: while somebody sits below, or always (A-TT-1).
enum class LossWhen : std::uint8_t { kShared, kAlways };
// Whether a value is drawn for each process or once for the job (A-TT-3, A-TT-5).
enum class DrawScope : std::uint8_t { kJob, kProcess };
// efficiency * min(1, idle / use), or min(1, efficiency * idle / use) (A-TT-4).
enum class BackgroundCap : std::uint8_t { kBefore, kAfter };

// What is given of a job's processes instead of drawn; what is left out is drawn.
struct CpuGiven {
  std::vector<double> use{};       // by process; in (0, 1]
  std::vector<double> declared{};  // empty: as `use`
  std::optional<double> loss{};
  std::optional<double> efficiency{};
};
using CpuGivenTable = std::map<std::int64_t, CpuGiven>;  // by the job's own number

struct TwoTierSettings {
  Spread fg_loss{0.005, 0.04};
  LossWhen fg_loss_when = LossWhen::kShared;
  Spread bg_eff_single{0.80, 0.92};  // of jobs of one process
  // Of all others: normal, drawn again until inside (A-TT-2).
  Spread bg_eff_multi{0.198, 0.766};
  double bg_eff_mean = 0.482;
  double bg_eff_sd = 0.0947;
  DrawScope eff_scope = DrawScope::kJob;
  BackgroundCap bg_cap = BackgroundCap::kBefore;
  double bg_threshold = 0.96;    // a slot below a process that declares less is usable
  Spread use_of_many{0.4, 1.0};  // of the processes of jobs that have several
  DrawScope usage_scope = DrawScope::kProcess;
  std::optional<double> cpu_use{};  // of every process, instead of a draw; in (0, 1]
  std::string cpu_use_file{};       // whose values `given` has; read by the caller
  bool cpu_usage_known = true;      // whether jobs declare their use
  std::uint64_t seed = 0;
  std::shared_ptr<const CpuGivenTable> given{};  // null: all is drawn
};

// The scenario keys of the model: [machine.two_tier], and those of [workload] that only
// this model reads.
[[nodiscard]] std::vector<SettingOf<TwoTierSettings>> two_tier_setting_records();

}  // namespace berth
