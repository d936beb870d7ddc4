#pragma once
// The placement of a job on hosts that are shared by fractions.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/placement.hpp"

namespace berth {

// A host for each task of a job, in the order of its tasks, and the yield: the part of
// its CPU need that each task gets, 0..1.
struct TaskHosts final : Placement::FormOf<TaskHosts> {
  TaskHosts() = default;
  TaskHosts(std::vector<std::int32_t> of_tasks, double part)
      : hosts(std::move(of_tasks)), yield(part) {}

  [[nodiscard]] std::int64_t parts(const IntervalSet&) const override {
    return std::ssize(hosts);
  }
  // The host of each task, in order, as "1 0 1".
  void text(const IntervalSet& of_hosts, std::string& to) const override;
  friend bool operator==(const TaskHosts&, const TaskHosts&) = default;

  std::vector<std::int32_t> hosts;
  double yield = 0;
};

[[nodiscard]] inline Placement placement_of(TaskHosts tasks) {
  auto hosts = set_of_numbers(tasks.hosts);
  return {std::move(hosts), std::move(tasks), Placement::Use::kShared};
}

}  // namespace berth
