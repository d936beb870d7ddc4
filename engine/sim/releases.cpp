#include "engine/sim/releases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/sim/agenda.hpp"

namespace berth::sim {

namespace {

// Links of a job that is rejected are settled: none of it counts any more.
constexpr auto kRefused = ~std::uint32_t{0};

}  // namespace

JobReleases::JobReleases(std::span<const Job> jobs,
                         std::shared_ptr<const JobLinks> links)
    : workload_(jobs),
      links_(std::move(links)),
      jobs_(jobs.begin(), jobs.end()),
      order_(jobs.size()),
      waits_(jobs.size()),
      earliest_(jobs.size()) {
  std::iota(order_.begin(), order_.end(), std::uint32_t{0});
  where_ = order_;
  for (std::uint32_t job = 0; job < jobs.size(); ++job) {
    waits_[job] = links_->waits_for(job);
    earliest_[job] = links_->is_closed(job) ? 0 : jobs[job].submit;
  }
}

Duration JobReleases::held(JobId job) const {
  return std::max(Duration{0}, jobs_[index(job)].submit - as_recorded(job).submit);
}

void JobReleases::begin(Agenda& agenda) {
  agenda_ = &agenda;
  schedule_next_free();
}

// One event at a time for the jobs without links, which come in the workload's order.
void JobReleases::schedule_next_free() {
  while (free_ < workload_.size() &&
         links_->waits_for(static_cast<std::uint32_t>(free_)) > 0) {
    ++free_;
  }
  if (free_ == workload_.size()) return;
  agenda_->add({workload_[free_].submit, EventKind::kJobSubmit, 0, 0});
}

void JobReleases::make_due(const DueJob& due) {
  if (due.at == kNever) {
    throw Error(ErrorCode::kInput,
                fmt::format("job {} would be submitted later than the clock can carry; "
                            "correct the delays of workload.dependencies",
                            due.id));
  }
  due_.push(due);
  agenda_->add({due.at, EventKind::kJobSubmit, 0, 0});
}

bool JobReleases::submit_next(Time now) {
  const bool has_free = free_ < workload_.size() && workload_[free_].submit <= now;
  bool is_free = has_free && (due_.empty() || due_.top().at > now);
  if (has_free && !is_free) {
    const auto& job = workload_[free_];
    const auto& top = due_.top();
    is_free = job.submit != top.at ? job.submit < top.at : job.id < top.id;
  }
  if (!is_free) {
    BERTH_ASSERT(!due_.empty() && due_.top().at <= now);
    const auto due = due_.top();
    due_.pop();
    put(due.job, due.at);
    return !due.is_refused;
  }
  const auto job = static_cast<std::uint32_t>(free_++);
  schedule_next_free();
  put(job, workload_[job].submit);
  return true;
}

void JobReleases::put(std::uint32_t job, Time release) {
  const auto from = where_[job];
  const auto to = static_cast<std::uint32_t>(submitted_++);
  std::swap(jobs_[from], jobs_[to]);
  std::swap(order_[from], order_[to]);
  where_[order_[from]] = from;
  where_[job] = to;
  jobs_[to].submit = release;
  const bool is_refused = waits_[job] == kRefused;
  for (const auto& link : links_->of_parent(job)) {
    if (link.kind() == LinkKind::kWith && !is_refused) satisfy(link, release);
  }
}

void JobReleases::satisfy(const JobLink& link, Time at) {
  auto& waits = waits_[link.child];
  if (waits == kRefused) return;
  auto& earliest = earliest_[link.child];
  earliest = std::max(earliest, after(at, link.delay()));
  if (--waits > 0) return;
  make_due({earliest, workload_[link.child].id, link.child, false});
}

void JobReleases::refuse(std::uint32_t job, Time now) {
  if (links_->never() == NeverSatisfied::kKeep || waits_[job] == kRefused) return;
  waits_[job] = kRefused;
  const auto own = links_->is_closed(job) ? now : workload_[job].submit;
  make_due({std::max(now, own), workload_[job].id, job, true});
}

void JobReleases::on(const StartRecord& record) {
  if (record.resumed || record.who.entry->was_hit) return;
  for (const auto& link : links_->of_parent(order_[index(record.who.id)])) {
    if (link.kind() == LinkKind::kAfter) satisfy(link, record.at);
  }
}

void JobReleases::on(const EndRecord& record) {
  const auto parent = order_[index(record.who.id)];
  const bool is_well =
      record.who.entry->state == JobState::kFinished && !links_->ends_badly(parent);
  for (const auto& link : links_->of_parent(parent)) {
    if (link.kind() == LinkKind::kAfter || link.kind() == LinkKind::kWith) continue;
    const bool is_satisfied = link.kind() == LinkKind::kAfterAny ||
                              is_well == (link.kind() == LinkKind::kAfterOk);
    is_satisfied ? satisfy(link, record.at) : refuse(link.child, record.at);
  }
}

// A job that came in is rejected by the machine or the policy: its links of the kind
// `with` were satisfied when it did.
void JobReleases::on(const RejectRecord& record) {
  const auto parent = order_[index(record.who.id)];
  const bool came_in = waits_[parent] != kRefused;
  for (const auto& link : links_->of_parent(parent)) {
    if (link.kind() == LinkKind::kWith && came_in) continue;
    if (link.kind() == LinkKind::kAfterOk) {
      refuse(link.child, record.at);
    } else {
      satisfy(link, record.at);
    }
  }
}

std::vector<std::uint32_t> JobReleases::restore() {
  auto was = order_;
  // In place, because a copy of the jobs would be most of what a run needs.
  for (std::uint32_t i = 0; i < was.size(); ++i) {
    while (order_[i] != i) {
      const auto to = order_[i];
      std::swap(jobs_[i], jobs_[to]);
      std::swap(order_[i], order_[to]);
    }
  }
  where_ = order_;
  return was;
}

}  // namespace berth::sim
