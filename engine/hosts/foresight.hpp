#pragma once
// Capability of machines on which numbers of processors do not tell whether a job fits:
// what plans need to know of a later machine.
//
// All functions leave the machine as it is.

#include <cstddef>
#include <optional>
#include <span>

#include "engine/hosts/sharing_model.hpp"

namespace berth {

class Foresight {
 public:
  virtual ~Foresight() = default;

  // Jobs leave in steps: by step i the first steps[i] of them.  The first step after
  // which the job fits; nullopt: none.  REQUIRES: the leaving jobs have allocations,
  // steps ascend.
  [[nodiscard]] virtual std::optional<std::size_t> first_fit(
      JobId job, const Demand& demand, std::span<const JobId> leaving,
      std::span<const std::size_t> steps) const = 0;
  struct Candidate {
    JobId job;
    Demand demand;
    const Placement* there = nullptr;  // null: where it would sit now
  };
  // Whether `later` fits once these jobs have left and `first` sits there.  False if
  // `first` has no placement and does not fit now.
  [[nodiscard]] virtual bool fits_beside(JobId later, const Demand& of_later,
                                         std::span<const JobId> leaving,
                                         const Candidate& first) const = 0;
};

}  // namespace berth
