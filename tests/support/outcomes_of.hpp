#pragma once
// Outcomes without a run, as a case gives them.

#include <utility>
#include <vector>

#include "engine/metrics/outcomes.hpp"

namespace berth::test {

class OutcomesOf {
 public:
  // In the order in which the jobs left.
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for the list
  OutcomesOf(const std::vector<JobOutcome>& all) {
    for (const auto& outcome : all) {
      if (index(outcome.job) >= jobs_.size()) jobs_.resize(index(outcome.job) + 1);
      auto& job = jobs_[index(outcome.job)];
      job.user = outcome.user;
      job.size = outcome.size;
      job.length = outcome.length;
    }
    outcomes_ = Outcomes(jobs_);
    for (const auto& outcome : all) outcomes_.add(outcome);
  }
  OutcomesOf(const OutcomesOf&) = delete;
  OutcomesOf& operator=(const OutcomesOf&) = delete;

  // NOLINTNEXTLINE(google-explicit-constructor): nor is a view more than the list
  operator OutcomeView() const { return outcomes_; }

 private:
  std::vector<Job> jobs_;
  Outcomes outcomes_;
};

}  // namespace berth::test
