#pragma once
// The numbers that jobs, users and accounts have in every snapshot of a session, so
// that what a policy notes of them at one look is right at the next.
//
// Order        Jobs are numbered as they are seen, those of one instant by (submit,
// id);
//              a submit counts as no earlier than that of the job before.
// Identity     of a job: its name and its submit, which change no more; a job that is
//              queued again is another one.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/jobs/job.hpp"

namespace berth::study {

class SessionNumbers {
 public:
  // Name, and submit as Slurm says it.
  using JobKey = std::pair<std::string, std::int64_t>;
  // From here on jobs have ids that no number of Slurm's is: tasks that have none yet,
  // and jobs whose number another one has.
  static constexpr std::int64_t kFirstOwnId = std::int64_t{1} << 40U;

  // The place of the job, a new one if it has none; its id and submit are from now on
  // what they were when it was seen first.  O(log n).  REQUIRES: among new jobs, those
  // of one instant come by (submit, id).
  std::size_t place(const JobKey& key, Job& job);
  // A job of this place that is not in the snapshot.  REQUIRES: there is such a place.
  [[nodiscard]] const Job& seen(std::size_t place) const { return jobs_[place]; }
  [[nodiscard]] std::size_t size() const { return jobs_.size(); }

  // A label of its own for each name, by the order in which they are seen.
  [[nodiscard]] std::int32_t user(const std::string& name) {
    return label(users_, name);
  }
  [[nodiscard]] std::int32_t account(const std::string& name) {
    return label(accounts_, name);
  }

 private:
  using Labels = std::map<std::string, std::int32_t>;
  static std::int32_t label(Labels& labels, const std::string& name);

  std::map<JobKey, std::size_t> places_;
  std::vector<Job> jobs_;  // by place, as they were seen first
  std::set<std::int64_t> ids_;
  std::int64_t next_id_ = kFirstOwnId;
  Labels users_;
  Labels accounts_;
};

}  // namespace berth::study
