#pragma once
// What is to be packed: tasks with CPU and memory needs, as shares of one host.
//
// Hosts are identical and numbered from 0; each has CPU 1 and memory 1.  Jobs are
// numbered from 0 by the number that their owner gave them, tasks by job and then
// within the job, whatever the order in which the jobs are handed over.
//
// Source  Stillwell, Schanzenbach, Vivien, Casanova, "Resource Allocation using Virtual
//         Clusters" (2008), sections 2 and 5; docs/model.md#packing.

#include <cstdint>
#include <span>
#include <vector>

namespace berth::pack {

// Amounts are compared with this tolerance, which is far above rounding.
constexpr double kCapEps = 1e-9;

struct JobNeeds {
  std::int64_t number = 0;  // orders the jobs; no two are equal
  int tasks = 1;            // at least 1
  double cpu = 0;           // of each task, alone: in (0, 1]
  double memory = 0;        // of each task: at least 0
};

class Items {
 public:
  Items() = default;
  // In any order.  REQUIRES: the ranges of JobNeeds.
  explicit Items(std::vector<JobNeeds> needs);

  [[nodiscard]] int jobs() const { return static_cast<int>(needs_.size()); }
  [[nodiscard]] int tasks() const { return static_cast<int>(cpu_.size()); }

  [[nodiscard]] const JobNeeds& needs(int job) const { return needs_[job]; }
  // Its tasks are [first(job), first(job + 1)).
  [[nodiscard]] int first(int job) const { return first_[job]; }

  [[nodiscard]] double cpu(int task) const { return cpu_[task]; }
  [[nodiscard]] double memory(int task) const { return memory_[task]; }
  [[nodiscard]] int job(int task) const { return job_[task]; }
  [[nodiscard]] std::span<const double> cpus() const { return cpu_; }
  [[nodiscard]] std::span<const double> memories() const { return memory_; }

  // Of all tasks.
  [[nodiscard]] double total_cpu() const { return total_cpu_; }
  [[nodiscard]] double total_memory() const { return total_memory_; }

 private:
  std::vector<JobNeeds> needs_;  // by number
  std::vector<int> first_{0};
  std::vector<double> cpu_;
  std::vector<double> memory_;
  std::vector<int> job_;
  double total_cpu_ = 0;
  double total_memory_ = 0;
};

}  // namespace berth::pack
