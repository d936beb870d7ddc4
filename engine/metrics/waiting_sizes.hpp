#pragma once
// The sizes of the jobs in a queue, and the smallest of them.
//
//   operation     cost, k = different sizes seen so far
//   add           O(log k); O(k) for a size never seen
//   remove        O(log k); O(k) if the last of the smallest goes
//   smallest      O(1)

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace berth {

class WaitingSizes {
 public:
  void add(std::int32_t size);
  // REQUIRES: one of this size has been added and not removed.
  void remove(std::int32_t size);

  // nullopt if there is no job.
  [[nodiscard]] std::optional<std::int32_t> smallest() const;

 private:
  struct Count {
    std::int32_t size;
    std::int64_t jobs;
  };
  [[nodiscard]] std::size_t place(std::int32_t size) const;

  std::vector<Count> counts_;  // by size; a size once seen stays
  std::size_t smallest_ = 0;   // first place with jobs, counts_.size() if none
};

}  // namespace berth
