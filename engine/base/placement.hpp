#pragma once
// The allocation of a job: which parts of the machine it has.
//
// One alternative for each form of allocation.  Sharing models read and make them;
// other code passes them on by reference and asks the two functions below.

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/interval_set.hpp"

namespace berth {

// CPU priority on one processor: the background runs on what the foreground leaves
// idle.
enum class Tier : std::uint8_t { kForeground, kBackground };

// "foreground", "background".
[[nodiscard]] std::string_view name(Tier tier);

// One slot of this tier on each of the processors, in the order of the processes.
struct TierSlots {
  Tier tier;
  std::vector<std::int32_t> processors;
  friend bool operator==(const TierSlots&, const TierSlots&) = default;
};

// VMs on one server of a network.
struct ServerVms {
  std::int32_t server;
  std::int32_t vms;  // >= 1
  friend bool operator==(const ServerVms&, const ServerVms&) = default;
};

// A virtual cluster on a network (engine/machines/network/tree/network.hpp).
struct VirtualCluster {
  std::int32_t node;           // of its virtual switch
  std::int32_t level;          // of that node; 0: a server
  std::string_view name;       // of that node; valid while the machine lives
  std::vector<ServerVms> vms;  // ascending by server
  IntervalSet processors;      // the slots that it has
  std::int64_t reserved;       // bandwidth on all links together, kbit/s
  friend bool operator==(const VirtualCluster&, const VirtualCluster&) = default;
};

// A host for each task of a job, in the order of its tasks, and the yield: the part of
// its CPU need that each task gets, 0..1.
struct TaskHosts {
  std::vector<std::int32_t> hosts;
  double yield;
  friend bool operator==(const TaskHosts&, const TaskHosts&) = default;
};

// A set of processors that the job has to itself, slots of a tier, slots and bandwidth
// of a network, or fractions of hosts.
using Placement = std::variant<IntervalSet, TierSlots, VirtualCluster, TaskHosts>;

// The processors of the allocation, in whatever tier; of fractions: the hosts.
[[nodiscard]] IntervalSet processors_of(const Placement& placement);

// How many processors, slots, VMs or tasks it has: as many as the job asks for
// processors.
[[nodiscard]] std::int64_t parts_of(const Placement& placement);

// nullopt for a form without tiers.
[[nodiscard]] std::optional<Tier> tier_of(const Placement& placement);

}  // namespace berth
