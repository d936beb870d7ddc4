#pragma once
// A whole run: one scenario, all of its policies, and the folder of results.
//
// Every policy meets the same jobs.  Where one fails the others go on; what failed
// leaves no result.
//
// Determinism  Results do not depend on the number of workers; timing.json does.

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/compare/comparison.hpp"
#include "study/policy_library.hpp"
#include "study/results_folder.hpp"
#include "study/single_run.hpp"

namespace berth::study {

struct StudyOptions {
  Audit audit = Audit::kOn;
  Log log = Log::kOff;
  bool strict = false;
  std::size_t workers = 1;
  bindings::Limits limits;
  std::optional<std::filesystem::path> out;  // nullopt: nothing is written
  Existing existing = Existing::kRefuse;
  // All may be null, and are called from any thread.
  PrintSink print;
  std::function<bool()> interrupted;
  std::function<void(std::string_view label, std::size_t submitted, std::size_t of)>
      progress;
};

struct StudyOutcome {
  std::vector<std::string> warnings;            // about the workload
  std::vector<PolicyOutcome> policies;          // in the order of the scenario
  sim::Overrun overrun = sim::Overrun::kRunOn;  // the rule in force
  // The exit status: that of the worst failure.
  [[nodiscard]] int code() const;
};

// Throws Error for what keeps every policy from running: the workload, a policy that
// does not exist, the folder.
[[nodiscard]] StudyOutcome run_study(const Scenario& scenario,
                                     const PolicyLibrary& library,
                                     const StudyOptions& options);

enum class Rows : std::uint8_t { kUsual, kAll };

// The policies that ran to their end, side by side.
[[nodiscard]] Comparison comparison_of(const StudyOutcome& outcome, Rows rows);

// Their summaries as one JSON array.
[[nodiscard]] std::string json_array(const StudyOutcome& outcome);
[[nodiscard]] std::string json_array(std::span<const std::string* const> summaries);

}  // namespace berth::study
