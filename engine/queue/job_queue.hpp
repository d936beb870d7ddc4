#pragma once
// Waiting and suspended jobs in one order, with an index over sizes and planned times.
//
// Order        by (key, JobId); the arrival order has key 0 for everyone.
// Structure    one sorted array of slots with tombstones; blocks of 64 slots carry the
//              smallest size and the shortest planned time in them, so that a search
//              passes over blocks in which nobody can lie under the staircase.
//
//   operation        time, n = members
//   insert           O(1) at the end, O(n) elsewhere (a memmove)
//   erase            O(log n), compaction amortised O(1)
//   next, head       O(log n + n/64 + slots of the blocks that cannot be passed over)
//   smallest         O(n/64)

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/staircase.hpp"
#include "engine/base/time.hpp"

namespace berth {

// A position in an order: that of a member, or one that a member once had.
struct Place {
  double key;
  JobId job;
  friend auto operator<=>(const Place&, const Place&) = default;
};

class JobQueue {
 public:
  struct Member {
    Place place;
    std::int32_t size;
    Duration planned;
  };

  // REQUIRES: the job is not a member; the key is finite.
  void insert(const Member& member);
  // REQUIRES: there is a member at this place.
  void erase(Place place);

  [[nodiscard]] std::size_t length() const { return members_; }
  [[nodiscard]] bool empty() const { return members_ == 0; }
  // First member; nullopt if empty.
  [[nodiscard]] std::optional<Place> head() const;
  // First member behind `after` (from the beginning if null) that lies under the
  // stairs.
  [[nodiscard]] std::optional<Place> next(const Place* after,
                                          const Staircase& under) const;
  // First member behind `after`, whatever its size.
  [[nodiscard]] std::optional<Place> next(const Place* after) const;
  // Place of the n-th member behind `after`, n >= 1; nullopt if there are fewer.
  [[nodiscard]] std::optional<Place> nth_behind(Place after, std::int64_t n) const;
  // Smallest size of any member; nullopt if empty.
  [[nodiscard]] std::optional<std::int32_t> smallest() const;

 private:
  struct Slot {
    Member member;
    bool live;
  };
  struct Block {
    std::int32_t smallest;
    Duration shortest;
  };
  static constexpr std::size_t kBlock = 64;

  [[nodiscard]] std::size_t behind(const Place* after) const;
  void compact();
  void rebuild_blocks(std::size_t from_slot);
  void rebuild_block(std::size_t block);

  std::vector<Slot> slots_;
  std::vector<Block> blocks_;
  std::size_t members_ = 0;
  std::size_t first_ = 0;  // no live slot lies before
};

}  // namespace berth
