#include "engine/base/budget.hpp"

#include <algorithm>

#include "engine/base/interrupt.hpp"

namespace berth {

void Budget::look() {
  const auto units = take_pending();
  if (meter_ == nullptr) return throw_if_interrupted();
  act_on(meter_->account(units));
}

void Budget::poll() const {
  if (meter_ == nullptr) return throw_if_interrupted();
  act_on(meter_->account(0));
}

void Budget::act_on(Meter::Answer answer) {
  if (answer == Meter::Answer::kGoOn) return;
  if (answer == Meter::Answer::kInterrupted) throw Interrupted{};
  throw BudgetSpent{answer};
}

std::int64_t Budget::left() const {
  if (meter_ == nullptr) return kUnlimited;
  const auto left = meter_->left();
  if (left == kUnlimited) return kUnlimited;
  return std::max<std::int64_t>(0, left - pending());
}

}  // namespace berth
