#pragma once
// What users.csv tells of a user beside the UserSummary.

#include <cstdint>
#include <map>
#include <optional>

#include "engine/base/ids.hpp"
#include "engine/jobs/job.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/slowdown.hpp"

namespace berth {

struct UserDetails {
  std::int32_t group = kUnknown;          // of the user's first job
  std::optional<double> mean_response{};  // s, over finished jobs
  std::optional<double> mean_slowdown{};  // over finished jobs of some length
};

// By user, of the jobs of the view.  One pass; memory of the users alone.
[[nodiscard]] std::map<std::int32_t, UserDetails> user_details(
    const OutcomeView& jobs, const SlowdownBound& bound);

}  // namespace berth
