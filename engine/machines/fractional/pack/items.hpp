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

// Parts of a host are compared with this tolerance, which is far above rounding.
constexpr double kCapEps = 1e-9;

struct JobNeeds {
  std::int64_t number = 0;  // orders the jobs; no two are equal
  int tasks = 1;            // at least 1
  double cpu = 0;           // of each task, alone: in (0, 1]
  double memory = 0;        // of each task: at least 0
  std::int64_t units = 0;   // the same in whole units, where hosts have so many
};

class Items {
 public:
  Items() = default;
  // In any order.  `host_units`: a host has so many units of memory, which tasks take
  // whole; 0: tasks take any part of it.
  // REQUIRES: the ranges of JobNeeds; host_units <= 2^52, and with it the memory of a
  // job is the double nearest to units / host_units.
  explicit Items(std::vector<JobNeeds> needs, std::int64_t host_units = 0);

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

  // What decides whether memory suffices: on each host the amounts of its tasks are
  // together at most host_amount() + amount_slack().  In whole units all of these are
  // exact, as are their sums up to 2^53, and nothing is allowed beyond the host: a
  // tolerance would be many KiB on a large one.
  [[nodiscard]] double amount(int task) const { return amounts()[task]; }
  [[nodiscard]] std::span<const double> amounts() const {
    return host_units_ > 0 ? units_ : memory_;
  }
  [[nodiscard]] double host_amount() const {
    return host_units_ > 0 ? static_cast<double>(host_units_) : 1;
  }
  [[nodiscard]] double amount_slack() const { return host_units_ > 0 ? 0 : kCapEps; }
  // 0: tasks take any part.
  [[nodiscard]] std::int64_t host_units() const { return host_units_; }

  // Of all tasks.
  [[nodiscard]] double total_cpu() const { return total_cpu_; }
  [[nodiscard]] double total_memory() const { return total_memory_; }

 private:
  std::vector<JobNeeds> needs_;  // by number
  std::vector<int> first_{0};
  std::vector<double> cpu_;
  std::vector<double> memory_;
  std::vector<double> units_;  // empty where tasks take any part
  std::int64_t host_units_ = 0;
  std::vector<int> job_;
  double total_cpu_ = 0;
  double total_memory_ = 0;
};

}  // namespace berth::pack
