#pragma once
// The queue of a run, rebuilt from records in the policy's default order, and the sizes
// of its members.
//
//   operation            cost, n = members, k = different sizes seen so far
//   enter                O(1) at the end of the order, else a memmove; O(k) for a new
//   size leave, move          O(log n) smallest, backlog    O(1)

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/jobs/job.hpp"
#include "engine/queue/job_queue.hpp"

namespace berth {

// A multiset of job sizes.
class WaitingSizes {
 public:
  // O(log k); O(k) for a size never added before.
  void add(std::int32_t size);
  // O(log k); O(k) if it is the last of the smallest size and others are left.
  // REQUIRES: size is in the set.
  void remove(std::int32_t size);

  // nullopt if the set is empty.  O(1).
  [[nodiscard]] std::optional<std::int32_t> smallest() const;

 private:
  struct Count {
    std::int32_t size;
    std::int64_t jobs;
  };
  [[nodiscard]] std::size_t index_of(std::int32_t size) const;

  std::vector<Count> counts_;  // by size; entries are never removed
  std::size_t smallest_ = 0;   // index of the first count above 0; else counts_.size()
  std::int64_t jobs_ = 0;
};

class QueueWatch {
 public:
  // REQUIRES: not a member.
  void enter(Place place, const Job& job);
  // REQUIRES: a member, entered with this place and job.
  void leave(Place place, const Job& job);
  // Changes the key of a member.  REQUIRES: as for leave.
  void move(Place from, double key);
  // Gives every member the key that key_of(JobId) returns.
  template <class KeyOf>
  void rekey(const KeyOf& key_of) {
    order_.rekey(key_of);
  }

  [[nodiscard]] std::size_t size() const { return order_.length(); }
  // The first place in the order; nullopt if the queue is empty.
  [[nodiscard]] std::optional<Place> first() const { return order_.head(); }
  // Size of the narrowest member; nullopt if the queue is empty.
  [[nodiscard]] std::optional<std::int32_t> smallest() const {
    return sizes_.smallest();
  }
  // The sum of size times length over the members, in processor ticks.
  [[nodiscard]] Int128 backlog() const { return backlog_; }

 private:
  JobQueue order_;
  WaitingSizes sizes_;
  Int128 backlog_ = 0;
};

}  // namespace berth
