#pragma once
// What the running jobs hold, by the end of their planned time.
//
// Structure    every job has a slot and keeps it; the slots are put in order when
//              somebody asks what only the order tells.  Most jobs come and go without
//              anybody asking.
//
//   operation      time, n = running jobs, k = those that came since the last ordering
//   hold, let_go   O(1); now and then an ordering
//   any_by         O(1), save where the first planned end has come: O(k) for few, else
//                  an ordering
//   in_order       an ordering: O(n + k n) for few, else O(n log n)
//   Memory         O(most jobs at a time); no allocation once there are slots enough

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/time.hpp"

namespace berth::audit {

class Releases {
 public:
  struct Holder {
    Time planned_end;
    std::int32_t size;  // >= 1
  };

  // Its slot, until it lets go.
  std::uint32_t hold(const Holder& holder) {
    if (used_ == order_.size()) add_slot();
    const auto slot = order_[used_++];
    slots_[slot] = holder;
    first_end_ = std::min(first_end_, holder.planned_end);
    return slot;
  }
  // REQUIRES: it holds.
  void let_go(std::uint32_t slot) {
    slots_[slot] = kNobody;
    ++gone_;
    if (gone_ > kFew && 2 * gone_ > used_) put_in_order();
  }
  [[nodiscard]] const Holder& operator[](std::uint32_t slot) const {
    return slots_[slot];
  }
  // Whether anybody's planned end is `by` or earlier.
  [[nodiscard]] bool any_by(Time by) { return first_end_ <= by && find_any_by(by); }
  // The slots in use by planned end, good until the next change.
  [[nodiscard]] std::span<const std::uint32_t> in_order() {
    if (gone_ > 0 || sorted_ < used_) put_in_order();
    return {order_.data(), used_};
  }

 private:
  static constexpr std::size_t kFew = 32;
  static constexpr Holder kNobody{kNever, 0};

  // Kept apart so that what is usual stays short.
  [[gnu::noinline]] void add_slot();
  [[nodiscard, gnu::noinline]] bool find_any_by(Time by);
  [[gnu::noinline]] void put_in_order();
  [[nodiscard]] std::size_t sift(std::size_t kept, std::size_t from, std::size_t to);
  void place_newcomer(std::size_t at);

  std::vector<Holder> slots_;
  // Every slot once: those in order, of newcomers, and from `used_` on of nobody.
  std::vector<std::uint32_t> order_;
  std::size_t sorted_ = 0;
  std::size_t first_ = 0;  // of those in order nobody before it holds
  std::size_t used_ = 0;
  std::size_t gone_ = 0;     // of those in use let go
  Time first_end_ = kNever;  // nobody's planned end is earlier
};

}  // namespace berth::audit
