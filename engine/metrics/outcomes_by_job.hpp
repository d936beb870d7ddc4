#pragma once
// The outcomes of a view, found by job.
//
// Memory   4 bytes for each job of the workload, as for the jobs themselves.
// Cost     O(n) to make, O(1) to find.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/base/long_array.hpp"
#include "engine/metrics/outcome_view.hpp"

namespace berth {

class OutcomesByJob {
 public:
  // REQUIRES: the outcomes outlive this object.
  explicit OutcomesByJob(const OutcomeView& view);

  // Of the workload, in the view or not.
  [[nodiscard]] std::size_t jobs() const { return places_.size(); }
  // nullopt if the job is not in the view.
  [[nodiscard]] std::optional<JobOutcome> find(JobId job) const;
  // To be called with every number of a series of finds: what is behind is let go.
  void passed(std::size_t number) const {
    places_.passed(number);
    outcomes_->passed(number);
  }

 private:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  const Outcomes* outcomes_;
  LongArray<std::uint32_t> places_;  // by job
};

}  // namespace berth
