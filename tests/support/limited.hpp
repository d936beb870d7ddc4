#pragma once
// A meter for tests, and where a limit ends some work.

#include <limits>
#include <optional>
#include <vector>

#include "engine/base/budget.hpp"

namespace berth::test {

class Limited final : public Meter {
 public:
  Limited() = default;
  explicit Limited(std::int64_t units) : left_(units) {}

  Answer account(std::int64_t units) override {
    if (units > 0) told.push_back(units);
    if (units == 0 && --polls <= 0) return Answer::kTime;
    left_ -= units;
    return left_ < 0 ? Answer::kWork : Answer::kGoOn;
  }
  [[nodiscard]] std::int64_t left() const override { return left_; }

  std::vector<std::int64_t> told;
  int polls = std::numeric_limits<int>::max();  // the last of them says kTime

 private:
  std::int64_t left_ = Budget::kUnlimited;
};

// Units charged by work(budget) when the limit of so many ended it; nullopt: it did
// not.
template <class Work>
[[nodiscard]] std::optional<std::int64_t> ended_at(std::int64_t units,
                                                   const Work& work) {
  Limited meter(units);
  Budget limited(meter);
  try {
    work(limited);
  } catch (const BudgetSpent& spent) {
    if (spent.why == Meter::Answer::kWork) return limited.charged();
  }
  return std::nullopt;
}

}  // namespace berth::test
