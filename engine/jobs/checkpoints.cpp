#include "engine/jobs/checkpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.hpp"

namespace berth {

namespace {

// Only these have an attempt that has begun and is not over.
bool has_attempt(const JobEntry& entry) {
  return entry.state == JobState::kRunning || entry.state == JobState::kSuspended;
}

}  // namespace

Checkpoints::Checkpoints(const CheckpointRule& rule, std::span<const Job> jobs)
    : rule_(rule) {
  const auto most = seconds(static_cast<std::int64_t>(kMaxSeconds));
  for (const auto& job : jobs) {
    // Work that is saved leaves less to do, and is read once.
    const auto longest = std::max(job.length, job.walltime);
    if (rule_.takes(1, longest) <= most) continue;
    throw Error(
        ErrorCode::kInput,
        fmt::format("job {} would take longer than {} s with its checkpoints; "
                    "let jobs write fewer (machine.checkpoint), or cheaper ones "
                    "(machine.checkpoint_cost)",
                    job.id, seconds_text(most)));
  }
}

Duration Checkpoints::takes(JobId job, Duration work_in_all) const {
  const auto done = saved(job);
  return rule_.takes(done, std::max(Duration{0}, work_in_all - done));
}

// What its progress is ahead of what the attempt began with.
Duration Checkpoints::ran(JobId job, const Job& asked, const JobEntry& entry) const {
  if (!has_attempt(entry)) return 0;
  return Duration{std::llround(entry.progress)} - asked.length +
         takes(job, asked.length);
}

Duration Checkpoints::left(JobId job, const Job& asked, const JobEntry& entry,
                           Duration whole, Duration least) const {
  const auto done = saved(job);
  const auto planned = rule_.takes(done, std::max(least, whole - done));
  const auto passed = ran(job, asked, entry);
  return passed == 0 ? planned : std::max(least, planned - passed);
}

Duration Checkpoints::work(JobId job, const Job& asked, const JobEntry& entry,
                           Time now) const {
  if (!has_attempt(entry)) return saved(job);
  auto to_now = entry;
  if (entry.state == JobState::kRunning) to_now.settle(now);
  const auto done = saved(job);
  const auto made = rule_.after_running(done, ran(job, asked, to_now));
  return done + made.kept + made.lost;
}

// All that the attempt takes besides its work is counted now, and what does not come to
// pass is taken off when the attempt is over before its end.
void Checkpoints::begin(JobId job, const Job& asked, JobEntry& entry) const {
  const auto to_run = takes(job, asked.length);
  entry.progress = static_cast<double>(asked.length - to_run);
  entry.account.unlimited += to_run - (asked.length - saved(job));
}

CheckpointRule::CutAttempt Checkpoints::end_attempt(JobId job, const Job& asked,
                                                    JobEntry& entry) const {
  const auto done = saved(job);
  const auto made = rule_.after_running(done, ran(job, asked, entry));
  const auto counted = takes(job, asked.length) - (asked.length - done);
  entry.account.unlimited += made.overhead - counted;
  entry.progress = static_cast<double>(done + made.kept + made.lost);
  return made;
}

Checkpoints::HitWork Checkpoints::hit(JobId job, const Job& asked, JobEntry& entry,
                                      bool fails) {
  const auto before = saved(job);
  const auto made = end_attempt(job, asked, entry);
  const auto in_all = before + made.kept;
  const auto kept = fails ? 0 : in_all;
  if (auto* const known = saved_.find(job)) {
    *known = kept;
  } else if (kept > 0) {
    saved_.insert(job, kept);
  }
  return {made.lost + in_all - kept, kept, made.overhead,
          made.kept + made.lost + made.overhead};
}

void Checkpoints::close(JobId job, const Job& asked, JobEntry& entry, Time now) const {
  if (entry.state == JobState::kRunning) entry.settle(now);
  if (has_attempt(entry)) {
    (void)end_attempt(job, asked, entry);
  } else {
    entry.progress = static_cast<double>(saved(job));
  }
}

}  // namespace berth
