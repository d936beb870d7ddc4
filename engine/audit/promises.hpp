#pragma once
// What a policy promises (docs/model.md#r1, #r2, #r3), derived from the queue, starts,
// ends and walltimes alone; so it judges a run of ours and a foreign schedule alike.
//
// A promise rests on expected ends.  When a running job misses its own, no policy can
// keep it: the head is not judged again until another job is head.  A book may also
// keep reservations that a late job is in the way of until they are due: none is judged
// while a late job runs, and what is reserved until it has stopped is no promise.
//
// Source       Mu'alem and Feitelson 2001; docs/model.md#shadow, #conservative.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/audit/expected_ends.hpp"
#include "engine/audit/waiting_line.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"

namespace berth::audit {

// Whether all ends of an instant are handled before a promise is judged at it.
enum class Instants : std::uint8_t { kWhole, kByEvent };

// Promises that the loss of a host set aside: a job that starts later than its own is
// excused.
struct Excuses {
  std::int64_t jobs = 0;
  Duration longest = 0;  // that one of them started late
  void add(const Excuses& more) {
    jobs += more.jobs;
    longest = std::max(longest, more.longest);
  }
};

// The first promise of each job that was set aside.
class SetAside {
 public:
  void keep(JobId job, Time promised) { first_.try_emplace(job, promised); }
  // The job starts, which settles it.
  void start(JobId job, Time now) {
    const auto at = first_.find(job);
    if (at == first_.end()) return;
    if (now > at->second) excuses_.add({1, now - at->second});
    first_.erase(at);
  }
  [[nodiscard]] bool empty() const { return first_.empty(); }
  [[nodiscard]] const Excuses& excuses() const { return excuses_; }

 private:
  std::map<JobId, Time> first_;
  Excuses excuses_;
};

// R1: while a job stays head of the queue its shadow time never moves later, and it
// starts no later than the first one.  The promise ends when another job comes before
// the head.
//
// The idle processors at the promised time and just before it are kept up to date with
// every change.  While they suffice at that time and not before, the shadow time is the
// promised one and need not be computed.
//
// Cost         That of WaitingLine a change of the queue, that of ExpectedEnds one of
//              the machine; a judgement O(1) if the shadow time is the promised one,
//              else that of ExpectedEnds and O(ends up to the shadow time).
class HeadPromise {
 public:
  HeadPromise(std::int64_t processors, Overruns rule, Instants instants)
      : idle_(processors), running_(rule), by_event_(instants == Instants::kByEvent) {}

  // Whether the job fits once the jobs with these names have left.
  using Fits = std::function<bool(JobId job, std::span<const std::uint32_t> gone)>;
  // From now on this is asked, instead of numbers of processors.
  void ask(Fits fits) { fits_ = std::move(fits); }
  // When the job is expected to fit, where more than ends of jobs decides; nullopt: it
  // does not now.  `last`: no job is expected to end later.
  using Find = std::function<std::optional<Time>(JobId job, Time last)>;
  // From now on this is asked first.
  void ask_first(Find find) { find_ = std::move(find); }

  // Where not every member may be head: makes the queue have the one that may be, or
  // none, and calls forgive() if it was another one meanwhile.
  using Settle = std::function<void()>;
  // From now on this is asked after look_again().
  void ask_head(Settle settle) { settle_ = std::move(settle); }
  void look_again() { is_reordered_ = true; }

  struct Broken {
    JobId head;
    Time promised;
    Time now;  // the later shadow time, or the late start
  };

  // The job joins or leaves the queue, which is ordered by (key, job).  A job that is
  // not in may leave.  The hint of `join` makes leaving cheaper.
  std::uint32_t join(JobId job, double key, std::int32_t size) {
    if (job != head_ && comes_before_head(job, key)) forgive();
    return queue_.join({key, job, size});
  }
  void leave(JobId job, double key, std::uint32_t hint = 0) {
    if (job == head_) forgive();
    queue_.leave(job, key, hint);
  }
  // The key of a member changes; its new hint.  Whether the head changed is looked up
  // once all keys of the instant are told.
  std::uint32_t rekey(const WaitingLine::Member& anew, double before,
                      std::uint32_t hint) {
    queue_.leave(anew.job, before, hint);
    if (anew.job == head_) head_key_ = anew.key;
    is_reordered_ = true;
    return queue_.join(anew);
  }
  // The first member; null if the queue is empty.  Good until the next change.
  [[nodiscard]] const WaitingLine::Member* head() { return queue_.head(); }

