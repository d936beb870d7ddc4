#pragma once
// A file of claims beside the scenarios that judge them.
//
//   title = "Does migration pay?"
//   paper = "Liu et al. 2012"
//   assumptions = ["..."]              # hold for all claims
//
//   [[claim]]
//   id = "1a"
//   says = "MEASY against EASY: response 23.1 % better on average"
//   sweeps = ["fwload.toml", "jwload.toml"]
//   policies = ["measy"]               # labels, as tables write them
//   base = "easy"                      # or a list: it must hold against each; open:
//                                      # the metric itself is judged
//   base_sweeps = ["fwload.toml"]      # open: the same; else one, or one for each
//   metric = "mean_response"           # of the summary, or kills_a_job,
//                                      # migrations_a_job, resumes_a_job,
//                                      # swaps_a_job
//   as = "percent"                     # points: of a fraction; value: without a base
//   over = "mean"                      # see ClaimRule
//   where = { "workload.load" = [0.9] }  # only these points; open: all
//   reproduced = [15, 31]              # where the paper has the value
//   published = 23.1                   # the paper's value itself; open: not shown
//   direction = [0, 1000]              # the side claimed; open: that of `reproduced`
//   best = "stand-in"                  # the workload is not the paper's
//   expect = "reproduced"              # the verdict known; another one is an error
//   own = true                         # not of the paper: in a table of its own
//   assumptions = ["..."]
//
// A claim that is built into the model has `given = "how"` instead of all from sweeps
// on.  An Error names every problem with file, line and column.  See docs/claims.md.

#include <array>
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
  bool is_own = false;
  std::vector<std::string> sweeps;
  std::vector<std::string> base_sweeps;  // one for each of `sweeps`
  std::vector<std::string> policies;
  std::vector<std::string> bases;  // none: the metric itself is judged
  std::string metric;
  std::map<std::string, std::vector<std::string>> where;  // values as text, by key
  ClaimRule rule;
  std::optional<double> published;  // in `reproduced`, and in its unit
  std::optional<ClaimVerdict> expected;
  std::vector<std::string> assumptions;
  // Where its keys stand, and the claim itself (""): "claims.toml:12:8".
  std::map<std::string, std::string> places;
  // The place of a key, or that of the claim where the key is not given.
  [[nodiscard]] std::string place_of(const std::string& key) const {
    const auto at = places.find(key);
    const auto own = at != places.end() ? at : places.find("");
    return own == places.end() ? std::string() : own->second;
  }
};

// The counts a finished job that claims know beside the metrics of a summary.
inline constexpr std::array<std::string_view, 4> kCountsAJob{
    "kills_a_job", "migrations_a_job", "resumes_a_job", "swaps_a_job"};

// Whether the metric is one of them.
[[nodiscard]] bool counts_a_job(const Claim& claim);

struct ClaimsFile {
  std::string title;
  std::string paper;
  std::vector<std::string> assumptions;
  std::vector<Claim> claims;  // at least one
};

// `name` is what messages call the text.  Throws Error{kInput}.
[[nodiscard]] ClaimsFile read_claims(const std::string& name, std::string_view text);

// The scenarios that the claims need, each once, in the order in which they come.
[[nodiscard]] std::vector<std::string> sweeps_of(const ClaimsFile& file);

}  // namespace berth::study
