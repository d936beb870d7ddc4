#pragma once
// The running jobs by expected end: the end of their planned duration, and once that has
// passed the next instant of the overrun rule (docs/model.md#overruns).
//
// Structure    Each job has a slot and keeps it.  The slots are sorted by expected end
//              only when a caller needs the order; most jobs start and end between two
//              such calls.
//
//   operation      time, n = running jobs, k = those that started since the last sort
//   hold, let_go   O(1); a sort now and then
//   pass_over      O(1) as long as no expected end has come, else that of in_order
//   in_order       O(n + k n) for few new jobs, else O(n log n)
//   Memory         O(most jobs at a time); no allocation once there are enough slots

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/time.hpp"

namespace berth::audit {

// A late job is expected to end at planned end + grace * growth^k.  grace >= 1 tick,
// growth >= 1; growth 1: at each multiple of the grace.
struct Overruns {
  Duration grace = seconds(60);
  std::int64_t growth = 2;

  // The first of these instants behind `now`; kNever beyond what a Time can hold.
  [[nodiscard]] Time expected_end(Time planned_end, Time now) const;
};

class ExpectedEnds {
 public:
  struct Holder {
    Time end;  // expected
    std::int32_t size;  // processors, >= 1; 0: the slot is empty
    Time planned_end;
  };

  explicit ExpectedEnds(Overruns rule) : rule_(rule) {}

  // The slot of the job, until it lets go.
  std::uint32_t hold(std::int32_t size, Time planned_end) {
    if (used_ == order_.size()) add_slot();
    const auto slot = order_[used_++];
    slots_[slot] = {planned_end, size, planned_end};
    earliest_ = std::min(earliest_, planned_end);
    return slot;
  }
  // REQUIRES: the slot is held.
  void let_go(std::uint32_t slot) {
    slots_[slot] = kEmpty;
    ++empty_;
    if (empty_ > kFew && 2 * empty_ > used_) sort();
  }
  [[nodiscard]] const Holder& operator[](std::uint32_t slot) const {
    return slots_[slot];
  }
  // Whether a job is expected to end at `by` or earlier.
  [[nodiscard]] bool any_by(Time by) { return earliest_ <= by && find_any_by(by); }
  // Expects each job that should have ended by `by` at the next instant behind `by`;
  // how many there were.
  std::int64_t pass_over(Time by) { return any_by(by) ? expect_anew(by) : 0; }
  // Whether a job runs whose planned end has been passed over.
  [[nodiscard]] bool any_late() const;
  // The held slots by expected end; good until the next change.
  [[nodiscard]] std::span<const std::uint32_t> in_order() {
    if (empty_ > 0 || sorted_ < used_) sort();
    return {order_.data(), used_};
  }

 private:
  static constexpr std::size_t kFew = 32;
  static constexpr Holder kEmpty{kNever, 0, kNever};

  [[gnu::noinline]] void add_slot();
  [[nodiscard, gnu::noinline]] bool find_any_by(Time by);
  [[nodiscard, gnu::noinline]] std::int64_t expect_anew(Time by);
  [[gnu::noinline]] void sort();
  [[nodiscard]] std::size_t compact(std::size_t kept, std::size_t from, std::size_t to);
  void insert_sorted(std::size_t at);

  Overruns rule_;
  std::vector<Holder> slots_;
  // Every slot once: up to sorted_ in order, up to used_ as they came, then empty ones.
  std::vector<std::uint32_t> order_;
  std::size_t sorted_ = 0;
  std::size_t first_ = 0;  // all sorted slots before it are empty
  std::size_t used_ = 0;
  std::size_t empty_ = 0;    // of the used slots
  Time earliest_ = kNever;  // no expected end is earlier
};

}  // namespace berth::audit
