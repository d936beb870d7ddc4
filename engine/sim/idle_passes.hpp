#pragma once
// Passes that do nothing: which of them may be left out, and when a run stands still
// because there is no end of them.
//
// Left out is a pass of a policy with Passes::kWhenAJobFits at which no member of the
// queue fits, and neither a wake-up nor the refresh of an order is due.  A run stands
// still when its policy wakes itself without end, or suspends and starts jobs while
// none of them makes progress (docs/model.md#events).

#include "engine/sim/orders.hpp"

namespace berth::sim {

class IdlePasses {
 public:
  // Both outlive it.
  IdlePasses(const World& world, const Orders& orders)
      : world_(world), orders_(orders) {}

  // Of the pass that is due now.
  [[nodiscard]] bool may_be_left_out() const;
  // The pass was left out.
  void left_out() { idle_passes_ = 0; }
  // The pass is over.  Throws Error{kTime} if the run stands still.
  void count();

 private:
  [[nodiscard]] bool any_fits() const;
  [[nodiscard]] bool is_stuck() const;
  [[noreturn]] void stand_still(std::int64_t passes, const char* how) const;

  const World& world_;
  const Orders& orders_;
  Time instant_ = kNever;
  std::int64_t passes_at_instant_ = 0;
  std::int64_t idle_passes_ = 0;
};

}  // namespace berth::sim
