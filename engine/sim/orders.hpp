#pragma once
// The queue in all of the policy's orders.
//
// Order 0 is arrival, order i + 1 is PolicyTraits::orders[i].  One order more holds the
// candidates: the queue and, besides, running jobs of which no end is expected, by
// arrival, and the last one is by the standing of users (FairOrder).  An order costs
// nothing but its keys until it is used first.  Where limits bar jobs, each order is a
// PartedQueue, and shows the members that are not barred.
//
//   operation            time, q = members, o = orders in use
//   first use            O(q log q)
//   enter, leave         O(o log q) and a key of each order of the policy
//   refresh              O(q), O(q log q) where the order changes, and q keys for each
//                        order that is due

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/queue/job_queue.hpp"
#include "engine/sim/fair_order.hpp"
#include "engine/sim/world.hpp"

namespace berth {
class PartedQueue;
class Turns;
}  // namespace berth

namespace berth::sim {

class Limits;
class Simulation;

class Orders {
 public:
  // World, policy and simulation outlive the orders.
  Orders(World& world, Policy& policy, Simulation& simulation);
  ~Orders();

  // Not an order of jobs: the first job of each user, by dominant share (Turns).
  // REQUIRES where it is asked for: a job names a user.
  static constexpr auto kTurns = static_cast<std::size_t>(-1);
  // The members that are shown.
  // Error{kPolicy} for the order by the standing of users if no job names one, and for
  // kTurns where jobs have limits.
  [[nodiscard]] QueueView queue(std::size_t order) const {
    // This is what nearly every question is about.
    if (order == 0 && limits_ == nullptr) return queues_.front().members;
    const bool is_plain =
        order < queues_.size() && queues_[order].use == Kept::Use::kPlain;
    return is_plain ? QueueView(queues_[order].members) : other_queue(order);
  }
  // Every member, barred or not.  Error{kPolicy}, as queue().
  [[nodiscard]] QueueView all(std::size_t order) const;
  // Null: no job has a limit.
  [[nodiscard]] Limits* limits() const { return limits_.get(); }
  // A further order, as long as the run: the members of this user alone, in `order` or
  // its own base.  A view of a user that was asked for before is the same.
  // Error{kPolicy} for the order of the candidates.
  [[nodiscard]] std::size_t of_user(std::size_t order, std::int32_t user);
  // The user whose members an order holds; nullopt: it holds every job in the queue.
  [[nodiscard]] std::optional<std::int32_t> user_of(std::size_t order) const;
  // The job's place in this order.  Error{kPolicy} for a job that has been forgotten,
  // unless the order is by arrival.
  [[nodiscard]] Place place(JobId job, std::size_t order) const;

  // The keys, one for each order of the policy, with which the job would enter the
  // queue in this state; valid until the next call.  They are asked for before anything
  // changes, because a key function may raise.
  using Keys = std::span<const double>;
  [[nodiscard]] Keys keys_of(JobId job, JobState as);
  void enter(JobId job, Keys keys);
  // The job leaves the queue and is a candidate no longer; or it leaves the queue
  // alone; or a candidate that had left the queue is one no longer.
  enum class From : std::uint8_t { kBoth, kQueue, kCandidates };
  void leave(JobId job, From from = From::kBoth);

  // Whether the keys of an order with a period are to be computed anew at this pass.
  [[nodiscard]] bool is_refresh_due() const;
  // Computes anew the keys of the orders whose refresh is due, and the order of users.
  void refresh();
  // Computes the job's keys without a refresh again and tells them, if an observer
  // wants them (docs/model.md#p2).  A key may raise: an action that takes a job from
  // the queue asks for it before its first change.
  // REQUIRES: the job is in the queue.
  void tell_keys(JobId job) const;

 private:
  // PolicyTraits::fair_share().
  [[nodiscard]] std::size_t fair_share() const { return keys_.size() + 2; }
  struct Kept {
    enum class Use : std::uint8_t { kNone, kPlain, kParted };
    JobQueue members;  // empty until it is used; kParted: those that stand together
    std::unique_ptr<PartedQueue> parted{};
    Use use = Use::kNone;
  };

  // The members of one user.
  struct OfUser {
    std::size_t base;  // the order they stand in
    std::int32_t user;
    Kept kept;
  };
  void leave_queue(JobId job);
  void enter_views(JobQueue::Member newcomer, Keys keys);
  void leave_views(JobId job);
  void begin(std::size_t order) const;
  void enter_orders(JobQueue::Member newcomer, Keys keys);

  // Where jobs have limits (Limits).  Null as a part: those that stand together.
  using Part = std::uint32_t;
  void make_limits();
  void begin_parts(Kept& kept, bool is_default) const;
  void move(JobId job, const Part* from, const Part* to);
  void move(Kept& kept, const JobQueue::Member& member, const Part* from,
            const Part* to) const;
  void erase(Kept& kept, Place place) const;
  void stay_candidate(JobId job);
  [[nodiscard]] std::optional<Place> first_stopping() const;
  [[nodiscard]] const Kept& kept(std::size_t order) const;

  // Of an order that is used first, of the standing of users, of one user.
  [[nodiscard]] QueueView other_queue(std::size_t order) const;
  void fill(OfUser& view) const;
  void enter_shares(Shares& shares, const JobQueue::Member& newcomer);
  [[nodiscard]] const FairOrder& fair() const;
  [[nodiscard]] const JobQueue& turns() const;
  [[nodiscard]] bool is_due(std::size_t order) const;
  void refresh(std::size_t order);
  void fill(Kept& kept, std::vector<JobQueue::Member>& members, bool is_default) const;
  [[nodiscard]] JobQueue::Member member(JobId job, double key) const {
    return {{key, job}, world_.jobs().job(job).size, world_.planned(job).span};
  }

  // 0, so that equal keys are ordered by (submit, id), or where jobs lose their places
  // as they are hit the time of the last return, or of the submit.
  [[nodiscard]] double arrival_key(JobId job) const {
    return by_return_ ? key_by_return(job) : 0.0;
  }
  [[nodiscard]] double key_by_return(JobId job) const;
  void note_return(JobId job);

  World& world_;
  Policy& policy_;
  Simulation& simulation_;
  mutable std::vector<Kept> queues_;       // by order, the candidates last
  mutable std::optional<FairOrder> fair_;  // once it is used
  mutable std::unique_ptr<Turns> turns_;   // likewise
  std::deque<OfUser> of_users_;
  std::vector<double> keys_;  // by order - 1: what keys_of() found
  std::vector<Time> due_;     // by order - 1: the next refresh
  // The last refresh leaves its room to the next one, which takes as much.
  struct Refreshed {
    std::vector<JobId> jobs;
    std::vector<double> keys;
  };
  Refreshed refreshed_{};
  bool by_return_;
  std::map<JobId, Time>
      returned_{};  // of jobs that were hit, where that is their place
  std::unique_ptr<Limits> limits_{};                   // null: there are none
  mutable std::unique_ptr<MergedOrder> shown_fair_{};  // where there are, once used
};

}  // namespace berth::sim
