#pragma once
// How many jobs wait in a run, rebuilt from records, their sizes and their work.
//
//   operation            cost, k = different sizes seen so far
//   enter, leave         as of WaitingSizes
//   smallest, backlog    O(1)

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/jobs/job.hpp"

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
  void enter(const Job& job);
  // REQUIRES: as many of its size entered as have left, and this one.
  void leave(const Job& job);

  [[nodiscard]] std::size_t size() const { return members_; }
  // Size of the narrowest member; nullopt if the queue is empty.
  [[nodiscard]] std::optional<std::int32_t> smallest() const {
    return sizes_.smallest();
  }
  // The sum of size times length over the members, in processor ticks.
  [[nodiscard]] Int128 backlog() const { return backlog_; }

 private:
  std::size_t members_ = 0;
  WaitingSizes sizes_;
  Int128 backlog_ = 0;
};

}  // namespace berth
