#pragma once
// summary.json: what is said about one run, for other programs (DESIGN.md 6).
//
// Format 1.  Keys stand in a fixed order; undefined values are null.  Nothing in it
// depends on the clock, the machine it ran on or the number of threads.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/json.hpp"
#include "engine/metrics/summary.hpp"

namespace berth {

// What the auditor did.
struct AuditReport {
  std::vector<std::string> rules;  // that were checked, e.g. "C1"
  std::int64_t checked = 0;        // how often, all rules together
};

// What a summary does not know itself.
struct SummaryContext {
  std::string version;  // of berth
  std::string policy;   // its label
  std::string scenario;
  std::uint64_t seed = 0;
  bool oracle = false;         // the policy was shown true lengths
  std::int64_t jobs_read = 0;  // job lines of the trace, those left out too
  std::map<std::string, std::int64_t> left_out;  // by class
  std::optional<AuditReport> audit;              // nullopt: not audited, null
  std::vector<std::string> warnings;
};

[[nodiscard]] Json summary_json(const Summary& summary, const SummaryContext& context);

}  // namespace berth
