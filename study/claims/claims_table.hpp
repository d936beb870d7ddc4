#pragma once
// Judged claims, for readers and for programs.

#include <string>

#include "engine/base/json.hpp"
#include "study/claims/claims_run.hpp"

namespace berth::study {

// A Markdown table: claim, what the paper says, what was measured with its interval,
// verdict, assumptions; then another one with what is not of the paper.
[[nodiscard]] std::string claims_table(const ClaimsOutcome& outcome);

// {"format", "title", "paper", "assumptions", "claims": [{"id", "says", "own", "given",
// "verdict", "expected", "metric", "unit", "reproduced": {"least",
// "most"}, "assumptions", "results": [{"base", "verdict", "value", "half_width",
// "points", "seeds", "full_points", "at", "each":
// [{"series", "at", "holds"}]}]}]}
[[nodiscard]] Json claims_json(const ClaimsOutcome& outcome);

}  // namespace berth::study