  // A job has processors until it stops.  Its name for `stop`.
  // `last`: as ExpectedEnds::hold().
  [[nodiscard]] std::uint32_t start(std::int32_t size, Time planned_end, Time last) {
    take(size, planned_end);
    return running_.hold(size, planned_end, last);
  }
  [[nodiscard]] std::uint32_t start(std::int32_t size, Time planned_end) {
    return start(size, planned_end, planned_end);
  }
  // It is about to be stopped though it has not ended: ends of this instant came
  // before.
  void hit(std::uint32_t which, Time now) {
    misses_ += std::int64_t{now == running_[which].end};
  }
  // REQUIRES: started and not stopped since.
  void stop(std::uint32_t which, Time now) {
    const auto& holder = running_[which];
    misses_ += std::int64_t{now > holder.end};
    late_stops_ += std::int64_t{running_.is_late(which)};
    take(-holder.size, holder.end);
    running_.let_go(which);
  }
  [[nodiscard]] std::int64_t idle() const { return idle_; }

  // A host is lost: the promise in force counts no more, and the next one is judged.
  void set_aside(Time now) {
    if (is_reordered_) find_head();
    const bool is_in_force =
        head_ != kNone && is_promised_ && misses(now) == misses_when_promised_;
    if (is_in_force) aside_.keep(head_, promised_);
    forgive();
  }
  [[nodiscard]] const Excuses& excuses() const { return aside_.excuses(); }

  // To be asked just before `leave` of a job that starts.
  [[nodiscard]] std::optional<Broken> judge_start(JobId job, Time now) {
    if (!aside_.empty()) [[unlikely]]
      aside_.start(job, now);
    if (is_reordered_) find_head();
    const bool is_late = head_ == job && is_promised_ && now > promised_;
    if (!is_late || misses(now) != misses_when_promised_) return {};
    return Broken{job, promised_, now};
  }
  // To be asked when all changes of a pass are made.
  [[nodiscard]] std::optional<Broken> judge(Time now) {
    if (is_reordered_) find_head();
    const auto* const member = queue_.head();
    if (member == nullptr) {
      forgive();
      return {};
    }
    const auto found = find_ ? find_(member->job, last_end(now)) : std::nullopt;
    const bool is_kept = !fits_ && !found && head_ == member->job && is_promised_ &&
                         available_ >= member->size &&
                         available_before_ < member->size &&
                         misses(now) == misses_when_promised_;
    if (!is_kept) return look_and_judge(*member, now, found);
    ++judged_;
    return {};
  }
  // Expected ends that running jobs have missed up to now; where ends of this instant
  // may still come, one more at each call while an end is due.
  [[nodiscard]] std::int64_t misses(Time now) {
    misses_ += running_.pass_over(by_event_ ? now - 1 : now);
    if (by_event_ && running_.any_by(now)) ++misses_;
    return misses_;
  }
  // Whether a running job is late.
  [[nodiscard]] bool any_late() const { return running_.any_late(); }
  // Late jobs that stopped.
  [[nodiscard]] std::int64_t late_stops() const { return late_stops_; }
  // Takes the present shadow time of the head for its promise: judges it from here on.
  void forgive() {
    head_ = kNone;
    is_promised_ = false;
  }
  // Promises judged so far.
  [[nodiscard]] std::int64_t judged() const { return judged_; }

 private:
  static constexpr JobId kNone{std::numeric_limits<std::uint32_t>::max()};
  struct Shadow {
    Time at;
    std::int64_t available;         // idle processors then, by expected ends
    std::int64_t available_before;  // just before it
  };

