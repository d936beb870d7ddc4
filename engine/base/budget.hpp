#pragma once
// How much work may still be done, and whether its result is still wanted.
//
// A Budget is an argument of every function below engine/ and report/ whose time grows
// with what it is given: searches, packers, solvers, embeddings, books, readers,
// generators, transforms and figures.  Each charges what it does; every kStride units
// the Meter behind the budget is told and answers.  The engine reads no clock and no
// signal: the Meter does.
//
// Unit         One item, host, node, job, row or 16 bytes that are looked at once:
//              about the time of one instruction of Lua.
// Determinism  Units depend on the input alone, and the meter is asked at the same
//              counts, so a limit of units ends the work at the same place everywhere.
// Errors       BudgetSpent, Interrupted, and what the meter throws in their stead.  An
//              object that was being changed is then in no defined state; a run ends.
// Cost         charge: a subtraction and a branch.

#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

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
  // `units` were charged since the call before, 0 or more.  It may also throw what
  // tells the user of a limit.
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
  // Charges what sorting so many elements takes: about as many units as comparisons.
  template <class Size>
  void charge_sort(Size count) {
    charge_each(count * static_cast<Size>(std::bit_width(count)));
  }
  // Asks whether to go on and charges nothing, for a wait whose length says nothing
  // of the work.  O(1).
  void poll() const;

  // Charged in all.
  [[nodiscard]] std::int64_t charged() const { return told_ + pending(); }
  // Units that may still be charged; kUnlimited without a limit.
  [[nodiscard]] std::int64_t left() const;
  // Another piece of work begins: limits of one piece hold anew.
  void begin_piece() {
    before_piece_ = charged();
    is_new_piece_ = true;
  }
  // Charged since it began.
  [[nodiscard]] std::int64_t charged_in_piece() const {
    return charged() - before_piece_;
  }
  // Whether one has begun since the last call; for the meter.
  [[nodiscard]] bool take_new_piece() { return std::exchange(is_new_piece_, false); }
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
  std::int64_t before_piece_ = 0;  // charged until it began
  bool is_new_piece_ = true;
};

// Keeps to the time and the signal of another budget and charges it nothing: for what
// watches a run, and must not change where its work ends.
class TimeOf final : public Meter {
 public:
  // REQUIRES: the budget outlives this.
  explicit TimeOf(const Budget& budget) : budget_(budget) {}
  Answer account(std::int64_t) override {
    budget_.poll();
    return Answer::kGoOn;
  }
  [[nodiscard]] std::int64_t left() const override { return Budget::kUnlimited; }

 private:
  const Budget& budget_;
};

}  // namespace berth
