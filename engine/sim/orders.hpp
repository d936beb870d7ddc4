#pragma once
// The queue in all of the policy's orders.
//
// Order 0 is arrival, order i + 1 is PolicyTraits::orders[i].  One order more holds the
// candidates: the queue and, besides, running jobs of which no end is expected, by
// arrival.  An order costs nothing but its keys until it is used first.
//
//   operation            time, q = members, o = orders in use
//   first use            O(q log q)
//   enter, leave         O(o log q) and a key of each order of the policy
//   refresh              O(q log q) for each order that is due

#include <cstddef>
#include <vector>

#include "engine/queue/job_queue.hpp"
#include "engine/sim/world.hpp"

namespace berth::sim {

class Orders {
 public:
  // World, policy and simulation outlive the orders.
  Orders(World& world, Policy& policy, Simulation& simulation);

  [[nodiscard]] const JobQueue& queue(std::size_t order) const {
    if (!queues_[order].is_used) begin(order);
    return queues_[order].members;
  }
  // The order of the candidates.
  [[nodiscard]] std::size_t candidates() const { return keys_.size() + 1; }
  // The job's place in this order.  Error{kPolicy} for a job that has been forgotten,
  // unless the order is by arrival.
  [[nodiscard]] Place place(JobId job, std::size_t order) const;

  // Computes the keys with which the job would enter the queue in this state.  They
  // are computed before anything changes, because a key function may raise.
  void compute_keys(JobId job, JobState as);
  // The keys computed last, and to put them back.
  [[nodiscard]] const std::vector<double>& computed_keys() const { return keys_; }
  void set_computed_keys(const std::vector<double>& keys) { keys_ = keys; }
  // The job enters the queue with the keys computed last.
  void enter(JobId job);
  // The job leaves the queue and the candidates.
  void leave(JobId job);
  // The job leaves the queue and stays a candidate.
  void leave_queue(JobId job);
  // A candidate that had left the queue is one no longer.
  void leave_candidates(JobId job);

  // Computes anew the keys of the orders whose refresh is due.
  void refresh();

 private:
  struct Kept {
    JobQueue members;  // empty until it is used
    bool is_used = false;
  };

  void begin(std::size_t order) const;
  void refresh(std::size_t order);
  static void fill(Kept& kept, std::vector<JobQueue::Member>& members);
  [[nodiscard]] JobQueue::Member member(JobId job, double key) const {
    return {{key, job}, world_.jobs().job(job).size, world_.planned_span(job)};
  }

  World& world_;
  Policy& policy_;
  Simulation& simulation_;
  mutable std::vector<Kept> queues_;  // by order, the candidates last
  std::vector<double> keys_;          // by order - 1: what compute_keys() found
  std::vector<Time> refreshed_;       // by order - 1
};

}  // namespace berth::sim
