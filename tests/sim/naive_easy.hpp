#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/hosts/host_events.hpp"
#include "engine/jobs/overrun_rule.hpp"
#include "tests/sim/hit_runs.hpp"

namespace berth::test {

// EASY on processors whose groups drain, from the definitions alone: what is expected
// to be free of a group that drains is nothing before its expected return, else what no
// running job holds.
class NaiveEasy {
 public:
  NaiveEasy(const std::vector<Job>& jobs, const sim::Machine& machine,
            std::vector<int> groups)
      : jobs_(jobs),
        events_(*machine.life.events),
        rule_{machine.overrun_grace, machine.overrun_growth},
        min_planned_(machine.min_planned),
        groups_(std::move(groups)),
        holder_(groups_.size()) {}

  Attempts run() {
    while (const auto next = next_instant()) {
      now_ = *next;
      end_jobs();
      change_hosts();
      for (; next_job_ < jobs_.size() && jobs_[next_job_].submit <= now_; ++next_job_) {
        if (jobs_[next_job_].size <= static_cast<int>(groups_.size())) {
          queue_.push_back(&jobs_[next_job_]);
        }
      }
      pass();
    }
    return attempts_;
  }

 private:
  struct RunningJob {
    Time ends;
    Time planned_end;
  };

  std::optional<Time> next_instant() const {
    Time next = kNever;
    for (const auto& [job, run] : running_) next = std::min(next, run.ends);
    if (next_event_ < events_.size()) next = std::min(next, events_[next_event_].at);
    if (next_job_ < jobs_.size()) next = std::min(next, jobs_[next_job_].submit);
    const bool is_over =
        queue_.empty() && running_.empty() && next_job_ == jobs_.size();
    return next == kNever || is_over ? std::nullopt : std::optional(next);
  }

  void end_jobs() {
    std::erase_if(running_, [&](const auto& each) {
      if (each.second.ends > now_) return false;
      std::replace(holder_.begin(), holder_.end(), each.first,
                   static_cast<const Job*>(nullptr));
      return true;
    });
  }

  void change_hosts() {
    for (; next_event_ < events_.size() && events_[next_event_].at <= now_;
         ++next_event_) {
      const auto& event = events_[next_event_];
      if (event.kind == HostEvent::Kind::kUp) {
        away_.erase(event.host);
      } else {
        away_[event.host] = event.until;
      }
    }
  }

  [[nodiscard]] bool is_idle(std::size_t processor) const {
    return holder_[processor] == nullptr && !away_.contains(groups_[processor]);
  }

  // When the processor is expected to be free.
  [[nodiscard]] Time free_from(std::size_t processor) const {
    Time from = now_;
    const auto away = away_.find(groups_[processor]);
    if (away != away_.end()) from = rule_.expected_end(away->second, now_);
    if (const auto* job = holder_[processor]) {
      const auto planned = running_.at(job).planned_end;
      from = std::max(from, rule_.expected_end(planned, now_));
    }
    return from;
  }

  [[nodiscard]] std::int64_t free_at(Time at) const {
    std::int64_t free = 0;
    for (std::size_t i = 0; i < holder_.size(); ++i) free += free_from(i) <= at ? 1 : 0;
    return free;
  }

  [[nodiscard]] Time planned_end(const Job& job) const {
    return now_ + std::max(job.walltime, min_planned_);
  }

  bool start(const Job& job) {
    std::vector<std::size_t> idle;
    for (std::size_t i = 0; i < holder_.size(); ++i) {
      if (is_idle(i)) idle.push_back(i);
    }
    if (idle.size() < static_cast<std::size_t>(job.size)) return false;
    for (std::int32_t i = 0; i < job.size; ++i) {
      holder_[idle[static_cast<std::size_t>(i)]] = &job;
    }
    running_[&job] = {now_ + job.length, planned_end(job)};
    attempts_[job.id] = {{to_seconds(now_), to_seconds(now_ + job.length)}};
    return true;
  }

  void pass() {
    while (!queue_.empty() && start(*queue_.front())) queue_.erase(queue_.begin());
    if (queue_.empty()) return;
    const auto& head = *queue_.front();
    std::vector<Time> times;
    for (std::size_t i = 0; i < holder_.size(); ++i) times.push_back(free_from(i));
    std::sort(times.begin(), times.end());
    const Time shadow = times[static_cast<std::size_t>(head.size) - 1];
    for (auto at = queue_.begin() + 1; at != queue_.end();) {
      const auto& job = **at;
      const bool in_time = planned_end(job) <= shadow;
      const bool starts =
          (in_time || free_at(shadow) - job.size >= head.size) && start(job);
      at = starts ? queue_.erase(at) : at + 1;
    }
  }

  const std::vector<Job>& jobs_;
  const std::vector<HostEvent>& events_;
  OverrunRule rule_;
  Duration min_planned_;
  std::vector<int> groups_;  // by processor
  std::vector<const Job*> holder_;
  std::map<int, Time> away_;  // groups that drain, and when they are expected back
  std::map<const Job*, RunningJob> running_;
  std::vector<const Job*> queue_;
  Attempts attempts_;
  std::size_t next_event_ = 0;
  std::size_t next_job_ = 0;
  Time now_ = 0;
};

}  // namespace berth::test
