#pragma once
// Looks at a Slurm in the order of time: what policies would do at each, and how that
// agrees with what Slurm did between them.
//
// Instants     Policies are asked at each look, and at each second at which Slurm
//              started a job since the look before: in the state right before those
//              starts, put together from both looks.  Slurm tells whole seconds; within
//              one, ends come first.
// Agreement    of the jobs that Slurm started since the first look.  Every instant has
//              Slurm's own state: what a policy would have started before has not been
//              started in it.
// Past         The last 10,000 jobs that ended since the first look, or that Slurm
// still
//              listed then, are part of every state after their ends.
// Kept         What a policy notes, and its reservations, last from instant to instant,
//              until 50,000 jobs have been seen beside twice those of the look before:
//              then all policies begin anew, so that the cost of a look is bounded by
//              what there is.
// Usage        of users is what Slurm said last, and what they had since then; if it
//              never did, what they had of the jobs that are known

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/json.hpp"
#include "study/shadow/shadow_pass.hpp"
#include "study/shadow/snapshot.hpp"

namespace berth::study {

struct ShadowLook {
  std::int64_t number = 0;  // from 1
  std::unique_ptr<Snapshot> snapshot{};
  std::vector<ShadowDecision> decisions{};  // by policy
};

// A job that Slurm started, or that a policy would have started.
struct ShadowOutcome {
  std::string job;
  std::string user;
  std::optional<std::int64_t> slurm{};                  // seconds from 1970
  std::vector<std::optional<std::int64_t>> policies{};  // the first instant, by policy
};

struct ShadowAgreement {
  struct PolicyCounts {
    std::string policy;
    std::int64_t same = 0;          // at the very second
    std::int64_t policy_first = 0;  // at an earlier one, or Slurm has not started it
    std::int64_t slurm_first = 0;   // the policy would not have, up to then
  };
  std::int64_t looks = 0;
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t starts = 0;  // by Slurm
  std::vector<PolicyCounts> counts{};
  std::vector<ShadowOutcome> jobs{};  // by the first instant of all, then by name
};

class ShadowSession {
 public:
  struct ShadowView {
    std::string partition;  // empty: the only one
    ShadowUnit unit = ShadowUnit::kProcessors;
  };

  // The scenario has the policies; all outlive the session.
  ShadowSession(ShadowView wanted, const Scenario& scenario,
                const PolicyLibrary& library, const LoadingOptions& loading)
      : wanted_(std::move(wanted)), policies_(scenario, library, loading) {}

  // The next look.  Throws as decide() and take_snapshot(), and Error{kInput} for a
  // state that is older than the one before; the session may go on without it.
  [[nodiscard]] ShadowLook take(const ClusterState& state);
  [[nodiscard]] ShadowAgreement agreement() const;

 private:
  using ByName = std::map<std::string, SlurmJob>;

  // Those that have ended since the last look, or left Slurm's list.
  void note_ended(const ClusterState& state, const ByName& now);
  [[nodiscard]] SnapshotOptions options_at(std::int64_t instant);

  void ask_between(const ClusterState& state, const ByName& now);
  [[nodiscard]] ClusterState state_at(std::int64_t instant, const ClusterState& state,
                                      const ByName& now) const;
  void note(const Snapshot& snapshot, const std::vector<ShadowDecision>& decisions);
  ShadowOutcome& outcome(const std::string& job, const std::string& user);
  [[nodiscard]] std::vector<ShadowDecision> ask(const Snapshot& snapshot);
  [[nodiscard]] bool begin_anew();
  // What policies that keep something have not, as the session begins.
  void note_unknown(ShadowLook& look) const;

  ShadowView wanted_;
  ShadowPolicies policies_;
  SessionNumbers numbers_;
  std::int64_t looks_ = 0;
  std::int64_t from_ = 0;
  std::vector<std::string> labels_;  // of the policies
  ClusterState last_;
  ByName before_;          // the jobs of the last look
  std::size_t there_ = 0;  // how many these are, each task of an array by itself
  // Asked between the last look and one that was then left out.
  std::optional<std::int64_t> asked_;
  std::optional<std::map<std::string, double>> usage_;  // that Slurm said last
  std::int64_t usage_at_ = 0;
  std::map<std::pair<std::int64_t, std::string>, SlurmJob> ended_;  // by (end, name)
  std::map<std::string, ShadowOutcome> outcomes_;
};

// The partition to be looked at: the one that is wanted, or the only one.  Throws
// Error{kUsage} naming all where there is none of this name, or several.
[[nodiscard]] std::string partition_of(const ClusterState& state,
                                       const std::string& wanted);

// In words and as JSON.
[[nodiscard]] std::string look_text(const ShadowLook& look);
[[nodiscard]] Json look_json(const ShadowLook& look);
[[nodiscard]] std::string agreement_text(const ShadowAgreement& agreement);
[[nodiscard]] Json agreement_json(const ShadowAgreement& agreement);

}  // namespace berth::study
