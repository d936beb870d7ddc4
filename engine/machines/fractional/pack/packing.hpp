#pragma once
// Where tasks are placed, and which share of its CPU need each job gets.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/machines/fractional/pack/items.hpp"

namespace berth::pack {

// The host of each task, by task.
using Hosts = std::vector<int>;
// In such a list: the task has no host.
constexpr int kNoHost = -1;

// What is given: items, and how many hosts there are for them.
struct Problem {
  Items items;
  int hosts = 1;
  // Where tasks are now; kNoHost: new.  Empty if all are new.
  Hosts present = {};
};

// How much was done.  Counts, never seconds: a result does not depend on the clock.
struct Effort {
  std::int64_t packs = 0;     // yields tried
  std::int64_t attempts = 0;  // tests of one task on one host, by backtracking
  std::int64_t nodes = 0;     // of an exact search
  std::int64_t steps = 0;     // moves and swaps
  std::int64_t work = 0;      // units charged to the budget, without raising the yields
};

enum class Outcome : std::uint8_t {
  kPacked,
  kNoPacking,  // none was found, or none exists
  kMemory,     // all tasks together need more memory than all hosts have
  kTooBig,     // one task needs more memory than a host has
  kLimit,      // the limit of attempts or nodes came first
  kNoSolver,   // this build, or this machine, has no solver
};
// "packed", "no_packing", "memory", "too_big", "limit", "no_solver".
[[nodiscard]] std::string_view name_of(Outcome outcome);

struct Packing {
  Outcome outcome = Outcome::kNoPacking;
  Hosts hosts = {};                 // empty unless packed
  double yield = 0;                 // the smallest of a job
  std::vector<double> yields = {};  // by job; empty unless packed
  Effort effort = {};

  [[nodiscard]] bool packed() const { return outcome == Outcome::kPacked; }
  // Over jobs; 1 without jobs.  REQUIRES: packed.
  [[nodiscard]] double mean_yield() const;
};

// A placement as a packing in which every job has the largest common yield.
// REQUIRES: every task has a host.
[[nodiscard]] Packing packed(const Problem& problem, Hosts hosts, Effort effort = {});
// One that is none.
[[nodiscard]] Packing failed(Outcome outcome, Effort effort = {});

// Sums by host of the tasks placed there.
[[nodiscard]] std::vector<double> cpu_by_host(const Problem& problem,
                                              const Hosts& hosts);
[[nodiscard]] std::vector<double> memory_by_host(const Problem& problem,
                                                 const Hosts& hosts);
[[nodiscard]] std::vector<double> amount_by_host(const Problem& problem,
                                                 const Hosts& hosts);
// Whether no host has more tasks than its memory holds.
[[nodiscard]] bool keeps_memory(const Problem& problem, const Hosts& hosts);

// The largest yield that all jobs can have: min(1, 1 / largest sum of CPU needs on a
// host).  1 without tasks.  REQUIRES: every task has a host.
[[nodiscard]] double common_yield(const Problem& problem, const Hosts& hosts);

// Why no packing can exist, if memory alone says so: kMemory, kTooBig.
[[nodiscard]] std::optional<Outcome> cannot_fit(const Problem& problem);

// The yield that no packing exceeds, min(1, hosts / sum of CPU needs): the optimum of
// the relaxed program, in which tasks may be divided.  nullopt if they cannot fit.
[[nodiscard]] std::optional<double> relaxed_bound(const Problem& problem);

// Memory, as parts of a host and as an amount, and jobs that change host.  Tasks of a
// job are alike, so only the number of them on each host counts; new tasks do not move.
struct Moved {
  double memory = 0;
  double amount = 0;
  int jobs = 0;
};
[[nodiscard]] Moved moved(const Problem& problem, const Hosts& hosts);

// The amount that may move where an allowance says how many hosts of memory: whole
// units are rounded down.  REQUIRES: allowance >= 0; infinity is no limit.
[[nodiscard]] double most_moved(const Problem& problem, double allowance);

// Tasks of one job that change host.
[[nodiscard]] int moved_tasks(const Problem& problem, const Hosts& hosts, int job);

// Whether some task has a host now.
[[nodiscard]] bool has_present(const Problem& problem);

}  // namespace berth::pack
