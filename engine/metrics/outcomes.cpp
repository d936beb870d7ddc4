#include "engine/metrics/outcomes.hpp"

#include "engine/base/error.hpp"

namespace berth {

Outcomes::Outcomes(const LongView<Job>& jobs) : jobs_(jobs) {
  order_.reserve(jobs.size());
  waits_.reserve(jobs.size());
}

void Outcomes::add(const JobOutcome& outcome) {
  BERTH_ASSERT(index(outcome.job) < jobs_.size());
  order_.push_back(outcome.job);
  if (outcome.wait >= 0 && outcome == undisturbed(outcome.job, outcome.wait)) {
    waits_.push_back(outcome.wait);
    return;
  }
  waits_.push_back(~static_cast<Duration>(others_.size()));
  others_.push_back(outcome);
}

void Outcomes::let_go() const {
  jobs_.let_go();
  order_.let_go();
  waits_.let_go();
  others_.let_go();
}

JobOutcome Outcomes::operator[](std::size_t place) const {
  const Duration wait = waits_[place];
  if (wait < 0) return others_[static_cast<std::size_t>(~wait)];
  return undisturbed(order_[place], wait);
}

JobOutcome Outcomes::undisturbed(JobId id, Duration wait) const {
  const auto& job = jobs_[index(id)];
  JobOutcome outcome;
  outcome.job = id;
  outcome.user = job.user;
  outcome.size = job.size;
  outcome.length = job.length;
  outcome.wait = wait;
  outcome.response = wait + job.length;
  return outcome;
}

}  // namespace berth
