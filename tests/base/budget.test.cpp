#include "engine/base/budget.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "engine/base/interrupt.hpp"
#include "tests/support/limited.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

TEST_SUITE("base/budget") {
  TEST_CASE("the meter is told of every unit, each stride of them") {
    test::Limited meter;
    Budget budget(meter);
    for (int i = 0; i < 10'000; ++i) budget.charge();
    // 4097 units are the first that are more than a stride.
    CHECK(meter.told == std::vector<std::int64_t>{4'097, 4'097});
    CHECK(budget.charged() == 10'000);
    CHECK(budget.take_pending() == 10'000 - 2 * 4'097);
    CHECK(budget.charged() == 10'000);
  }

  TEST_CASE("one large charge is told at once") {
    test::Limited meter;
    Budget budget(meter);
    budget.charge_each(std::vector<int>(5'000).size());
    CHECK(meter.told == std::vector<std::int64_t>{5'000});
  }

  TEST_CASE("a limit of units ends the work at the same unit every time") {
    for (int repeat = 0; repeat < 2; ++repeat) {
      test::Limited meter(10'000);
      Budget budget(meter);
      std::int64_t done = 0;
      bool is_spent = false;
      try {
        for (;; ++done) budget.charge();
      } catch (const BudgetSpent& spent) {
        is_spent = spent.why == Meter::Answer::kWork;
      }
      CHECK(is_spent);
      CHECK(done == 3 * 4'097 - 1);  // the first stride that ends beyond 10,000
    }
  }

  TEST_CASE("a poll charges nothing, and does not move the place of a limit") {
    test::Limited meter;
    Budget budget(meter);
    budget.charge(7);
    for (int i = 0; i < 100; ++i) budget.poll();
    CHECK(budget.charged() == 7);
    CHECK(budget.take_pending() == 7);
  }

  TEST_CASE("a sort is charged for its comparisons") {
    Budget budget;
    budget.charge_sort(std::size_t{1'000});
    CHECK(budget.charged() == 10'000);
    budget.charge_sort(std::size_t{0});
    CHECK(budget.charged() == 10'000);
  }

  TEST_CASE("each piece is new to the meter once") {
    Budget budget;
    CHECK(budget.take_new_piece());
    CHECK_FALSE(budget.take_new_piece());
    budget.charge(10'000);
    budget.charge(7);
    CHECK(budget.charged_in_piece() == 10'007);
    budget.begin_piece();
    budget.begin_piece();
    CHECK(budget.charged_in_piece() == 0);
    budget.charge(5);
    CHECK(budget.charged_in_piece() == 5);
    CHECK(budget.take_new_piece());
    CHECK_FALSE(budget.take_new_piece());
  }

  TEST_CASE("what watches keeps to the time of a budget and charges it nothing") {
    test::Limited meter(5'000);
    meter.polls = 3;
    Budget budget(meter);
    TimeOf time(budget);
    Budget watching(time);
    CHECK(watching.left() == Budget::kUnlimited);
    watching.charge(10'000);
    watching.charge(10'000);
    CHECK(budget.charged() == 0);
    CHECK(budget.left() == 5'000);
    CHECK_THROWS_AS(watching.charge(10'000), BudgetSpent);
  }

  TEST_CASE("a poll ends work whose time is over") {
    test::Limited meter;
    meter.polls = 3;
    Budget budget(meter);
    budget.poll();
    budget.poll();
    CHECK_THROWS_AS(budget.poll(), BudgetSpent);
  }

  TEST_CASE("what is left counts what was not yet told") {
    test::Limited meter(10'000);
    Budget budget(meter);
    CHECK(budget.left() == 10'000);
    budget.charge(100);
    CHECK(budget.left() == 9'900);
    CHECK(Budget().left() == Budget::kUnlimited);
  }

  TEST_CASE("without a meter only the wish to stop ends the work") {
    Budget budget;
    budget.charge(std::int64_t{1} << 40U);
    request_interrupt();
    CHECK_THROWS_AS(budget.poll(), Interrupted);
    CHECK_THROWS_AS(budget.charge(5'000), Interrupted);
    clear_interrupt();
    budget.charge(5'000);
  }
}
