#pragma once
// The actions that every machine has, and the questions that belong to them.
//
// An action asks everything first, then changes, then tells one record.  A wrong call
// throws Error{kPolicy}; "not now" is a Refusal; the state is unchanged in both cases.

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/sim/orders.hpp"
#include "engine/sim/plans.hpp"

namespace berth::sim {

struct StartOptions {
  const Placement* where = nullptr;  // a set of processors to keep to
  const Proposal* place = nullptr;   // this very placement; excludes `where`
  std::optional<PlanId> under = {};  // refuse what this plan does not admit there
  // Suspend these first, all or none; where it is given, the machine has to preempt.
  std::optional<std::span<const JobId>> instead_of = {};
};

// Why a member of the queue could not start now: too little is idle, or is spare beside
// a plan.  Where a plan on hosts is in the way, the shortage is one of processors.
struct WhyNot : Shortage {
  Refusal reason;
  std::optional<JobId> by{};  // whose plan is in the way
};

// Error{kPolicy} unless the machine preempts.
void require_preemption(const World& world, const char* action);

class Actions {
 public:
  // All outlive it.
  Actions(World& world, Orders& orders, Plans& plans, const Simulation& simulation);

  // Starts a waiting job or resumes a suspended one.  With `instead_of` those running
  // jobs are suspended, by (submit, id), and the job starts, in one step, if it fits
  // once they are gone; else nothing is changed.
  [[nodiscard]] Result<Done, Refusal> start(JobId job,
                                            const StartOptions& options = {});
  // Suspends a running job.  REQUIRES (else Error): the machine preempts.
  void suspend(JobId job);
  // A waiting job leaves for good.
  void reject(JobId job);
  // When the job could start by what is expected now, with `keep` processors idle
  // besides, which its spare does not count.  kTooBig: never.
  // REQUIRES (else Error): keep >= 0, and 0 unless the machine is a pool.
  [[nodiscard]] Result<PlanId, Refusal> reserve(JobId job, std::int64_t keep = 0);
  // A pass at `time`, later than now; the last call counts, nullopt clears.
  void wake_at(std::optional<Time> time);
  // The reason, at most 120 bytes, of the next action of this decision.
  void because(std::string_view text);
  // Why a limit bars the start of the job once these running jobs have gone; nullopt:
  // none does, or it is not in the queue.
  [[nodiscard]] std::optional<WhyNot> barred(JobId job,
                                             std::span<const JobId> gone = {}) const;
  // The pure twin of every selection: nullopt if the job could start now, under the
  // plan if one is given.
  [[nodiscard]] std::optional<WhyNot> why_not(JobId job,
                                              std::optional<PlanId> under = {}) const;

 private:
  // The refusal, which an inspector is told.
  [[nodiscard]] Refusal refused(JobId job, Refusal why) const;
  [[nodiscard]] Result<PlanId, Refusal> reserve_sought(
      JobId job, std::unique_ptr<Outlook> outlook);
  void require_pool(std::int64_t keep) const;
  void tell_place(JobId job) const;
  // What a start comes to, before anything changes.
  struct Prepared {
    Grant grant;  // empty if other jobs make way first
    Time unfreezes = 0;
    Time planned_end = 0;
  };
  [[nodiscard]] Result<Done, Refusal> prepare(JobId job, const StartOptions& options,
                                              Prepared& made) const;
  [[nodiscard]] Result<Done, Refusal> prepare_instead(JobId job,
                                                      const StartOptions& options,
                                                      const Prepared& made) const;
  [[nodiscard]] Result<Done, Refusal> find_grant(JobId job, const StartOptions& options,
                                                 Grant& grant) const;
  [[nodiscard]] bool is_held(const Plan& plan, JobId job, bool is_placed,
                             Prepared& made) const;
  [[nodiscard]] std::optional<Placement> reserved_place(JobId job) const;
  // By id; valid until the next call.
  [[nodiscard]] std::span<const JobId> read_makers_of_way(JobId job,
                                                          std::span<const JobId> jobs);
  [[nodiscard]] bool resumes_elsewhere(JobId job);
  void suspend_all(std::span<const JobId> jobs);
  void do_suspend(JobId job, Orders::Keys keys);
  [[nodiscard]] bool may_be_planned(JobId job) const {
    return queues(world_.jobs().state(job)) ||
           world_.jobs().runs_without_expected_end(job);
  }

  World& world_;
  Orders& orders_;
  Plans& plans_;
  const Simulation& simulation_;
  bool starts_are_plain_;             // where the policy says nothing more of them
  bool reserves_freely_;              // on this machine, for any job
  std::vector<JobId> makers_of_way_;  // scratch
  std::map<JobId, Placement> left_;   // places of suspended jobs, where moves are told
};

}  // namespace berth::sim
