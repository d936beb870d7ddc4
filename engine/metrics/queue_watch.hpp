#pragma once
// The queue of a run, rebuilt from records in the policy's default order.
//
//   operation            cost, n = members
//   enter                O(1) at the end of the order, else a memmove
//   leave, move          O(log n)
//   smallest, backlog    O(1)

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/jobs/job.hpp"
#include "engine/metrics/waiting_sizes.hpp"
#include "engine/metrics/wide_integer.hpp"
#include "engine/queue/job_queue.hpp"

namespace berth {

class QueueWatch {
 public:
  // REQUIRES: not a member.
  void enter(Place place, const Job& job);
  // REQUIRES: a member, entered with this place and job.
  void leave(Place place, const Job& job);
  // The member gets another key.  REQUIRES: as for leave.
  void move(Place from, double key);

  [[nodiscard]] std::size_t size() const { return order_.length(); }
  // The first in the order; nullopt if the queue is empty.
  [[nodiscard]] std::optional<Place> first() const { return order_.head(); }
  // Size of the narrowest member; nullopt if the queue is empty.
  [[nodiscard]] std::optional<std::int32_t> smallest() const {
    return sizes_.smallest();
  }
  // Size times length over all members, in processor ticks.
  [[nodiscard]] Int128 backlog() const { return backlog_; }

 private:
  JobQueue order_;
  WaitingSizes sizes_;
  Int128 backlog_ = 0;
};

}  // namespace berth
