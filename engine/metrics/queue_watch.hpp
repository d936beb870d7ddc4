#pragma once
// How many jobs wait in a run, rebuilt from records, their sizes and their work.
//
//   operation            cost
//   enter, leave         as of WaitingSizes
//   smallest, backlog    O(1)

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/jobs/job.hpp"

namespace berth {

// A multiset of job sizes.
// Memory       some 4 bytes for each number up to the largest size below 2^14, some 40
//              for each larger size
class WaitingSizes {
 public:
  // O(1) amortised, O(log k) where k sizes are larger.  REQUIRES: size >= 0.
  void add(std::int32_t size);
  // The same; where the last of the smallest size leaves, also a word for each 64
  // numbers up to the next one.  REQUIRES: size is in the set.
  void remove(std::int32_t size);

  // nullopt if the set is empty.  O(1).
  [[nodiscard]] std::optional<std::int32_t> smallest() const {
    if (jobs_ > 0) return static_cast<std::int32_t>(smallest_);
    return large_.empty() ? std::nullopt : std::optional(large_.begin()->first);
  }

 private:
  static constexpr std::int32_t kLarge = std::int32_t{1} << 14;
  static constexpr std::size_t kBits = 64;

  // The smallest size from this one on.  REQUIRES: there is one below kLarge.
  [[nodiscard]] std::size_t next(std::size_t size) const;

  std::vector<std::uint32_t> counts_;            // jobs by size, of those below kLarge
  std::vector<std::uint64_t> sizes_;             // a bit for each size that has some
  std::size_t smallest_ = 0;                     // of these, where there are some
  std::size_t jobs_ = 0;                         // with these sizes
  std::map<std::int32_t, std::uint32_t> large_;  // the others
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
