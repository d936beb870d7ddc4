#pragma once
// What policies would do at the instant of a snapshot: one pass each, decided as in any
// run, and nothing done about it.
//
// The jobs that run, and those of the snapshot that have ended, are submitted, started
// and ended at their own times and places by a prologue; then the clock comes to the
// snapshot's instant, and the policy has its pass.  It finds the queue, the machine and
// the usage of users as they are, and its hooks have seen the submits and ends before.
//
// Kept         A policy is loaded once a session.  What it notes stays, and a hook is
//              called once for what it tells: for a job that was let in later, when it
//              was.  The book has again, as the prologue comes to the instant of the
//              last pass, the reservations that it had then, those of the jobs included
//              that the policy would have started; from then on it is told what Slurm
//              did.  One for which there is no room any more lets the book be rebuilt.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/interval_set.hpp"
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
  bool has_reservations = false;     // in the book, after its pass
  bool counts_usage = false;         // its queue is ordered by the usage of users

  [[nodiscard]] bool starts_job(std::size_t job) const;
  // Null: it starts.
  [[nodiscard]] const KeptJob* kept_job(std::size_t job) const;
};

// The policies of a session, and what they keep from one snapshot to the next.
//
// Cost         of ask(): a run of the jobs of the snapshot for each policy, and a
//              reservation made again for each job that waits
class ShadowPolicies {
 public:
  // All outlive it.  The machine of the scenario but for its hosts is that of every
  // snapshot.
  ShadowPolicies(const Scenario& scenario, const PolicyLibrary& library,
                 const LoadingOptions& loading);
  ~ShadowPolicies();
  ShadowPolicies(const ShadowPolicies&) = delete;
  ShadowPolicies& operator=(const ShadowPolicies&) = delete;

  // One for each policy, in its order.  Reasons are told in full of the first 200 jobs
  // that wait, and by their names of the others.  Throws what loading, the policy or
  // its limits throw.  REQUIRES: snapshots of one session, in the order of time.
  [[nodiscard]] std::vector<ShadowDecision> ask(const Snapshot& snapshot);
  // They begin anew at the next snapshot, which may be of another session.
  void forget();

 private:
  struct AskedPolicy;
  void load();

  const Scenario& scenario_;
  const PolicyLibrary& library_;
  const LoadingOptions& loading_;
  std::vector<std::unique_ptr<AskedPolicy>> asked_;  // none: they are to be loaded
};

}  // namespace berth::study
