#pragma once
// What became of the jobs of a run, in the order in which they left.
//
// The jobs of the workload are read, never copied.  Most jobs run undisturbed and
// finish: of them the number and the wait are kept, the rest follows from the job.
//
// Memory       12 bytes a job, and 56 more for one that did not finish, lost time or
//              ran slower than alone.
// Cost         O(1) for each.

#include <cstddef>
#include <span>
#include <vector>

#include "engine/jobs/job.hpp"
#include "engine/metrics/job_outcome.hpp"

namespace berth {

class Outcomes {
 public:
  Outcomes() = default;
  // REQUIRES: jobs by (submit, id); they outlive this object.
  explicit Outcomes(std::span<const Job> jobs);

  // REQUIRES: of one of the jobs, which has none yet; user, size and length are those
  // of the job.
  void add(const JobOutcome& outcome);

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  // That of the job that left at this place, from 0.
  [[nodiscard]] JobOutcome operator[](std::size_t place) const;
  [[nodiscard]] JobId job(std::size_t place) const { return order_[place]; }
  // Of the workload, whether they have left or not.
  [[nodiscard]] std::size_t jobs() const { return jobs_.size(); }

 private:
  [[nodiscard]] JobOutcome undisturbed(JobId id, Duration wait) const;

  std::span<const Job> jobs_;
  std::vector<JobId> order_;
  // By place: the wait of a job that ran undisturbed, or, below 0, the complement of
  // the place of the outcome in the list of the others.
  std::vector<Duration> waits_;
  std::vector<JobOutcome> others_;
};

}  // namespace berth
