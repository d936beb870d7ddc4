#pragma once
// A hash table from jobs to values, for few jobs at a time.
//
// Structure    open addressing with linear probing, at most half full; erasing shifts
//              later entries back, so there are no tombstones
//
//   operation            time
//   find, insert, take   O(1) on average; allocates only when it grows

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/ids.hpp"

namespace berth {

template <class Value>
class JobMap {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }

  // Null if the job has no value.  The pointer is valid until the next change.
  [[nodiscard]] const Value* find(JobId job) const {
    if (cells_.empty()) return nullptr;
    const auto& cell = cells_[cell_of(job)];
    return cell.is_used ? &cell.value : nullptr;
  }
  [[nodiscard]] Value* find(JobId job) {
    return const_cast<Value*>(std::as_const(*this).find(job));  // NOLINT: same object
  }
  // REQUIRES: the job has a value.
  [[nodiscard]] const Value& at(JobId job) const {
    const Value* value = find(job);
    BERTH_ASSERT(value != nullptr);
    return *value;
  }
  [[nodiscard]] bool contains(JobId job) const { return find(job) != nullptr; }
  // REQUIRES: the job has a value.
  [[nodiscard]] Value& at(JobId job) {
    return const_cast<Value&>(std::as_const(*this).at(job));  // NOLINT: same object
  }
  // Calls back with (job, value), in no order.
  template <class Call>
  void for_each(const Call& call) const {
    for (const auto& cell : cells_) {
      if (cell.is_used) call(cell.job, cell.value);
    }
  }
  // REQUIRES: the job has no value.
  void insert(JobId job, Value value) {
    if (2 * (size_ + 1) > cells_.size()) grow();
    auto& cell = cells_[cell_of(job)];
    BERTH_ASSERT(!cell.is_used);
    cell = {job, true, std::move(value)};
    ++size_;
  }
  // Removes and returns the value.  REQUIRES: the job has one.
  Value take(JobId job) {
    BERTH_ASSERT(find(job) != nullptr);
    auto hole = cell_of(job);
    Value value = std::move(cells_[hole].value);
    for (auto at = next(hole); cells_[at].is_used; at = next(at)) {
      const auto home = home_of(cells_[at].job);
      const bool may_move = ((at - home) & mask()) >= ((at - hole) & mask());
      if (!may_move) continue;
      cells_[hole] = std::move(cells_[at]);
      hole = at;
    }
    cells_[hole].is_used = false;
    --size_;
    return value;
  }

 private:
  struct Cell {
    JobId job{};
    bool is_used = false;
    Value value{};
  };

  [[nodiscard]] std::size_t mask() const { return cells_.size() - 1; }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  [[nodiscard]] std::size_t home_of(JobId job) const {
    constexpr std::uint32_t kGolden = 2654435769U;  // multiplicative hashing (Knuth)
    return ((index(job) * kGolden) >> 7U) & mask();
  }
  [[nodiscard]] std::size_t cell_of(JobId job) const {
    auto at = home_of(job);
    while (cells_[at].is_used && cells_[at].job != job) at = next(at);
    return at;
  }
  void grow() {
    auto before = std::exchange(cells_, {});
    cells_.resize(before.empty() ? 16 : 2 * before.size());
    for (auto& cell : before) {
      if (cell.is_used) cells_[cell_of(cell.job)] = std::move(cell);
    }
  }

  std::vector<Cell> cells_;  // size is 0 or a power of two
  std::size_t size_ = 0;
};

}  // namespace berth
