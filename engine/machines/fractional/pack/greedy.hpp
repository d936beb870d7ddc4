#pragma once
// Greedy placement: task by task onto the least loaded host that has the memory.
//
// Loads are sums of full CPU needs.  GR takes tasks by number, SG by memory, largest
// first, ties by number.  Section 3.1 of the paper.

#include <cstdint>

#include "engine/base/budget.hpp"
#include "engine/machines/fractional/pack/packing.hpp"

namespace berth::pack {

enum class TaskOrder : std::uint8_t { kByNumber, kByMemory };

// Tasks in this order.
[[nodiscard]] std::vector<int> in_order(const Items& items, TaskOrder order);

// GR, SG.  O(tasks * log hosts) where the least loaded host has room.
[[nodiscard]] Packing greedy(const Problem& problem, Budget& budget, TaskOrder order);

// The same for the tasks that have no host yet, beside those that have.  False if one
// finds no room; `hosts` is then incomplete.
[[nodiscard]] bool place_rest(const Problem& problem, Budget& budget, TaskOrder order,
                              Hosts& hosts);

// GB, SGB: depth first over the same orders of tasks and hosts; where no host has room
// the last placement is undone and the next host tried.  kLimit after `attempts` tests
// of one task on one host.
[[nodiscard]] Packing greedy_backtracking(const Problem& problem, Budget& budget,
                                          TaskOrder order,
                                          std::int64_t attempts = 500'000);

}  // namespace berth::pack
