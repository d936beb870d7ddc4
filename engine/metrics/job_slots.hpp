#pragma once
// A value for every job that is in the system, found by its JobId.
//
// Slots are used again, so memory for values grows with the jobs in the system; the
// index costs 4 bytes for every job seen.  All operations are O(1), without an
// allocation once the system has been as full before.

#include <cstdint>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/ids.hpp"

namespace berth {

template <class Value>
class JobSlots {
 public:
  // A fresh value.  The reference is good until the next `open`.
  // REQUIRES: the job has none.
  Value& open(JobId job) {
    if (index(job) >= slots_.size()) slots_.resize(index(job) + 1, kNone);
    BERTH_ASSERT(slots_[index(job)] == kNone);
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(values_.size()));
      values_.emplace_back();
    }
    slots_[index(job)] = free_.back();
    free_.pop_back();
    return values_[slots_[index(job)]] = Value{};
  }

  // REQUIRES: opened and not closed since.
  [[nodiscard]] Value& operator[](JobId job) {
    BERTH_ASSERT(has(job));
    return values_[slots_[index(job)]];
  }
  void close(JobId job) {
    BERTH_ASSERT(has(job));
    free_.push_back(slots_[index(job)]);
    slots_[index(job)] = kNone;
  }

  [[nodiscard]] bool has(JobId job) const {
    return index(job) < slots_.size() && slots_[index(job)] != kNone;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> slots_;  // by JobId
  std::vector<Value> values_;
  std::vector<std::uint32_t> free_;
};

}  // namespace berth
