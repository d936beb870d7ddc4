#pragma once
// What policies would do at the instant of a snapshot: one pass each, decided as in any
// run, and nothing done about it.
//
// The jobs that run, and those of the snapshot that have ended, are submitted, started
// and ended at their own times and places by a prologue; then the clock comes to the
// snapshot's instant, and the policy has its first pass.  It finds the queue, the
// machine and the usage of users as they are, and its hooks have seen the submits and
// ends before.  What passes before would have kept, such as a book, it has not.

#include <optional>
#include <string>
#include <vector>

#include "engine/base/interval_set.hpp"
#include "engine/base/json.hpp"
#include "study/policies/policy_set.hpp"
#include "study/scenario/scenario.hpp"
#include "study/shadow/snapshot.hpp"

namespace berth::study {

struct ShadowDecision {
  struct StartedJob {
    std::size_t job;    // in the snapshot
    IntervalSet where;  // processors
    std::string because;
  };
  struct KeptJob {
    std::size_t job;
    std::string reason;  // "would_delay", see docs/explain.md
    std::string squeue;  // what squeue would say: "Priority"
    std::string words;
  };

  std::string policy;                // its label
  std::vector<StartedJob> starts{};  // in the order in which it makes them
  std::vector<KeptJob> kept{};       // by (submit, id)

  [[nodiscard]] bool starts_job(std::size_t job) const;
  // Null: it starts.
  [[nodiscard]] const KeptJob* kept_job(std::size_t job) const;
};

// One for each policy of the scenario, in its order; the machine of the scenario but
// for its hosts is that of every snapshot.  Reasons are told in full of the first 200
// jobs that wait, and by their names of the others.  Throws what loading, the policy or
// its limits throw.
[[nodiscard]] std::vector<ShadowDecision> decide(const Snapshot& snapshot,
                                                 const Scenario& scenario,
                                                 const PolicyLibrary& library,
                                                 const LoadingOptions& loading);

}  // namespace berth::study
