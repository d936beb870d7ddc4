#pragma once
// How much work may still be done, and whether its result is still wanted.
//
// A Budget is an argument of every function below engine/ and report/ whose time grows
// with what it is given: searches, packers, solvers, embeddings, books, readers and
// generators.  Each charges what it does; every kStride units the Meter behind the
// budget is told and answers.  The engine reads no clock and no signal: the Meter does.
//
// Unit         One item, host, node, row or byte of 16 that is looked at once: about
// the
//              time of one instruction of Lua.
// Determinism  Units depend on the input alone, and the meter is asked at the same
//              counts, so a limit of units ends the work at the same place everywhere.
// Errors       BudgetSpent, Interrupted.  An object that was being changed is then in
// no
//              defined state; a run ends.
// Cost         charge: a subtraction and a branch.

#include <cstdint>
#include <limits>

namespace berth {

// What a budget asks: the limits of the work at hand.
class Meter {
 public:
  enum class Answer : std::uint8_t {
    kGoOn,
    kWork,         // more units than the limit allows
    kTime,         // the deadline has passed
    kInterrupted,  // the process was asked to stop
  };

  virtual ~Meter() = default;
  // `units` were charged since the call before, 0 or more.
  virtual Answer account(std::int64_t units) = 0;
  // Units until kWork; kUnlimited: there is no limit of units.
  [[nodiscard]] virtual std::int64_t left() const = 0;
};

// Thrown where work ends for kWork or kTime.
struct BudgetSpent {
  Meter::Answer why;
};

class Budget {
 public:
  static constexpr std::int64_t kStride = std::int64_t{1} << 12U;
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

  // Without a limit of work or time; Interrupted where throw_if_interrupted() says so.
  Budget() = default;
  // REQUIRES: the meter outlives the budget.
  explicit Budget(Meter& meter) : meter_(&meter) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // REQUIRES: units >= 0.
  void charge(std::int64_t units = 1) {
    left_ -= units;
    if (left_ < 0) look();
  }
  // Charges one unit for each of so many elements.
  template <class Size>
  void charge_each(Size count) {
    charge(static_cast<std::int64_t>(count));
  }
  // Asks whether to go on and charges nothing, for a wait whose length says nothing
  // of the work.  O(1).
  void poll() const;

  // Charged in all.
  [[nodiscard]] std::int64_t charged() const { return told_ + pending(); }
  // Units that may still be charged; kUnlimited without a limit.
  [[nodiscard]] std::int64_t left() const;
  // Units charged since the meter was told last, which it is never told of.
  std::int64_t take_pending() {
    const auto units = pending();
    told_ += units;
    left_ = kStride;
    return units;
  }

 private:
  [[nodiscard]] std::int64_t pending() const { return kStride - left_; }
  void look();
  static void act_on(Meter::Answer answer);

  Meter* meter_ = nullptr;
  std::int64_t left_ = kStride;
  std::int64_t told_ = 0;
};

}  // namespace berth
