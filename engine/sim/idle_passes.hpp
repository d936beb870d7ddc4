#pragma once
// Passes that do nothing: which of them may be left out, and when a run stands still
// because there is no end of them.
//
// Left out is a pass of a policy with Passes::kWhenAJobFits at which no member of the
// queue fits, and neither a wake-up nor the refresh of an order is due.  A run stands
// still when its policy wakes itself while nothing else is to come, or suspends and
// starts jobs while none of them makes progress (docs/model.md#events).
//
// Why every run ends: an instant has no more passes than events, and they are finite.
// Between two instants either an arrival is to come or some job makes progress, both of
// which are finite; or no job leaves, and the passes that the policy asked for or acted
// in are counted up to a bound; or the next event is one that no pass moves.

#include "engine/sim/orders.hpp"

namespace berth::sim {

class IdlePasses {
 public:
  // Both outlive it.
  IdlePasses(const World& world, const Orders& orders)
      : world_(world), orders_(orders) {}

  // Of the pass that is due now.
  [[nodiscard]] bool may_be_left_out() const;
  // The pass was made or left out.  Throws Error{kTime} if the run stands still.
  void count() {
    if ((world_.decision().causes & (kEnd | kSubmit)) != 0) {
      idle_passes_ = 0;
      in_system_ = world_.in_system();
    } else {
      count_between();
    }
  }

 private:
  [[nodiscard]] bool any_fits() const;
  void count_between();
  [[noreturn]] void stand_still(const char* how) const;

  const World& world_;
  const Orders& orders_;
  std::int64_t idle_passes_ = 0;
  std::int64_t in_system_ = 0;  // after the last pass that was counted
};

}  // namespace berth::sim
