#pragma once
// Rule R1, the promise of EASY: while a job stays head of the queue its shadow time
// never moves later, and it starts no later than the first one.
//
// Derived from starts, ends and walltimes alone, so that it judges a run of ours and
// the schedule of any simulator alike.  A head is not judged once any running job
// overran its walltime while it was head: no policy can keep a promise that the users
// broke.
//
// What is available at the promised time and right before it is kept up with every
// change.  As long as it is room enough at that time and too little before, the shadow
// time is the promise itself, and nobody has to look for it.
//
// Source       Mu'alem and Feitelson 2001; spec README 2.
// Cost         That of WaitingLine a change of the queue, that of Releases one of the
//              machine; O(1) a judgement if the shadow time is what it was, else the
//              order of Releases and O(releases needed).

#include <cstdint>
#include <limits>
#include <optional>

#include "engine/audit/releases.hpp"
#include "engine/audit/waiting_line.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/running_set.hpp"

namespace berth::audit {

// From which instant on a job whose planned end has come counts as overrun.
enum class Lateness : std::uint8_t {
  kAtPlannedEnd,     // all events of the instant are handled
  kAfterPlannedEnd,  // its end event of this instant may be yet to come
};

class HeadPromise {
 public:
  HeadPromise(std::int64_t processors, Lateness lateness)
      : idle_(processors), spared_(lateness == Lateness::kAtPlannedEnd ? 0 : 1) {}

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
  // A job holds processors until it stops; `planned_end` is when its walltime is over.
  // What to name it by when it stops.
  [[nodiscard]] std::uint32_t start(std::int32_t size, Time planned_end) {
    take(size, planned_end);
    return running_.hold({planned_end, size});
  }
  // REQUIRES: started and not stopped since.
  void stop(std::uint32_t which, Time now) {
    const auto [planned_end, size] = running_[which];
    const bool overran = now > planned_end;
    is_promised_ = is_promised_ && !overran;
    take(-size, planned_end);
    running_.let_go(which);
  }
  [[nodiscard]] std::int64_t idle() const { return idle_; }

  // To be asked right before `leave` of a job that starts.
  [[nodiscard]] std::optional<Broken> judge_start(JobId job, Time now) {
    if (!may_start_late(job, now) || any_overrun(now)) return {};
    return Broken{job, promised_, now};
  }
  // Whether it does, unless an overrun pardons it.
  [[nodiscard]] bool may_start_late(JobId job, Time now) const {
    return head_ == job && is_promised_ && now > promised_;
  }
  // To be asked when all of an instant's changes are made.
  [[nodiscard]] std::optional<Broken> judge(Time now) {
    const auto* const member = queue_.head();
    if (member == nullptr) {
      head_ = kNobody;
      return {};
    }
    const bool is_kept = head_ == member->job && is_promised_ &&
                         available_ >= member->size &&
                         available_before_ < member->size && !any_overrun(now);
    if (!is_kept) return look_and_judge(*member, now);
    ++judged_;
    return {};
  }
  // Whether a running job's planned time is over.
  [[nodiscard]] bool any_overrun(Time now) { return running_.any_by(now - spared_); }
  // Takes the head's present shadow for its promise: judges it from here on.
  void forgive() { head_ = kNobody; }
  // Promises judged so far.
  [[nodiscard]] std::int64_t judged() const { return judged_; }

 private:
  static constexpr JobId kNobody{std::numeric_limits<std::uint32_t>::max()};
  [[nodiscard, gnu::noinline]] std::optional<Broken> look_and_judge(
      WaitingLine::Member member, Time now);
  struct Shadow {
    Time at;
    std::int64_t available;         // at that time by plan
    std::int64_t available_before;  // right before it
  };
  // REQUIRES: nobody overran.
  [[nodiscard]] Shadow shadow(std::int64_t size, Time now);
  // From who is idle until then.  On which side of the promised time that is cannot be
  // foreseen: no branch.
  void take(std::int64_t size, Time planned_end) {
    idle_ -= size;
    available_ -= size & -std::int64_t{planned_end > promised_};
    available_before_ -= size & -std::int64_t{planned_end >= promised_};
  }

  std::int64_t idle_;
  Duration spared_;  // for so long behind its planned end nobody has overrun
  WaitingLine queue_;
  Releases running_;
  JobId head_ = kNobody;
  bool is_promised_ = false;           // or else the head is not judged
  Time promised_ = 0;                  // to the head
  std::int64_t available_ = 0;         // at that time by plan
  std::int64_t available_before_ = 0;  // right before it
  std::int64_t judged_ = 0;
};

}  // namespace berth::audit
