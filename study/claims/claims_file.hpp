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
//   policies = ["measy"]               # each compared with
//   base = "easy"
//   base_sweeps = ["fwload.toml"]      # open: the same; else one, or one for each
//   metric = "mean_response"           # of the summary, or a count a job: migrations
//   over = "mean"                      # largest, smallest: over policies and points
//   where = { "workload.load" = [0.9] }  # only these points; open: all
//   reproduced = [15, 31]              # per cent: where the paper has the value
//   direction = [0, 1000]              # per cent: the side claimed
//   best = "direction only"            # what the verdict can be at most
//   assumptions = ["..."]
//
// A claim that is built into the model has `given = "how"` instead of all from sweeps
// on.  An Error names every problem with file, line and column.

#include <map>
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
  std::vector<std::string> assumptions;
};

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
