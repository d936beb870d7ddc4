#pragma once
// L5 where jobs write checkpoints: what each attempt saves, loses and takes besides its
// work.
//
// Cost         O(1) a record.
// Memory       32 bytes a job in the system that was hit

#include <cstdint>

#include "engine/audit/law.hpp"
#include "engine/base/checkpoint_rule.hpp"
#include "engine/base/job_map.hpp"
#include "engine/jobs/job_table.hpp"
#include "engine/sim/record.hpp"

namespace berth::audit {

class AttemptCheck {
 public:
  explicit AttemptCheck(const CheckpointRule& rule) : rule_(rule) {}

  // How long the next attempt of the job, or its present one, takes to its end.
  [[nodiscard]] Duration takes(JobId job, Duration work_in_all) const;
  // The planned time that is left of a job which is expected to work for `whole`, or
  // for `least` where that is more, and has run for so long in this attempt.
  [[nodiscard]] Duration left(JobId job, Duration whole, Duration least,
                              Duration ran) const;
  // The job loses a host after an attempt of that time.
  [[nodiscard]] Verdict hit(JobId job, const sim::HitRecord& record, Duration ran);
  // The job has left the machine; `ran`: its last attempt, which was not hit.
  [[nodiscard]] Verdict end(JobId job, const Job& asked, const JobEntry& entry,
                            Duration ran);
  // The job has left after a hit, and so it has nothing.
  [[nodiscard]] Verdict end_hit(JobId job, const JobEntry& entry);

  // How many verdicts were given.
  [[nodiscard]] std::int64_t judged() const { return judged_; }

 private:
  struct PastAttempts {
    Duration saved = 0;
    Duration overhead = 0;  // of the attempts that were hit
  };
  [[nodiscard]] PastAttempts past(JobId job) const {
    const auto* const found = pasts_.find(job);
    return found == nullptr ? PastAttempts{} : *found;
  }
  void forget(JobId job) {
    if (pasts_.contains(job)) (void)pasts_.take(job);
  }

  CheckpointRule rule_;
  JobMap<PastAttempts> pasts_;
  std::int64_t judged_ = 0;
};

}  // namespace berth::audit
