#pragma once
// The time that work outside every call of a policy may take, such as reading a trace.
//
// Time is that of bindings::WorkClock: a wait for a pipe and a stop of the process
// hardly count.

#include <string_view>

#include "bindings/sandbox/work_clock.hpp"
#include "engine/base/budget.hpp"

namespace berth::study {

// Says kTime when so many seconds have passed since it was made.
class Deadline final : public Meter {
 public:
  // 0: there is none.
  explicit Deadline(double seconds);
  Answer account(std::int64_t units) override;
  [[nodiscard]] std::int64_t left() const override { return Budget::kUnlimited; }

 private:
  double seconds_;
  bindings::WorkClock clock_;
};

// Throws Error{kTime}: "`what`: time limit: this takes longer than 2 s".
[[noreturn]] void refuse_time(std::string_view what, double seconds);

// What work(budget) returns; Error{kTime} naming `what` where it takes longer than so
// many seconds.  0: it may take any time.
template <class Work>
auto within_time(double seconds, std::string_view what, const Work& work) {
  Deadline deadline(seconds);
  Budget budget(deadline);
  try {
    return work(budget);
  } catch (const BudgetSpent&) {
    refuse_time(what, seconds);
  }
}

}  // namespace berth::study