  [[nodiscard]] bool comes_before_head(JobId job, double key) const {
    if (head_ == kNone) return false;
    return key != head_key_ ? key < head_key_ : job < head_;
  }
  [[gnu::noinline]] void find_head();
  [[nodiscard]] Time last_end(Time now);
  [[nodiscard, gnu::noinline]] std::optional<Broken> look_and_judge(
      WaitingLine::Member member, Time now, std::optional<Time> found);
  // REQUIRES: no expected end lies before now.
  [[nodiscard]] Shadow shadow(std::int64_t size, Time now);
  [[nodiscard]] Time asked_shadow(JobId job, Time now);
  // From the idle processors until `end`.  Without a branch, which could not be
  // predicted.
  void take(std::int64_t size, Time end) {
    idle_ -= size;
    available_ -= size & -std::int64_t{end > promised_};
    available_before_ -= size & -std::int64_t{end >= promised_};
  }

  std::int64_t idle_;
  Fits fits_;  // empty: numbers of processors tell
  Find find_;  // empty: there is nothing to ask first
  Settle settle_;
  WaitingLine queue_;
  ExpectedEnds running_;
  bool by_event_;
  bool is_reordered_ = false;  // keys changed since the last look at the head
  bool is_promised_ = false;   // else the head is not judged
  JobId head_ = kNone;
  double head_key_ = 0;
  Time promised_ = 0;
  std::int64_t available_ = 0;         // idle processors then, by expected ends
  std::int64_t available_before_ = 0;  // just before it
  std::int64_t misses_ = 0;
  std::int64_t misses_when_promised_ = 0;
  std::int64_t late_stops_ = 0;
  std::int64_t judged_ = 0;
  SetAside aside_;
};

// R2: the reservation of a job never moves later, and the job starts no later than the
// first one.  O(1) a call.
class ReservationPromise {
 public:
  // How late jobs stand: promises made under another standing, or while a job is late,
  // are not judged.
  struct Lateness {
    std::int64_t changes;  // expected ends missed and late jobs stopped so far
    bool any;
    std::int64_t barred = 0;  // another number where a limit barred the job since
  };
  // The promise that the new start breaks; nullopt: it keeps it.
  [[nodiscard]] std::optional<Time> reserve(JobId job, std::optional<Time> start,
                                            Lateness lateness);
  // The promise that a start now breaks.
  [[nodiscard]] std::optional<Time> start(JobId job, Time now, Lateness lateness);
  // A host is lost: the promises in force may be broken up to the end of the next pass.
  void set_aside(Lateness lateness);
  // If a limit bars a job whose reservation is due, which is missed then, the promises
  // in force may be broken up to the end of the next pass.
  void forgive_missed(Time now, const std::function<bool(JobId)>& is_barred);
  // A pass is over: what is reserved now is a promise again.
  void passed() {
    if (std::exchange(is_aside_, false)) passed_after_loss();
  }
  [[nodiscard]] const Excuses& excuses() const { return aside_.excuses(); }
  // Promises judged so far.
  [[nodiscard]] std::int64_t judged() const { return judged_; }

 private:
  struct Promise {
    Time start;
    std::int64_t changes;  // of Lateness, when it was made
    std::int64_t barred;   // likewise
    bool is_aside = false;
  };
  void passed_after_loss();
  std::unordered_map<std::uint32_t, Promise> promises_;  // looked up, or all set aside
  SetAside aside_;
  bool is_aside_ = false;  // some of them
  std::int64_t judged_ = 0;
};

// R3: at the end of a pass the oldest member of the queue, by (submit, id), would not
// fit even without the running jobs that are younger than it and overtook an older one
// that has waited ever since.
//
// Cost         O(log n) a change, O(n) a judgement, n = jobs in the system.
class TopPromise {
 public:
  void join(JobId job) { waiting_[job] = ++changes_; }
  void leave(JobId job) { waiting_.erase(job); }
  void start(JobId job) { running_[job] = ++changes_; }
  void stop(JobId job) { running_.erase(job); }

  // Those running jobs, by (submit, id).
  [[nodiscard]] std::vector<JobId> overtakers() const;
  // nullopt: the queue is empty.
  [[nodiscard]] std::optional<JobId> oldest() const;

 private:
  // When they joined or started, as a number of changes.
  std::map<JobId, std::int64_t> waiting_;
  std::map<JobId, std::int64_t> running_;
  std::int64_t changes_ = 0;
};

}  // namespace berth::audit
