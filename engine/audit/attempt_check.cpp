#include "engine/audit/attempt_check.hpp"

#include <algorithm>

namespace berth::audit {

Duration AttemptCheck::takes(JobId job, Duration work_in_all) const {
  const auto saved = past(job).saved;
  return rule_.takes(saved, std::max(Duration{0}, work_in_all - saved));
}

Duration AttemptCheck::left(JobId job, Duration whole, Duration least,
                            Duration ran) const {
  const auto saved = past(job).saved;
  const auto planned = rule_.takes(saved, std::max(least, whole - saved));
  return ran == 0 ? planned : std::max(least, planned - ran);
}

// What is kept is whole checkpoints, told by the time that they take, one by one.
Verdict AttemptCheck::hit(JobId job, const sim::HitRecord& record, Duration ran) {
  ++judged_;
  if (!record.saved) return Fault{kAttempts, "it is not told what it saved"};
  auto of = past(job);
  const auto made = rule_.after_running(of.saved, ran);
  const bool fails = !record.returns;
  const auto in_all = of.saved + made.kept;
  const Duration kept = fails ? 0 : in_all;
  const auto& told = *record.saved;
  if (told.in_all != kept || record.lost != made.lost + in_all - kept) {
    return Fault{kAttempts,
                 "what it saved and lost is not what its complete checkpoints say"};
  }
  if (told.ran != ran || told.overhead != ran - made.kept - made.lost) {
    return Fault{kAttempts, "its time is not work saved, work lost and checkpoints"};
  }
  of.saved = kept;
  of.overhead += told.overhead;
  forget(job);
  pasts_.insert(job, of);
  return std::nullopt;
}

Verdict AttemptCheck::end(JobId job, const Job& asked, const JobEntry& entry,
                          Duration ran) {
  ++judged_;
  const auto of = past(job);
  const bool has_finished = entry.state == JobState::kFinished;
  const auto made = rule_.after_running(of.saved, ran);
  const auto work = has_finished ? asked.length - of.saved : made.kept + made.lost;
  forget(job);
  if (entry.account.unlimited == of.overhead + ran - work) return std::nullopt;
  return Fault{kAttempts, "its time on checkpoints is not that of its attempts"};
}

Verdict AttemptCheck::end_hit(JobId job, const JobEntry& entry) {
  ++judged_;
  const auto of = past(job);
  forget(job);
  if (entry.account.unlimited == of.overhead) return std::nullopt;
  return Fault{kAttempts, "its time on checkpoints is not that of its attempts"};
}

}  // namespace berth::audit
