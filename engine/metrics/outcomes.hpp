#pragma once
// The outcome of each job of a run, in the order in which jobs left the system.
//
//   JobOutcome      all that per-job metrics are computed from
//   Outcomes        those of a run
//   OutcomeView     some of them: measured jobs, finished jobs
//   OutcomesByJob   those of a view, by job

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/job.hpp"
#include "engine/jobs/job_state.hpp"
#include "engine/metrics/job_class.hpp"
#include "engine/sim/record.hpp"

namespace berth {

// Durations in ticks.  Suspended and frozen time is lost; a frozen job holds its
// processors, a suspended one does not.
struct JobOutcome {
  friend bool operator==(const JobOutcome&, const JobOutcome&) = default;

  JobId job{};
  std::int32_t user = -1;
  std::int32_t size = 1;
  JobState state = JobState::kFinished;
  Duration length = 0;
  Duration wait = 0;      // submit to first start
  Duration response = 0;  // submit to end
  Duration suspended = 0;
  Duration frozen = 0;
  Duration unlimited = 0;  // of its running time: Account::unlimited
  // These tell how often the job lost a host, how long those attempts ran, and how long
  // it took until it ran again, in the queue or returning to it.
  std::int32_t hits = 0;
  Duration lost = 0;
  Duration again = 0;
  bool failed_by_host = false;

  // First start to end.
  [[nodiscard]] Duration service() const { return response - wait; }
  [[nodiscard]] Duration lost_time() const { return suspended + frozen; }
  // Holding processors.
  [[nodiscard]] Duration held() const { return service() - suspended - again; }
  [[nodiscard]] Duration running() const { return held() - frozen; }
  // In the queue before and between the attempts of a job that ended, where so much
  // lies between a hit and the return.
  [[nodiscard]] Duration queued(Duration requeue_delay) const {
    return wait + again - (hits - (failed_by_host ? 1 : 0)) * requeue_delay;
  }
};

// The outcome of a job that leaves at `at`, or that is still in the system when the run
// ends at `at`; a job that has not started has waited all the time.
[[nodiscard]] JobOutcome outcome_of(const sim::Subject& who, Time at);

// Whether the job was killed or ran longer than the walltime given.  Time that no
// walltime limits does not count.
[[nodiscard]] bool outlived_walltime(const Job& job, const JobOutcome& outcome);

// Progress lost at restarts and at a kill, in ticks of dedicated work.
[[nodiscard]] Duration lost_work(const JobEntry& entry);

// Memory       12 bytes a job; 56 more for a job that did not finish, lost time or was
//              slowed down (undisturbed jobs are derived from the workload)
// Cost         O(1) an operation
class Outcomes {
 public:
  Outcomes() = default;
  // REQUIRES: jobs by (submit, id); they outlive this object.
  explicit Outcomes(std::span<const Job> jobs);

  // REQUIRES: the job has no outcome yet; user, size and length are the job's.
  void add(const JobOutcome& outcome);

  // Where the jobs that these read are numbered anew: by the number that each had, its
  // present one.
  void renumber(std::span<const std::uint32_t> now);

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  // The index-th job that left, from 0.
  [[nodiscard]] JobOutcome operator[](std::size_t index) const;
  // The same, written where it is to stay: a copy of what was just written in parts
  // waits for it.
  void read(std::size_t index, JobOutcome& to) const;
  // Calls visit(const JobOutcome&) with it.  What `visit` does not read is not
  // computed.
  template <class Visit>
  void show(std::size_t index, const Visit& visit) const;
  [[nodiscard]] JobId job(std::size_t index) const { return order_[index]; }
  // Jobs of the workload, with or without an outcome.
  [[nodiscard]] std::size_t jobs() const { return jobs_.size(); }
  [[nodiscard]] std::span<const Job> workload() const { return jobs_; }

 private:
  // Jobs leave in another order than they stand in memory, so that a pass over outcomes
  // would wait for most of them.
  void fetch_ahead(std::size_t index) const;
  void read_undisturbed(JobId id, Duration wait, JobOutcome& to) const;

  std::span<const Job> jobs_;
  std::vector<JobId> order_;
  // The wait of an undisturbed job, or ~i of the job at others_[i].
  std::vector<Duration> waits_;
  std::vector<JobOutcome> others_;
};

// A filter of the outcomes of a run.  Cheap to copy; the outcomes must outlive it and
// must not change.
class OutcomeView {
 public:
  enum class Those : std::uint8_t { kAll, kFinished };

