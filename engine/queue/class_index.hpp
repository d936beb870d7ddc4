#pragma once
// Finds the blocks of a row of slots that may hold a job which is small and short
// enough.
//
// Structure    Blocks of 16 slots are the leaves of a tree of arity 8.  A node holds
//              the smallest size below it and, for each class of sizes, the shortest
//              planned time of the jobs in this class or a smaller one.  Classes end
//              just below powers of two, the sizes most often asked for; the last
//              class holds all larger sizes.  A flat index has one class and no inner
//              nodes, which is cheaper while the row is short.
// Exactness    May report false positives (smallest size and shortest time may come
//              from different jobs; times are rounded).  Never false negatives.
//
//   operation        time, b = blocks, c = classes
//   add, remove      O(16 + c log b); stops at the first node that does not change
//   update_block     O(16 + c log b)
//   next             O(b) if flat; else about O(log b) for each block reported
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

// The two columns of the row that are indexed.
struct SlotColumns {
  std::span<const std::int32_t> sizes;  // ClassIndex::kHole: no job in this slot
  std::span<const Duration> planned;
};

class ClassIndex {
 public:
  static constexpr std::size_t kBlock = 16;
  // The size of a hole: larger than that of any job.
  static constexpr std::int32_t kHole = std::numeric_limits<std::int32_t>::max();

  // A search, prepared for the index as it is; invalid after rebuild.
  class Query {
   public:
    Query(const ClassIndex& index, const Staircase& under);

   private:
    friend class ClassIndex;
    struct Step {
      std::int32_t free;
      std::int32_t reach;  // rounded
      std::size_t size_class;
    };
    boost::container::small_vector<Step, 4> steps_;
  };

  // Builds the index from the columns: flat if `largest` is 0, else with the classes of
  // sizes up to `largest`.
  void rebuild(const SlotColumns& slots, std::int32_t largest);
  [[nodiscard]] bool is_flat() const { return classes_ == 1; }

  // A job was put into this slot, which was a hole or is one behind the last.
  void add(std::size_t slot, std::int32_t size, Duration planned);
  // The slot became a hole; size and planned time are those of the job that left it.
  [[gnu::noinline]] void remove(std::size_t slot, const SlotColumns& slots,
                                std::int32_t size, Duration planned);
  // Reads the slots of this block again.
  void update_block(std::size_t block, const SlotColumns& slots);

  [[nodiscard]] std::size_t blocks() const { return levels_.front().nodes; }
  // The first block from `block` on that may hold a job under the query's staircase;
  // blocks() if there is none.
  [[nodiscard]] std::size_t next(std::size_t block, const Query& query) const;
  // Smallest size in the row; kHole if it holds no job.  O(blocks) if flat, else O(1).
  [[nodiscard]] std::int32_t smallest() const;

 private:
  static constexpr std::size_t kArity = 8;
  // The values of the children of one node lie together, since a search reads them
  // together.  Planned times are rounded down to 32 bits.
  struct Level {
    std::size_t nodes = 0;
    // Whole groups of kArity; beyond `nodes` as if there were no jobs.
    std::vector<std::int32_t> smallest;
    std::vector<std::int32_t> shortest;  // by group, class, node of the group
  };
  struct ClassRange {
    std::size_t first;
    std::size_t end;
  };

  [[nodiscard]] std::size_t class_of(std::int64_t size) const;
  [[nodiscard]] std::size_t at(std::size_t node, std::size_t size_class) const {
    return (node / kArity * classes_ + size_class) * kArity + node % kArity;
  }
  [[nodiscard]] unsigned candidates(const Level& level, std::size_t node,
                                    const Query& query) const;
  void append_node(std::size_t level);
  bool merge(Level& level, std::size_t node, std::int32_t size,
             std::int32_t rounded) const;
  void compute_leaf(std::size_t block, const SlotColumns& slots);
  void compute_node(std::size_t level, std::size_t node, ClassRange classes);

  std::size_t classes_ = 1;
  std::vector<Level> levels_ = std::vector<Level>(1);
};

}  // namespace berth
