#pragma once
// The bandwidth that the jobs of a run ask for.
//
// Columns      bandwidth: Mb/s of each VM.  A job without a value is drawn, or has the
//              one given for all.
// Determinism  A function of (seed, job number, size, settings): every policy meets the
//              same draws.  Stream workload.bandwidth.
// Source       Li et al. 2018, 5; docs/model.md#bandwidth.

#include <cstdint>
#include <memory>

#include "engine/base/demand.hpp"
#include "engine/base/job_attributes.hpp"
#include "engine/machines/network/slots_settings.hpp"

namespace berth {

class Bandwidths {
 public:
  Bandwidths(const SlotsSettings& settings, const Topology& topology,
             std::uint64_t seed, std::shared_ptr<const JobAttributes> attributes);

  // Of each VM of the job, in kbit/s.
  [[nodiscard]] std::int64_t of(JobId job, const Demand& demand) const;

 private:
  struct Drawn {
    double rate;  // Mb/s
    double most;
  };
  [[nodiscard]] Drawn draw(JobId job, double size) const;

  SlotsSettings settings_;
  double servers_;
  double slots_;
  std::uint64_t seed_;
  std::shared_ptr<const JobAttributes> attributes_;
  const JobAttributes::Column* given_;  // null: no job has a value
};

}  // namespace berth
