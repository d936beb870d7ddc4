#pragma once
// summary.json, the results of one run for other programs, and timing.json.
//
// summary.json has format 1.  Keys stand in a fixed order; undefined values are null.
// Nothing in it depends on the clock, the machine it ran on or the number of threads.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/json.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/metrics/distribution.hpp"
#include "engine/metrics/summary.hpp"
#include "engine/share/share_settings.hpp"

namespace berth {

class JsonReader;

// What the auditor did.
struct AuditReport {
  std::vector<std::string> rules;  // that were checked, e.g. "C1"
  std::int64_t checked = 0;        // how often, all rules together
};

// Hosts that are alike, in the order of the machine: of so many processors, or of the
// numbers that stand for processors, each, and of so much of further kinds.
struct RowsOfHosts {
  std::string name;
  std::int32_t count = 0;
  std::int32_t each = 1;
  NamedAmounts kinds{};  // empty: no such member
};

// What summary.json holds besides the Summary.
struct SummaryContext {
  std::string version;  // of berth
  std::string policy;   // its label
  std::string scenario;
  std::uint64_t seed = 0;
  bool oracle = false;         // the policy was shown true lengths
  std::int64_t jobs_read = 0;  // job lines of the trace, with those left out
  std::map<std::string, std::int64_t> left_out;  // by class
  std::optional<AuditReport> audit;              // nullopt: not audited, null
  std::vector<std::string> warnings;
  std::optional<Json> fidelity{};  // nullopt: no such member
  // Over users, by name; of no users null; empty: no such member.
  std::vector<std::pair<std::string, std::optional<Distribution>>> distributions{};
  std::vector<RowsOfHosts> rows{};        // empty: no such member
  std::optional<ShareSettings> shares{};  // nullopt: no job names a user, no member
};

[[nodiscard]] Json rows_json(const std::vector<RowsOfHosts>& hosts);
[[nodiscard]] Json summary_json(const Summary& summary, const SummaryContext& context);

// The Summary of a summary.json, every number bit for bit, without what summary.json
// does not hold.  Throws Error{kInput} for JSON that is not a summary of format 1.
[[nodiscard]] Summary read_summary(const JsonReader& json);

// How long a run took: timing.json, the one result that differs between equal runs.
struct Timing {
  double wall_seconds = 0.0;          // of the whole run
  double cpu_seconds = 0.0;           // of the thread that ran it
  double policy_seconds = 0.0;        // in the policy, all passes together, by a sample
  double longest_pass_seconds = 0.0;  // of those that were timed
  std::int64_t passes = 0;
  int threads = 1;  // that worked side by side
};

// With the mean over the passes, null if there was none.
[[nodiscard]] Json timing_json(const Timing& timing);

}  // namespace berth
