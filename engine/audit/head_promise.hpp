#pragma once
// Rule R1, the promise of EASY: while a job stays head of the queue its shadow time
// never moves later, and it starts no later than the first one.
//
// Derived from starts, ends and walltimes alone, so that it judges a run of ours and
// the schedule of any simulator alike.  A head is not judged once any running job
// overran its walltime while it was head: no policy can keep a promise that the users
// broke.
//
// Source       Mu'alem and Feitelson 2001; spec README 2.
// Cost         That of WaitingLine a change of the queue, O(log n) and a short memmove
//              one of the machine, O(releases needed) a judgement.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/audit/waiting_line.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/running_set.hpp"

namespace berth::audit {

class HeadPromise {
 public:
  HeadPromise(std::int64_t processors, Lateness lateness)
      : idle_(processors), lateness_(lateness) {}

  struct Broken {
    JobId head;
    Time promised;
    Time now;  // the later shadow, or the late start
  };

  // The job joins or leaves the queue; the smallest (key, job) is its head.  Who is not
  // in may leave.  The hint of `join` makes leaving cheaper.
  std::uint32_t join(JobId job, double key, std::int32_t size) {
    return queue_.join({key, job, size});
  }
  void leave(JobId job, double key, std::uint32_t hint = 0) {
    queue_.leave(job, key, hint);
  }
  // The job holds processors until it stops; `planned_end` is when its walltime is
  // over.
  void start(JobId job, std::int32_t size, Time planned_end);
  void stop(JobId job, std::int32_t size, Time planned_end, Time now);

  // To be asked right before `leave` of a job that starts.
  [[nodiscard]] std::optional<Broken> judge_start(JobId job, Time now) const {
    if (head_ != job || !promise_ || now <= *promise_ || any_overrun(now)) return {};
    return Broken{job, *promise_, now};
  }
  // To be asked when all of an instant's changes are made.
  [[nodiscard]] std::optional<Broken> judge(Time now) {
    const auto* const member = queue_.head();
    if (member == nullptr) {
      head_.reset();
      return {};
    }
    const bool same = head_ == member->job;
    head_ = member->job;
    if (any_overrun(now)) {
      promise_.reset();
      return {};
    }
    if (same && !promise_) return {};
    const Time expected = shadow(member->size, now);
    ++judged_;
    if (same && expected > *promise_) return Broken{member->job, *promise_, expected};
    promise_ = expected;
    return {};
  }
  // Whether a running job's planned time is over.
  [[nodiscard]] bool any_overrun(Time now) const {
    if (running_.empty()) return false;
    const Time first = running_.front().planned_end;
    return lateness_ == Lateness::kAtPlannedEnd ? first <= now : first < now;
  }
  // Takes the head's present shadow for its promise: judges it from here on.
  void forgive() { head_.reset(); }
  // Promises judged so far.
  [[nodiscard]] std::int64_t judged() const { return judged_; }

 private:
  struct Holder {
    Time planned_end;
    JobId job;
    std::int32_t size;
  };
  [[nodiscard]] std::vector<Holder>::iterator first_to_end(Time planned_end);
  [[nodiscard]] Time shadow(std::int64_t size, Time now) const;

  std::int64_t idle_;
  Lateness lateness_;
  WaitingLine queue_;
  std::vector<Holder> running_;  // by planned end
  std::optional<JobId> head_;
  std::optional<Time> promise_;  // of the head; nullopt: it is not judged
  std::int64_t judged_ = 0;
};

}  // namespace berth::audit
