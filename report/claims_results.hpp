#pragma once
// Judged claims, from the claims.json of `berth claims --out`.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"

namespace berth::report {

struct ClaimMeasured {
  std::string base;  // empty: the metric itself
  std::string verdict;
  std::optional<double> value;
  std::optional<double> half_width;
  std::int64_t points = 0;
  std::int64_t seeds = 0;
  std::string at;  // where it is largest or smallest
};

struct ClaimRow {
  std::string id;
  std::string says;
  bool is_own = false;
  std::string verdict;
  std::string given;   // not empty: built into the model
  std::string metric;  // empty if given
  std::string unit;
  std::optional<double> least;  // of the accepted band; nullopt: no limit
  std::optional<double> most;
  std::optional<double> published;  // the paper's value, where it gives one
  std::vector<ClaimMeasured> results;
  std::vector<std::string> assumptions;
};

struct ClaimsResults {
  std::string title;
  std::string paper;
  std::vector<std::string> assumptions;
  std::vector<ClaimRow> claims;
};

// `name` is what messages call the text.  Throws Error{kInput}.
[[nodiscard]] ClaimsResults read_claims_results(const std::string& name,
                                                std::string_view text, Budget& budget);

}  // namespace berth::report
