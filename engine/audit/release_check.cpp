#include "engine/audit/release_check.hpp"

#include <algorithm>
#include <utility>

#include "engine/audit/rules.hpp"

namespace berth::audit {

namespace {

constexpr auto kByChild = [](const JobLink& a, const JobLink& b) {
  return a.child < b.child;
};

Verdict broken(const char* what) { return Fault{kDependencies, what}; }

}  // namespace

ReleaseCheck::ReleaseCheck(const AuditedLinks& run)
    : run_(run),
      by_child_(run.links.all().begin(), run.links.all().end()),
      fates_(run.workload.size()) {
  std::sort(by_child_.begin(), by_child_.end(), kByChild);
}

void ReleaseCheck::add(const JobLink& link, LinkedRelease& to) const {
  const auto& parent = fates_[link.parent];
  Time satisfied = kNever;
  bool can_never = false;
  switch (link.kind()) {
    case LinkKind::kAfter:
      satisfied = parent.is_rejected ? parent.left : parent.started;
      break;
    case LinkKind::kAfterAny: satisfied = parent.left; break;
    case LinkKind::kWith:
      satisfied = parent.is_refused ? parent.left : parent.came;
      break;
    case LinkKind::kAfterOk:
    case LinkKind::kAfterNotOk:
      can_never = parent.is_well != (link.kind() == LinkKind::kAfterOk);
      satisfied = parent.left;
  }
  if (satisfied == kNever) {
    to.waits = true;
  } else if (can_never) {
    to.never = std::min(to.never, satisfied);
  } else {
    to.at = std::max(to.at, after(satisfied, link.delay()));
  }
}

ReleaseCheck::LinkedRelease ReleaseCheck::release_of(std::uint32_t job) const {
  LinkedRelease made;
  const auto own = run_.links.is_closed(job) ? Time{0} : run_.workload[job].submit;
  made.at = own;
  const JobLink wanted{0, job, LinkKind::kAfter};
  const auto links =
      std::equal_range(by_child_.begin(), by_child_.end(), wanted, kByChild);
  for (auto at = links.first; at != links.second; ++at) add(*at, made);
  if (made.never != kNever) made.never = std::max(made.never, own);
  return made;
}

Verdict ReleaseCheck::submit(JobId id, Time at) {
  ++judged_;
  const auto job = run_.order[index(id)];
  const auto release = release_of(job);
  auto& fate = fates_[job];
  fate.came = at;
  if (release.never != kNever) {
    fate.is_refused = true;
    if (run_.links.never() == NeverSatisfied::kKeep) {
      return broken("it comes in, and a link of it can never be satisfied");
    }
    if (at == release.never) return std::nullopt;
    return broken(
        "a link of it can never be satisfied, which was known earlier or later");
  }
  if (release.waits) return broken("it comes in while a link of it is not satisfied");
  if (at != release.at) return broken("it comes in at another time than its release");
  return std::nullopt;
}

Verdict ReleaseCheck::start(JobId id, Time at) {
  auto& fate = fates_[run_.order[index(id)]];
  fate.started = std::min(fate.started, at);
  if (!fate.is_refused) return std::nullopt;
  return broken("it runs, although a link of it can never be satisfied");
}

Verdict ReleaseCheck::reject(JobId id, Time at, bool is_by_links) {
  auto& fate = fates_[run_.order[index(id)]];
  fate.left = at;
  fate.is_rejected = true;
  if (fate.is_refused == is_by_links) return std::nullopt;
  return broken(is_by_links
                    ? "it is rejected for its links, which are satisfied"
                    : "a link of it can never be satisfied, and that is not why "
                      "it is rejected");
}

void ReleaseCheck::end(JobId id, Time at, bool is_well) {
  const auto job = run_.order[index(id)];
  fates_[job].left = at;
  fates_[job].is_well = is_well && !run_.links.ends_badly(job);
}

Verdict ReleaseCheck::stays_out(std::uint32_t job) const {
  const auto release = release_of(job);
  const bool is_due = release.never != kNever
                          ? run_.links.never() == NeverSatisfied::kReject
                          : !release.waits;
  if (is_due) return broken("a job was not submitted although its links allow it");
  return std::nullopt;
}

Verdict ReleaseCheck::finish() const {
  for (std::uint32_t job = 0; job < fates_.size(); ++job) {
    if (fates_[job].came != kNever) continue;
    if (auto late = stays_out(job)) return late;
  }
  return std::nullopt;
}

}  // namespace berth::audit
