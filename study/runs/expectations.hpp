#pragma once
// What users could expect of the jobs of a point, and how a run meets it
// (docs/model.md#expectations).

#include <optional>
#include <vector>

#include "engine/base/time.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/runs/policy_run.hpp"

namespace berth::study {

// The expected end time of each job, the latest over the kinds that count: the same
// for every policy.  O(n log n) for each kind.
[[nodiscard]] std::vector<Time> expected_ends(const PreparedPoint& point);

// When each judged job ended: the measured jobs that finished, without those that
// [expectations] ignores.
[[nodiscard]] std::vector<std::optional<Time>> judged_ends(const PreparedPoint& point,
                                                           const PolicyResult& result);

// Judges the measured jobs that finished by `point.expected`: the users' violations and
// tardiness, and the metrics of them, go into the result.  Nothing if there is none.
void judge_expectations(const PreparedPoint& point, PolicyResult& result);

}  // namespace berth::study
