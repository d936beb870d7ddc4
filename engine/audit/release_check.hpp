#pragma once
// L1: each job is submitted at the release that its links give it, and not before; one
// that can never be released is rejected and does not run (docs/model.md#l1).
//
// A release is worked out when the job comes in, from what became of its parents; the
// engine counts down as the parents go.
//
// Cost         O(1) a record, and O(log m) a link, m = links
// Memory       32 bytes a job and 24 a link

#include <cstdint>
#include <span>
#include <vector>

#include "engine/audit/law.hpp"
#include "engine/base/ids.hpp"
#include "engine/jobs/job.hpp"
#include "engine/jobs/job_links.hpp"

namespace berth::audit {

// The links of a run.
struct AuditedLinks {
  const JobLinks& links;
  std::span<const Job> workload;         // of which the links are
  std::span<const std::uint32_t> order;  // by job of the run, its index in the workload
};

class ReleaseCheck {
 public:
  // REQUIRES: what `run` refers to outlives this object.
  explicit ReleaseCheck(const AuditedLinks& run);

  [[nodiscard]] Verdict submit(JobId id, Time at);
  [[nodiscard]] Verdict start(JobId id, Time at);
  [[nodiscard]] Verdict reject(JobId id, Time at, bool is_by_links);
  // `is_well`: it finished, rather than failed.
  void end(JobId id, Time at, bool is_well);
  // Whether a link of the job, which came in, can never be satisfied.
  [[nodiscard]] bool is_refused(JobId id) const {
    return fates_[run_.order[index(id)]].is_refused;
  }
  // REQUIRES, of both: no event is to come.  The second: the job, of the workload, did
  // not come in.
  [[nodiscard]] Verdict finish() const;
  [[nodiscard]] Verdict stays_out(std::uint32_t job) const;
  // How many releases and rejections were judged.
  [[nodiscard]] std::int64_t judged() const { return judged_; }

 private:
  struct LinkFate {
    Time came = kNever;
    Time started = kNever;
    Time left = kNever;
    bool is_well = false;
    bool is_rejected = false;
    bool is_refused = false;  // it must be rejected for its links
  };
  // When the links of a job let it in; a link that cannot be satisfied any more has
  // `never` at the instant that decided it.
  struct LinkedRelease {
    Time at = 0;
    Time never = kNever;
    bool waits = false;
  };

  [[nodiscard]] LinkedRelease release_of(std::uint32_t job) const;
  void add(const JobLink& link, LinkedRelease& to) const;

  AuditedLinks run_;
  std::vector<JobLink> by_child_;
  std::vector<LinkFate> fates_;  // by job of the workload
  std::int64_t judged_ = 0;
};

}  // namespace berth::audit
