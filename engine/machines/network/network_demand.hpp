#pragma once
// What the jobs of a run ask of the network, and whether it could ever be had.
//
// Source       docs/model.md#bandwidth

#include <map>
#include <memory>
#include <vector>

#include "engine/machines/network/bandwidths.hpp"
#include "engine/machines/network/embed/embedding.hpp"

namespace berth {

class NetworkDemand {
 public:
  NetworkDemand(const SlotsSettings& settings, std::uint64_t seed,
                std::shared_ptr<const JobAttributes> attributes);

  // What its searches charge from now on; before the first call they have no limit.
  // REQUIRES: the budget outlives this.
  void charge_to(Budget& budget) { budget_ = &budget; }
  // Of each VM of the job, in kbit/s.
  [[nodiscard]] std::int64_t bandwidth(JobId job, std::int32_t vms) const {
    return bandwidths_.of(job, Demand(vms));
  }
  // Whether the empty network has a place for the job, by an exact search: what it
  // refuses no embedding can place.  One search for most sizes and bandwidths: less
  // bandwidth fits wherever more does.
  [[nodiscard]] bool fits_empty(JobId job, std::int32_t vms);
  // What the job reserves there, in kbit/s.
  [[nodiscard]] std::vector<LinkShare> reserved(JobId job, std::int32_t vms,
                                                const VirtualCluster& where) const;
  [[nodiscard]] const Topology& topology() const { return *topology_; }

 private:
  // Of one number of VMs.
  struct Known {
    std::int64_t fits = -1;  // the largest bandwidth that is known to fit
    std::int64_t too_much;   // the smallest that is known not to
  };

  std::shared_ptr<const Topology> topology_;
  Bandwidths bandwidths_;
  Network empty_;
  Network hose_;  // with the hose of the machine; empty too
  Budget unlimited_;
  Budget* budget_ = &unlimited_;
  std::unique_ptr<Embedding> quick_;
  std::map<std::int32_t, Known> known_;
};

}  // namespace berth
