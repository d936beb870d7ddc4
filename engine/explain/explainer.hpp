#pragma once
// Follows jobs through a run and keeps why each of them did not start, pass by pass.
//
// A reason holds from its pass until the next one, or until the job starts; so the
// times of a job's reasons add up to its wait, to the tick.
//
// Memory       Of a job in detail: its lines and those that overtook it.  Of every
//              other job: a row of WaitTimes a reason, and an entry a blocker.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/explain/explained_job.hpp"
#include "engine/explain/judge.hpp"
#include "engine/explain/pass_notes.hpp"
#include "engine/explain/reason.hpp"
#include "engine/explain/wait_times.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

struct ExplainWhat {
  std::vector<JobId> in_detail{};
  // Besides: of all jobs, or only of these, the times by reason.
  bool all = false;
  std::optional<std::vector<JobId>> sample{};  // sorted
  bool each_pass = false;                      // a line a pass
  // Where jobs are numbered as they are submitted: by job of the run, its number in the
  // workload, by which these are named.  It outlives the run.  Empty: the same.
  std::span<const std::uint32_t> order{};
};

class Explainer final
    : public sim::Inspector,
      public sim::RecordVisitor<Explainer, sim::SubmitRecord, sim::RejectRecord,
                                sim::StartRecord, sim::SuspendRecord, sim::EndRecord,
                                sim::HitRecord, sim::ReturnRecord> {
 public:
  // The policy of the run outlives it.
  Explainer(const sim::Policy& policy, ExplainWhat what);

  // Whether every job in detail has ended, or will never start.
  [[nodiscard]] bool has_seen_all() const { return left_ == 0; }
  // The jobs in detail that were submitted, by number.  REQUIRES: the run is over.
  [[nodiscard]] const std::map<JobId, ExplainedJob>& jobs() const& { return jobs_; }
  [[nodiscard]] std::map<JobId, ExplainedJob> jobs() && { return std::move(jobs_); }
  // All jobs, or those of the sample, whether in detail or not.  REQUIRES: the run is
  // over and finished.
  [[nodiscard]] const WaitTimes& waits() const& { return waits_; }
  [[nodiscard]] WaitTimes waits() && { return std::move(waits_); }

  [[nodiscard]] bool wants_spare_pass() const override;
  void passed(const sim::Simulation& simulation, sim::PassKind kind) override;
  void shown(const sim::Simulation& simulation, std::size_t order,
             const Place& place) override;
  void ended(const sim::Simulation& simulation, std::size_t order,
             sim::SelectionEnd how, const Place* at) override;
  void refused(const sim::Simulation& simulation, JobId job, Refusal why) override;

  using RecordVisitor::ended;
  using RecordVisitor::passed;
  void on(const sim::SubmitRecord& record);
  void on(const sim::RejectRecord& record);
  void on(const sim::StartRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::HitRecord& record);
  void on(const sim::ReturnRecord& record);
  void finish(Time at) override;

 private:
  // A job in the queue, and why it did not start in the last passes since `since`.
  struct Waiting {
    JobId job;
    ExplainedJob* explained;          // in jobs_; null: it is not in detail
    bool counts;                      // it has not started before
    std::vector<ReasonTime> times{};  // by Why; of a job in detail those of `explained`
    std::int64_t passes = 0;          // with this reason and blocker; 0: not judged yet
    Time since = 0;
    Judge::Brief brief{};
    std::unique_ptr<Reason> reason{};  // in detail, of one pass

    [[nodiscard]] bool in_detail() const { return explained != nullptr; }
    [[nodiscard]] std::vector<ReasonTime>& all_times() {
      return in_detail() ? explained->times : times;
    }
  };

  [[nodiscard]] JobId as_named(JobId job) const {
    return what_.order.empty() ? job : JobId{what_.order[index(job)]};
  }
  [[nodiscard]] bool is_in_detail(JobId job) const;
  // Whether its times are wanted.
  [[nodiscard]] bool is_counted(JobId job) const;
  void follow(JobId job, ExplainedJob* explained, bool counts);
  Waiting* find(JobId job);
  void close(Waiting& waiting, Time at) const;
  static void add_time(Waiting& waiting, Time at);
  void add_line(const Waiting& waiting, Time at) const;
  void judge(Judge& judge, Waiting& waiting, Time now) const;
  void note_overtakers(const sim::Simulation& simulation, const Waiting& waiting);
  void note_begins(const sim::Simulation& simulation);
  // It will not wait any more, or the run is over.
  void keep_times(Waiting& waiting);
  void forget(Waiting& waiting);

  ExplainWhat what_;
  PassNotes notes_;
  std::vector<Waiting> waiting_;        // by job
  std::map<JobId, ExplainedJob> jobs_;  // in detail
  WaitTimes waits_;
  std::map<JobId, std::string> words_;  // of the starts in this pass, if any
  std::size_t left_;
};

}  // namespace berth
