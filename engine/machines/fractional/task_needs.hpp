#pragma once
// What the tasks of a job need of a host, and how fast a share lets them run.
//
// Determinism    A function of (seed, job number, settings): every policy meets the
//                same draws.  Streams workload.needs and vm.cap_error.
// Source         docs/model.md#fractional.

#include <cstdint>
#include <functional>
#include <memory>

#include "engine/base/job_attributes.hpp"
#include "engine/machines/fractional/fractional_settings.hpp"

namespace berth {

// Of each task; all tasks of a job are alike.
struct TaskNeeds {
  double cpu = 1;               // part of a host that it can use; in (0, 1]
  std::int64_t memory_kib = 0;  // >= 0; may exceed that of a host
  friend bool operator==(const TaskNeeds&, const TaskNeeds&) = default;
};

class NeedsOfTasks {
 public:
  // Columns      cpu_need, memory_need: one value each, parts of a host; for
  //              NeedsRule::kFile, and then of every job.
  // KiB that the trace gives a job for each processor; below 0: unknown, which counts
  // as none.
  using MemoryOf = std::function<std::int64_t(JobId)>;
  NeedsOfTasks(const FractionalSettings& settings, std::uint64_t seed,
               std::shared_ptr<const JobAttributes> attributes, MemoryOf of_trace);

  [[nodiscard]] const FractionalSettings& settings() const { return settings_; }
  // KiB of a host.
  [[nodiscard]] std::int64_t host_memory() const { return host_memory_; }
  // KiB that one action may move; the largest number: any amount.
  [[nodiscard]] std::int64_t migration_budget() const { return budget_; }
  // REQUIRES: `tasks` is the number of tasks of the job.
  [[nodiscard]] TaskNeeds of(JobId job, std::int64_t tasks) const;
  // Work per tick of a job with this yield, after its share has been set `times` times,
  // this time included: the yield, unless the settings know overhead or errors.
  [[nodiscard]] double rate(JobId job, double yield, std::int64_t times) const;
  // Whether the rate depends on `times`.
  [[nodiscard]] bool has_error() const { return settings_.cap_error > 0; }

 private:
  [[nodiscard]] double error(JobId job, std::int64_t times) const;

  FractionalSettings settings_;
  std::uint64_t seed_;
  std::shared_ptr<const JobAttributes> attributes_;
  MemoryOf of_trace_;
  const JobAttributes::Column* cpu_;  // null: no file
  const JobAttributes::Column* memory_;
  std::int64_t host_memory_;
  std::int64_t budget_;
};

}  // namespace berth
