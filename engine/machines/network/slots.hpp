#pragma once
// `slots`: servers with slots on a network; a job is a virtual cluster, one VM a slot,
// and has its bandwidth to itself.  Every job runs at full speed.
//
// Slots are the processors of the machine: slot i of server s is processor
// s * slots + i.  A job gets the lowest idle slots of each of its servers.
//
// Source       Li et al. 2018; docs/model.md#network.
//
//   operation            cost
//   fits, choose         that of the embedding in force, once for each state of the
//                        network and job: what allocate needs is kept; O(1) where it is
//                        complete and has refused no more since a job left
//   take, leave          that of Network::take
//   outlook              a copy of the network; its questions cost that of the
//   embedding
//
// The network is changed and changed back by embed(): a model belongs to one thread.

#include <boost/container/flat_set.hpp>
#include <functional>
#include <memory>

#include "engine/base/job_pages.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/machines/network/bandwidths.hpp"
#include "engine/machines/network/embed/refused_requests.hpp"
#include "engine/machines/network/networked.hpp"
#include "engine/machines/network/refusal_fact.hpp"

namespace berth {

class Slots final : public SharingModel, public Networked, private Reasons {
 public:
  // Throws as make_topology and make_embedding.
  Slots(const SlotsSettings& settings, std::uint64_t seed,
        std::shared_ptr<const JobAttributes> attributes);

  void charge_to(Budget& budget) override { budget_ = &budget; }
  std::optional<Refusal> arrive(JobId job, const Demand& demand) override;
  // `where`: a virtual cluster.
  [[nodiscard]] Result<Placement, Refusal> choose(
      JobId job, const Demand& demand, const Placement* where) const override;
  [[nodiscard]] bool fits(JobId job, const Demand& demand) const override;
  [[nodiscard]] std::unique_ptr<Outlook> outlook(JobId job,
                                                 const Demand& demand) const override;
  void leave(JobId job, Affected&) override;
  void freeze(JobId job, Frozen frozen, Affected& affected) override;
  [[nodiscard]] double rate(JobId job) const override;
  [[nodiscard]] const Placement& placement(JobId job) const override {
    return allocations_[job].placement;
  }

  [[nodiscard]] const Network& network() const override { return network_; }
  [[nodiscard]] std::int64_t bandwidth(JobId job, const Demand& demand) const override {
    return bandwidths_.of(job, demand);
  }
  [[nodiscard]] std::int64_t largest_request() const override { return largest_; }
  [[nodiscard]] ClusterRequest request(JobId job, const Demand& demand) const override {
    return {demand.processors(), bandwidths_.of(job, demand), largest_,
            static_cast<std::uint32_t>(index(job))};
  }
  [[nodiscard]] std::optional<Placement> embed(
      JobId job, const Demand& demand, const EmbedOptions& options) const override;
  [[nodiscard]] std::optional<NoPlace> why_refused(JobId job,
                                                   const Demand& demand) const override;
  [[nodiscard]] std::optional<SlotWeights> weights_of(JobId job) const override {
    return embedding_->weights_of(static_cast<std::uint32_t>(index(job)));
  }
  void use(std::unique_ptr<Embedding> embedding) override;
  [[nodiscard]] std::unique_ptr<Embedding> other(std::string_view name) const override;

 private:
  [[nodiscard]] Refusal unfit(JobId, const Demand&) const override {
    return kNoEmbedding;
  }
  [[nodiscard]] Shortage shortage(JobId job, const Demand& demand) const override;
  [[nodiscard]] std::unique_ptr<const MachineFact> why_unfit(
      JobId job, const Demand& demand) const override {
    return std::make_unique<RefusalFact>(*this, job, demand);
  }
  void put(JobId job, const Demand& demand, const Placement* placement,
           Affected&) override;

  Slots(const SlotsSettings& settings, std::uint64_t seed,
        std::shared_ptr<const JobAttributes> attributes,
        std::shared_ptr<const Topology> topology);

  struct Allocation {
    ClusterRequest request{};
    Placement placement;
  };
  // Jobs that are gone while it lives.
  class Without;
  class Later;

  [[nodiscard]] bool are_idle(std::span<const ServerVms> vms) const;
  // Whether there is certainly no place now; costs less than to seek one.
  [[nodiscard]] bool has_no_place(const ClusterRequest& request) const;
  // Where the embedding in force puts the job now.
  [[nodiscard]] const std::optional<Embedded>& ask(JobId job,
                                                   const ClusterRequest& request) const;

  SlotsSettings settings_;
  std::shared_ptr<const Topology> topology_;
  Bandwidths bandwidths_;
  std::unique_ptr<Embedding> embedding_;
  Budget unlimited_;
  Budget* budget_ = &unlimited_;
  mutable Network network_;
  Network empty_;
  std::int64_t largest_ = 0;
  JobPages<Allocation> allocations_;
  boost::container::flat_set<JobId> frozen_;  // few or none

  // The last answers, which hold for one state of the network.
  struct State {
    std::uint64_t version = 0;
    std::int64_t largest = -1;
    friend bool operator==(const State&, const State&) = default;
  };
  mutable State asked_at_;
  mutable std::optional<JobId> asked_;  // whose answer is kept
  mutable std::optional<Embedded> answer_;
  mutable boost::container::flat_set<JobId> refused_;
  // Where the embedding is complete: since a job left, and on the empty network.
  mutable RefusedRequests without_place_;
  RefusedRequests never_placed_;
};

}  // namespace berth
