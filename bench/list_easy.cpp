#include "bench/list_easy.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace berth::bench {

namespace {

constexpr std::int32_t kGrace = 1;
constexpr std::int32_t kLeastPlanned = 1;

std::int32_t narrow_seconds(Duration ticks) {
  const auto whole = ticks / kSecond;
  if (whole > std::numeric_limits<std::int32_t>::max() / 2) {
    throw std::range_error("a time beyond 32-bit seconds");
  }
  return static_cast<std::int32_t>(whole);
}

}  // namespace

ListEasy::ListEasy(const Work& work)
    : starts_(work.jobs.size(), -1),
      sentinel_(static_cast<std::int32_t>(work.jobs.size())),
      idle_(work.machine.processors) {
  jobs_.reserve(work.jobs.size() + 1);
  for (const Job& job : work.jobs) {
    const auto planned = std::max(kLeastPlanned, narrow_seconds(job.walltime));
    jobs_.push_back({narrow_seconds(job.submit), narrow_seconds(job.length), planned,
                     job.size, -1, -1});
  }
  jobs_.push_back({0, 0, 0, 0, sentinel_, sentinel_});
}

void ListEasy::append(std::int32_t job) {
  const std::int32_t last = jobs_[sentinel_].before;
  jobs_[job].before = last;
  jobs_[job].behind = sentinel_;
  jobs_[last].behind = job;
  jobs_[sentinel_].before = job;
}

void ListEasy::unlink(std::int32_t job) {
  jobs_[jobs_[job].before].behind = jobs_[job].behind;
  jobs_[jobs_[job].behind].before = jobs_[job].before;
}

void ListEasy::start(std::int32_t job) {
  unlink(job);
  const Waiting& it = jobs_[job];
  starts_[job] = now_;
  idle_ -= it.size;
  const Running entry{now_ + it.planned, job, it.size};
  running_.insert(std::upper_bound(running_.begin(), running_.end(), entry), entry);
  endings_.push_back({now_ + it.length, job});
  std::push_heap(endings_.begin(), endings_.end());
}

void ListEasy::end(const Ending& ending) {
  const Waiting& it = jobs_[ending.job];
  const Running entry{starts_[ending.job] + it.planned, ending.job, it.size};
  running_.erase(std::lower_bound(running_.begin(), running_.end(), entry));
  idle_ += it.size;
}

// When the jobs expected to end have made room, and what is left over then.  Jobs past
// their planned end come at now + grace, beside those whose planned end is then.
ListEasy::Shadow ListEasy::shadow_of(std::int32_t size) const {
  const std::int32_t late_end = now_ + kGrace;
  std::int32_t free = idle_;
  std::int32_t at = now_;
  for (const Running& it : running_) {
    const std::int32_t expected = it.planned_end <= now_ ? late_end : it.planned_end;
    if (free >= size && expected > at) break;
    at = expected;
    free += it.size;
  }
  return {at, free - size};
}

void ListEasy::decide() {
  std::int32_t head = jobs_[sentinel_].behind;
  while (head != sentinel_ && jobs_[head].size <= idle_) {
    start(head);
    head = jobs_[sentinel_].behind;
  }
  if (head == sentinel_ || idle_ == 0) return;
  Shadow shadow = shadow_of(jobs_[head].size);
  std::int32_t job = jobs_[head].behind;
  while (job != sentinel_ && idle_ > 0) {
    const Waiting& it = jobs_[job];
    const std::int32_t behind = it.behind;
    if (it.size <= idle_) {
      const bool in_time = now_ + it.planned <= shadow.at;
      if (in_time || it.size <= shadow.spare) {
        if (!in_time) shadow.spare -= it.size;
        start(job);
      }
    }
    job = behind;
  }
}

void ListEasy::run() {
  std::int32_t arriving = 0;
  while (arriving != sentinel_ || !endings_.empty()) {
    const bool ends_first =
        !endings_.empty() &&
        (arriving == sentinel_ || endings_.front().at <= jobs_[arriving].submit);
    now_ = ends_first ? endings_.front().at : jobs_[arriving].submit;
    while (!endings_.empty() && endings_.front().at == now_) {
      end(endings_.front());
      std::pop_heap(endings_.begin(), endings_.end());
      endings_.pop_back();
    }
    while (arriving != sentinel_ && jobs_[arriving].submit == now_) append(arriving++);
    decide();
  }
}

}  // namespace berth::bench
