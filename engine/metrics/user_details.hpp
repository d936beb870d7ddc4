#pragma once
// What users.csv tells of a user beside the UserSummary.

#include <cstdint>
#include <map>
#include <optional>

#include "engine/base/ids.hpp"
#include "engine/jobs/job.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/share/share_settings.hpp"

namespace berth {

struct UserDetails {
  std::int32_t group = kUnknown;          // of the user's first job
  std::optional<double> mean_response{};  // s, over finished jobs
  std::optional<double> mean_slowdown{};  // over finished jobs of some length
};

// By user, of the jobs of the view.  One pass; memory of the users alone.
[[nodiscard]] std::map<std::int32_t, UserDetails> user_details(const OutcomeView& jobs);

// What each user has been charged for processors by `now`, the end of the run, where a
// job holds them from its first start to its end: the closed form of
// docs/model.md#usage.  By user; one pass.
[[nodiscard]] std::map<std::int32_t, double> usage_of_users(
    const Outcomes& outcomes, const ShareSettings& settings, Time now);

}  // namespace berth
