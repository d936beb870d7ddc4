#pragma once
// The actions that every machine has, and the questions that belong to them.
//
// An action asks everything first, then changes, then tells one record.  A wrong call
// throws Error{kPolicy}; "not now" is a Refusal; the state is unchanged in both cases.

#include <optional>
#include <string_view>

#include "engine/base/result.hpp"
#include "engine/sim/orders.hpp"
#include "engine/sim/plans.hpp"

namespace berth::sim {

struct StartOptions {
  const Placement* where = nullptr;  // restricts the machine's own rule
  std::optional<PlanId> under = {};  // refuse what this plan does not admit
};

// Why a member of the queue could not start now.
struct WhyNot {
  Refusal reason;
  std::int64_t needed;
  std::int64_t available;
  std::optional<JobId> by;  // whose plan is in the way
};

class Actions {
 public:
  // All three outlive it.
  Actions(World& world, Orders& orders, Plans& plans)
      : world_(world), orders_(orders), plans_(plans) {}

  // Starts a waiting job or resumes a suspended one.
  [[nodiscard]] Result<Done, Refusal> start(JobId job, const StartOptions& options);
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
  // The pure twin of every selection: nullopt if the job could start now, under the
  // plan if one is given.
  [[nodiscard]] std::optional<WhyNot> why_not(JobId job,
                                              std::optional<PlanId> under) const;

 private:
  void require_pool(std::int64_t keep) const;
  void tell_place(JobId job) const;
  [[nodiscard]] bool may_be_planned(JobId job) const {
    return queues(world_.jobs().state(job)) || world_.runs_without_expected_end(job);
  }

  World& world_;
  Orders& orders_;
  Plans& plans_;
};

}  // namespace berth::sim