  // Outcomes of the jobs from `first_job` on.
  // NOLINTNEXTLINE(google-explicit-constructor): outcomes are a view of all of them
  OutcomeView(const Outcomes& outcomes, std::uint32_t first_job = 0,
              Those those = Those::kAll)
      : outcomes_(&outcomes), first_job_(first_job), those_(those) {}

  [[nodiscard]] OutcomeView finished() const {
    auto made = *this;
    made.those_ = Those::kFinished;
    return made;
  }
  // Those of one class of the workload, which must outlive the view.
  [[nodiscard]] OutcomeView of(const JobClass& one) const {
    auto made = *this;
    made.class_ = &one;
    return made;
  }

  // Whether an outcome of this job is in the view, as far as its state does not matter.
  [[nodiscard]] bool measures(JobId job) const {
    return index(job) >= first_job_ && (class_ == nullptr || class_->has(job));
  }

  // The reference is valid until the next step.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = JobOutcome;
    using difference_type = std::ptrdiff_t;
    using pointer = const JobOutcome*;
    using reference = const JobOutcome&;

    Iterator(const OutcomeView& view, std::size_t index) : view_(&view), index_(index) {
      find();
    }
    [[nodiscard]] reference operator*() const { return shown_; }
    [[nodiscard]] pointer operator->() const { return &shown_; }
    Iterator& operator++() {
      ++index_;
      find();
      return *this;
    }
    // In the outcomes.
    [[nodiscard]] std::size_t index() const { return index_; }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.index_ == b.index_;
    }

   private:
    // Moves on to the next outcome of the view, this one included.
    void find();

    const OutcomeView* view_;
    std::size_t index_;
    JobOutcome shown_;
  };

  // Calls visit(const JobOutcome&) for each, in order: for passes that read few fields
  // of all outcomes (see Outcomes::show).
  template <class Visit>
  void each(const Visit& visit) const;

  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, outcomes_->size()}; }

  // Number of outcomes in the view.  O(n).
  [[nodiscard]] std::int64_t count() const { return std::distance(begin(), end()); }
  [[nodiscard]] const Outcomes& outcomes() const { return *outcomes_; }

 private:
  const Outcomes* outcomes_;
  std::uint32_t first_job_;
  Those those_;
  const JobClass* class_ = nullptr;  // all
};

// Memory       4 bytes for each job of the workload
// Cost         O(n) to construct, O(1) to find
class OutcomesByJob {
 public:
  // REQUIRES: the outcomes outlive this object.
  explicit OutcomesByJob(const OutcomeView& view);

  // Jobs of the workload, in the view or not.
  [[nodiscard]] std::size_t jobs() const { return indices_.size(); }
  // nullopt if the job is not in the view.
  [[nodiscard]] std::optional<JobOutcome> find(JobId job) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  const Outcomes* outcomes_;
  std::vector<std::uint32_t> indices_;  // by job
};

// Inlined, so that a pass over all jobs computes what it reads alone.

inline void Outcomes::fetch_ahead(std::size_t index) const {
  constexpr std::size_t kAhead = 24;
  if (index + kAhead >= order_.size()) return;
  __builtin_prefetch(&jobs_[berth::index(order_[index + kAhead])]);
}

inline void Outcomes::read_undisturbed(JobId id, Duration wait, JobOutcome& to) const {
  const auto& job = jobs_[index(id)];
  to = {};
  to.job = id;
  to.user = job.user;
  to.size = job.size;
  to.length = job.length;
  to.wait = wait;
  to.response = wait + job.length;
}

template <class Visit>
void Outcomes::show(std::size_t index, const Visit& visit) const {
  fetch_ahead(index);
  const Duration wait = waits_[index];
  if (wait < 0) return visit(others_[static_cast<std::size_t>(~wait)]);
  JobOutcome undisturbed;
  read_undisturbed(order_[index], wait, undisturbed);
  visit(undisturbed);
}

template <class Visit>
void OutcomeView::each(const Visit& visit) const {
  const auto shown = [&](const JobOutcome& job) {
    if (those_ == Those::kAll || job.state == JobState::kFinished) visit(job);
  };
  for (std::size_t i = 0; i < outcomes_->size(); ++i) {
    if (measures(outcomes_->job(i))) outcomes_->show(i, shown);
  }
}

}  // namespace berth
