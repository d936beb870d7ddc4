#pragma once
// The expected end time (EET) of every job of a workload, from the workload alone
// (docs/model.md#expectations).
//
// For analysis: it reads true lengths.  No folder that a policy can reach includes this
// one.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/expect/virtual_share.hpp"
#include "engine/jobs/job.hpp"

namespace berth {

// How the machine is divided: equally, or by the users' weights.
enum class CapShare : std::uint8_t { kEqual, kWeights };

struct ExpectationSettings {
  std::optional<std::int64_t> processors;  // of every user's share; open: divided
  CapShare share = CapShare::kEqual;
  Overshoot overshoot = Overshoot::kLiteral;
  Time ignore_before = 0;  // jobs submitted earlier are not judged
};

// The processors of each user's share, at least 1, over the users that occur.  One that
// is not in `weights` has 1.
[[nodiscard]] std::map<std::int32_t, std::int64_t> share_sizes(
    std::span<const Job> jobs, std::int64_t processors,
    const std::map<std::int32_t, double>& weights, const ExpectationSettings& settings);

// By job, whole seconds; kNever beyond what a Time can hold.  Arrivals are rounded down
// to a second, lengths up.  O(n log n).
// REQUIRES: `sizes` has every user; jobs by (submit, id).
[[nodiscard]] std::vector<Time> expected_end_times(
    std::span<const Job> jobs, const std::map<std::int32_t, std::int64_t>& sizes,
    Overshoot overshoot);

}  // namespace berth
