#pragma once
// The expected end time (EET) of every job of a workload, from the workload alone
// (docs/model.md#expectations).
//
// For analysis: it reads true lengths.  No folder that a policy can reach includes this
// one.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/expect/virtual_share.hpp"
#include "engine/jobs/job.hpp"

namespace berth {

// How the machine is divided: equally, or by the users' weights.
enum class CapShare : std::uint8_t { kEqual, kWeights };

// Kinds of resource with an expected end time of their own.
enum class ExpectedKinds : std::uint8_t { kProcessorsAndMemory, kAll };

struct ExpectationSettings {
  std::optional<std::int64_t> processors{};  // of every user's share; open: divided
  std::optional<std::int64_t> memory_kib{};  // likewise
  ExpectedKinds kinds = ExpectedKinds::kProcessorsAndMemory;
  CapShare share = CapShare::kEqual;
  Overshoot overshoot = Overshoot::kLiteral;
  // Jobs that are poured but not judged: of these users or classes, or submitted
  // earlier.
  std::set<std::int32_t> ignore_users{};
  std::set<std::int32_t> ignore_classes{};
  Time ignore_before = 0;

  [[nodiscard]] bool judges(const Job& job) const {
    return job.submit >= ignore_before && !ignore_users.contains(job.user) &&
           !ignore_classes.contains(job.queue_class);
  }
};

// Units of a kind in each user's share, by user.
using ShareSizes = std::map<std::int32_t, std::int64_t>;

// The processors of each user's share, at least 1, over the users that occur.  One that
// is not in `weights` has 1.
[[nodiscard]] ShareSizes share_sizes(std::span<const Job> jobs, std::int64_t processors,
                                     const std::map<std::int32_t, double>& weights,
                                     const ExpectationSettings& settings);

// By job, whole seconds; kNever beyond what a Time can hold.  Arrivals are rounded down
// to a second, lengths up.  O(n log n).
// REQUIRES: `sizes` has every user; jobs by (submit, id).
[[nodiscard]] std::vector<Time> expected_end_times(std::span<const Job> jobs,
                                                   const ShareSizes& sizes,
                                                   Overshoot overshoot);

// The same for another kind than processors.
// REQUIRES: `needs` has how much of it each job needs in all, none below 0.
[[nodiscard]] std::vector<Time> expected_end_times(std::span<const Job> jobs,
                                                   std::span<const std::int64_t> needs,
                                                   const ShareSizes& sizes,
                                                   Overshoot overshoot);

}  // namespace berth
