#pragma once
// The kinds of resource that a machine has, and how much of each a job needs.
//
// Kind 0 is processors, kind 1 memory if the machine has any, then the further kinds in
// the order in which they are named.  A kind is on hosts (so much on each) or
// machine-wide (a count of the whole).  In a pool every kind is machine-wide.
//
// Units        Memory in KiB, every other kind as a count.
// Source       docs/model.md#kinds.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/demand.hpp"
#include "engine/base/error.hpp"
#include "engine/base/ids.hpp"

namespace berth {

inline constexpr std::size_t kMostKinds = Demand::kMostKinds;

using NamedAmounts = std::vector<std::pair<std::string, std::int64_t>>;

// Hosts that are alike.
struct HostGroup {
  std::string name;
  std::int32_t count = 0;                   // >= 1
  std::int32_t processors = 0;              // of each, >= 1
  std::int64_t memory = 0;                  // of each
  NamedAmounts resources{};                 // of each
  std::optional<std::int32_t> partition{};  // jobs of this one alone; nullopt: all
};

// What a machine has beside a number of processors.
struct Resources {
  std::optional<std::int64_t> memory{};  // of a pool
  NamedAmounts wide{};                   // machine-wide counts
  std::vector<HostGroup> hosts{};        // empty: a pool

  // Whether the machine is a pool of processors and nothing else.
  [[nodiscard]] bool empty() const { return !memory && wide.empty() && hosts.empty(); }
};

// Of the kind with this name on each host of the group: 0 if there is none.
[[nodiscard]] std::int64_t amount_of(const HostGroup& group, std::string_view kind);

struct ResourceKind {
  std::string name;
  std::int64_t capacity;  // of the whole machine
  bool is_on_hosts;
};

// The kinds of a machine.  `processors` is the size of a pool; hosts have their own.
[[nodiscard]] std::vector<ResourceKind> kinds_of(std::int32_t processors,
                                                 const Resources& resources);

// The processors of all hosts together.  REQUIRES: there are hosts.
[[nodiscard]] std::int64_t processors_of(const Resources& resources);

// What one job needs: equal chunks, each whole on one host, and amounts for the job.
struct Need {
  const std::int64_t*
      amounts;             // by kind: of a chunk if it is on hosts, else of the job
  std::int32_t chunks;     // >= 1; 1 in a pool
  std::int32_t partition;  // -1: none
  [[nodiscard]] std::int64_t operator[](std::size_t kind) const {
    return amounts[kind];
  }
};

// What the jobs of a workload need, by job.
class Needs {
 public:
  explicit Needs(std::size_t kinds) : kinds_(kinds) {}

  // Of the next job.  REQUIRES: `amounts` has one entry for each kind, none below 0.
  void add(const std::vector<std::int64_t>& amounts, std::int32_t chunks,
           std::int32_t partition) {
    BERTH_ASSERT(amounts.size() == kinds_ && chunks >= 1);
    amounts_.insert(amounts_.end(), amounts.begin(), amounts.end());
    parts_.push_back({chunks, partition});
  }
  // From now on job i has the needs of the job that was the order[i]-th; its own where
  // the order has no entry, as of jobs of the system.  REQUIRES: the order outlives
  // this object.
  void follow(std::span<const std::uint32_t> order) { order_ = order; }
  [[nodiscard]] std::size_t kinds() const { return kinds_; }
  [[nodiscard]] Need of(JobId job) const {
    const auto at = index(job) < order_.size() ? order_[index(job)] : index(job);
    const auto& parts = parts_[at];
    return {&amounts_[at * kinds_], parts.chunks, parts.partition};
  }

 private:
  struct Parts {
    std::int32_t chunks;
    std::int32_t partition;
  };
  std::size_t kinds_;
  std::vector<std::int64_t> amounts_;
  std::vector<Parts> parts_;
  std::span<const std::uint32_t> order_{};  // empty: as they were added
};

}  // namespace berth
