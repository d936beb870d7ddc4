#pragma once
// Where in a row of slots somebody may lie who is small and short enough.
//
// Structure    Blocks of 16 slots under a tree of arity 8.  A node knows the smallest
//              size below it and, for each class of sizes, the shortest planned time
//              of anybody in that class or a smaller one.  A class ends just before a
//              power of two, for those are the sizes most asked for; the last one takes
//              all greater sizes too.  A flat index has one class and no tree: cheaper
//              while the row is short.
// Exactness    A block it names may turn out to hold nobody, for one has the small size
//              and another the short time, or for want of half a second; a block it
//              passes over does hold nobody.
//
//   operation        time, b = blocks, c = classes
//   add, remove      O(16 + c log b); ends at the first node whose figures stay
//   renew            O(16 + c log b)
//   next             O(b) if flat; else about O(log b) for each block it names
//   rebuild          O(slots + c b)

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/base/staircase.hpp"
#include "engine/base/time.hpp"

namespace berth {

// The two columns of slots that the index is about.
struct SlotColumns {
  std::span<const std::int32_t> sizes;  // ClassIndex::kVacant where nobody lies
  std::span<const Duration> planned;
};

class ClassIndex {
 public:
  static constexpr std::size_t kBlock = 16;
  static constexpr std::int32_t kVacant = std::numeric_limits<std::int32_t>::max();

  // What is asked for, prepared for this index as it is.
  class Query {
   public:
    Query(const ClassIndex& index, const Staircase& under);

   private:
    friend class ClassIndex;
    struct Corner {
      std::int32_t free;
      std::int32_t reach;  // rounded
      std::size_t size_class;
    };
    boost::container::small_vector<Corner, 4> corners_;
  };

  // Makes the index anew: flat if `largest` is 0, else with the classes of sizes up to
  // `largest`.
  void rebuild(const SlotColumns& slots, std::int32_t largest);
  [[nodiscard]] bool is_flat() const { return classes_ == 1; }

  // Somebody came to lie in this slot, which was vacant or is one behind the last.
  void add(std::size_t slot, std::int32_t size, Duration planned);
  // Somebody of this size and planned time left this slot.
  [[gnu::noinline]] void remove(std::size_t slot, const SlotColumns& slots,
                                std::int32_t size, Duration planned);
  // This block has changed in other ways.
  void renew(std::size_t block, const SlotColumns& slots);

  [[nodiscard]] std::size_t blocks() const { return levels_.front().nodes; }
  // The first block from `block` on that may hold somebody under the query's stairs;
  // blocks() if there is none.
  [[nodiscard]] std::size_t next(std::size_t block, const Query& query) const;
  // Smallest size anywhere; kVacant if nobody is there.  O(blocks) if flat, else O(1).
  [[nodiscard]] std::int32_t smallest() const;

 private:
  static constexpr std::size_t kArity = 8;
  // Figures lie together for the nodes below one node: those are asked together.
  // Planned times are rounded down, so that they take half the room.
  struct Level {
    std::size_t nodes = 0;
    // Whole groups of kArity; beyond `nodes` as if nobody were there.
    std::vector<std::int32_t> smallest;
    std::vector<std::int32_t> shortest;  // by group, class, node of the group
  };
  struct Classes {
    std::size_t first;
    std::size_t end;
  };

  [[nodiscard]] std::size_t class_of(std::int64_t size) const;
  [[nodiscard]] std::size_t at(std::size_t node, std::size_t size_class) const {
    return (node / kArity * classes_ + size_class) * kArity + node % kArity;
  }
  [[nodiscard]] unsigned candidates(const Level& level, std::size_t node,
                                    const Query& query) const;
  void grow(std::size_t level);
  bool merge(Level& level, std::size_t node, std::int32_t size,
             std::int32_t rounded) const;
  void gather_slots(std::size_t block, const SlotColumns& slots);
  void gather_nodes(std::size_t level, std::size_t node, Classes classes);

  std::size_t classes_ = 1;
  std::vector<Level> levels_ = std::vector<Level>(1);
};

}  // namespace berth
