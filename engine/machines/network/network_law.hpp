#pragma once
// Slots on a network: every slot has one VM at most (C4), no link carries more than its
// capacity by the hose rule (C6), every job has all of its VMs below one switch (C7)
// and runs at rate 1.
//
// Reservations are worked out anew from each placement, along ways through a graph that
// the placing algorithms do not use.  They are released in full.  A thorough law also
// proves, of a part of the placements, that what was reserved carries the traffic
// between two random halves of the VMs (hose_flow.hpp).
//
// Cost         O(VMs) a change, and a way through the graph for each server in it.

#include <limits>
#include <map>
#include <memory>

#include "engine/audit/law.hpp"
#include "engine/base/job_map.hpp"
#include "engine/jobs/job.hpp"
#include "engine/machines/network/bandwidths.hpp"
#include "engine/machines/network/tree/network_graph.hpp"

namespace berth::audit {

inline constexpr Rule kSlots{"C4", "slots"};
inline constexpr Rule kLinks{"C6", "links"};

class NetworkLaw final : public Law, public FitLaw {
 public:
  // REQUIRES: jobs outlive the law.
  NetworkLaw(const SlotsSettings& settings, std::span<const Job> jobs,
             Bandwidths bandwidths);

  [[nodiscard]] bool knows() const override { return !is_own_embedding_; }
  [[nodiscard]] Verdict note(const sim::MachineRecord& record) override;
  [[nodiscard]] bool knows_of(JobId job) const override {
    return !is_own_embedding_ || told_of_ == job;
  }
  void arrive(JobId job) override;
  [[nodiscard]] bool never_fits(JobId job) override;
  [[nodiscard]] bool fits_without(JobId job, std::span<const JobId> gone) override;
  [[nodiscard]] Verdict start(JobId job, const Placement* placement,
                              bool resumed) override;
  void leave(JobId job) override;
  void freeze(JobId job, bool frozen) override { held_.at(job).frozen = frozen; }
  [[nodiscard]] double rate(JobId job) const override {
    return held_.at(job).frozen ? 0.0 : 1.0;
  }
  [[nodiscard]] bool is_placed(JobId job) const override { return held_.contains(job); }
  [[nodiscard]] std::int64_t used() const override { return used_; }

 private:
  struct Held {
    Placement placement{};
    ClusterRequest request{};
    std::vector<std::pair<NetworkLink, std::int64_t>> reserved{};
    bool frozen = false;
  };

  [[nodiscard]] ClusterRequest request(JobId job) const;
  [[nodiscard]] Verdict check_vms(JobId job, const Placement& placement) const;
  [[nodiscard]] Verdict check_slots(const IntervalSet& slots) const;
  [[nodiscard]] Verdict reserve(Held& held);
  [[nodiscard]] Verdict prove_hose(JobId job, const Held& held) const;
  static constexpr std::int64_t kProvedStarts = 4;  // one start of so many is proved
  void mark_slots(const IntervalSet& slots, bool taken);

  std::shared_ptr<const Topology> topology_;
  NetworkGraph graph_;
  Hose hose_;
  bool is_own_embedding_;  // of the policy
  std::span<const Job> jobs_;
  Bandwidths bandwidths_;
  std::unique_ptr<Embedding> embedding_;
  // The job of the last refusal whose weights were told: those are in embedding_ then.
  std::optional<JobId> told_of_;
  Network empty_;
  std::int64_t largest_ = 0;
  std::vector<bool> taken_;            // by processor
  std::vector<std::int64_t> carried_;  // by link
  JobMap<Held> held_;                  // of running jobs
  std::int64_t used_ = 0;
  std::int64_t starts_ = 0;
  std::optional<Network> network_;  // of these jobs, once it is asked for
};

}  // namespace berth::audit
