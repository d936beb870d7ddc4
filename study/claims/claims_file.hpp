#pragma once
// A file of claims beside the scenarios that judge them (docs/claims.md).
//
// An Error names every problem with file, line and column.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compare/claim.hpp"

namespace berth::study {

struct Claim {
  std::string id;
  std::string says;
  std::string given;  // not empty: built in, and not judged
  std::vector<std::string> sweeps;
  std::vector<std::string> base_sweeps;  // one for each of `sweeps`
  std::vector<std::string> policies;
  std::string base;
  std::string metric;
  std::map<std::string, std::vector<std::string>> where;  // values as text, by key
  ClaimRule rule;
  std::optional<ClaimVerdict> expected;  // another verdict is a failure
  std::vector<std::string> assumptions;
  std::string place;  // "file:line:column: "
};

struct ClaimsFile {
  std::string title;
  std::string paper;
  std::vector<std::string> assumptions;
  std::vector<Claim> claims;  // at least one
};

// `name` is what messages call the text.  Throws Error{kInput}.
[[nodiscard]] ClaimsFile read_claims(const std::string& name, std::string_view text);

// Whether a claim can be judged on this: a metric, or a count for each job.
[[nodiscard]] bool is_claim_metric(std::string_view name);

// Keeps the claims of these ids, in the order of the file.  Throws Error{kUsage} for
// one that does not exist.
void keep_claims(ClaimsFile& file, const std::vector<std::string>& ids);

// The scenarios that the claims need, each once, in the order in which they come.
[[nodiscard]] std::vector<std::string> sweeps_of(const ClaimsFile& file);

}  // namespace berth::study
