#include "engine/metrics/outcomes_by_job.hpp"

namespace berth {

OutcomesByJob::OutcomesByJob(const OutcomeView& view)
    : outcomes_(&view.outcomes()), places_(view.outcomes().jobs(), kNowhere) {
  for (auto at = view.begin(); at != view.end(); ++at) {
    places_.passed(at.place());
    places_[index(at->job)] = static_cast<std::uint32_t>(at.place());
  }
}

std::optional<JobOutcome> OutcomesByJob::find(JobId job) const {
  if (index(job) >= places_.size() || places_[index(job)] == kNowhere) {
    return std::nullopt;
  }
  return (*outcomes_)[places_[index(job)]];
}

}  // namespace berth
