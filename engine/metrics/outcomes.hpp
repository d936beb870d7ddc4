#pragma once
// What became of the jobs of a run, in the order in which they left.
//
// The jobs of the workload are read, never copied.  Most jobs run undisturbed and
// finish: of them the number and the wait are kept, the rest follows from the job.
//
// Memory       12 bytes a job, and 56 more for one that did not finish, lost time or
//              ran slower than alone, as for the jobs of a workload.
// Cost         O(1) for each.

#include <cstddef>

#include "engine/base/long_array.hpp"
#include "engine/base/long_view.hpp"
#include "engine/jobs/job.hpp"
#include "engine/metrics/job_outcome.hpp"

namespace berth {

class Outcomes {
 public:
  Outcomes() = default;
  // REQUIRES: jobs by (submit, id); they outlive this object.
  explicit Outcomes(const LongView<Job>& jobs);

  // REQUIRES: of one of the jobs, which has none yet; user, size and length are those
  // of the job.
  void add(const JobOutcome& outcome);

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  // That of the job that left at this place, from 0.
  [[nodiscard]] JobOutcome operator[](std::size_t place) const;
  [[nodiscard]] JobId job(std::size_t place) const { return order_[place]; }
  // To be called with every place of a pass: what is behind is let go, jobs too.
  void passed(std::size_t place) const {
    if (place % kStride == 0) let_go();
  }
  // Of the workload, whether they have left or not.
  [[nodiscard]] std::size_t jobs() const { return jobs_.size(); }

 private:
  static constexpr std::size_t kStride = 65'536;

  void let_go() const;
  [[nodiscard]] JobOutcome undisturbed(JobId id, Duration wait) const;

  LongView<Job> jobs_;
  LongArray<JobId> order_;
  // By place: the wait of a job that ran undisturbed, or, below 0, the complement of
  // the place of the outcome in the list of the others.
  LongArray<Duration> waits_;
  LongArray<JobOutcome> others_;
};

}  // namespace berth
