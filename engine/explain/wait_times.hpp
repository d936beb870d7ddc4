#pragma once
// The times by reason of many jobs, packed: 1,000,000 jobs under EASY take 150 MiB.
//
// Order        Jobs are added in any order, each once; what is read is by job.

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/explain/explained_job.hpp"

namespace berth {

class WaitTimes {
 public:
  // A job and one of its reasons.
  struct Row {
    JobId job;
    std::uint32_t blockers;  // how many
    Why why;
    std::int64_t passes;
    Duration time;
    Time first;
    Time last;
    std::size_t first_blocker;  // its place among all
  };

  // REQUIRES: the times are by Why; the job was not added before.
  void add(JobId job, std::span<const ReasonTime> times);
  // After the last add.  O(n log n), n = rows.
  void sort();
  // Gives every job another number, and sorts.
  void renumber(const std::function<JobId(JobId)>& number);

  // Jobs that were added; those without a reason, too.
  [[nodiscard]] std::size_t jobs() const { return jobs_; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  // By job, then by Why.  REQUIRES: sorted; place < size().
  [[nodiscard]] const Row& row(std::size_t place) const { return rows_[order_[place]]; }
  // The places of the rows of a job: from the first up to the second.  O(log n).
  // REQUIRES: sorted.
  [[nodiscard]] std::pair<std::size_t, std::size_t> places_of(JobId job) const;

  // Jobs in the way with their times, of all rows, in no order.
  [[nodiscard]] const std::deque<std::pair<JobId, Duration>>& blockers() const {
    return blockers_;
  }
  // REQUIRES: i < row.blockers.
  [[nodiscard]] const std::pair<JobId, Duration>& blocker(const Row& row,
                                                          std::size_t i) const {
    return blockers_[row.first_blocker + i];
  }
  // The one in the way longest; ties: the first job.
  [[nodiscard]] std::optional<JobId> longest_blocker(const Row& row) const;

 private:
  std::size_t jobs_ = 0;
  std::deque<Row> rows_;  // as they were added
  std::deque<std::pair<JobId, Duration>> blockers_;
  std::vector<std::uint32_t> order_;  // of rows_
};

}  // namespace berth
