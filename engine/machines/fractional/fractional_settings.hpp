#pragma once
// Settings of a machine whose hosts are shared by fractions, and of what its jobs need.
//
// Source       Stillwell, Schanzenbach, Vivien, Casanova 2009;
// docs/model.md#fractional.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/setting.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/job_file_form.hpp"

namespace berth {

// Where the needs of a task come from.
enum class NeedsRule : std::uint8_t {
  kTrace,  // the memory of the trace, `cpu` of every task
  kDfrs,   // drawn as in Stillwell, Vivien, Casanova 2010
  kFile,   // by job; its reader makes the columns
};

struct FractionalSettings {
  double memory = 4;                         // GiB of a host
  std::optional<double> migration_budget{};  // GiB that one action may move; open: any
  // Of real hypervisors, section 7 of the paper: how much less than its share a task
  // gets, and by how much the share itself is missed, in the mean and at most.
  double cap_overhead = 0;
  double cap_error = 0;
  double cap_error_max = 1;
  Duration cap_delay = 0;  // after a share is set, for which the old rate holds
  NeedsRule rule = NeedsRule::kTrace;
  double cpu = 1;            // of kTrace; in (0, 1]
  std::string needs_file{};  // of kFile
};

// The scenario keys of the model: [machine.fractional], and workload.needs.
[[nodiscard]] std::vector<SettingOf<FractionalSettings>> fractional_setting_records();

// cpu and memory of a task, in parts of a host.
[[nodiscard]] JobFileForm task_needs_form();

}  // namespace berth
