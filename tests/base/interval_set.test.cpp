#include "engine/base/interval_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

using namespace berth;

namespace {

using Numbers = std::set<std::int32_t>;

IntervalSet set_of(const Numbers& numbers) {
  IntervalSet set;
  for (const auto number : numbers) set.insert(Interval{number, number});
  return set;
}

Numbers members_of(const IntervalSet& set) {
  Numbers numbers;
  for (const auto& part : set.intervals()) {
    for (auto number = part.first; number <= part.last; ++number)
      numbers.insert(number);
  }
  return numbers;
}

bool is_canonical(const IntervalSet& set) {
  const auto& parts = set.intervals();
  const bool ascending =
      std::all_of(parts.begin(), parts.end(),
                  [](const Interval& part) { return part.first <= part.last; });
  const auto touches = [](const Interval& a, const Interval& b) {
    return b.first <= a.last + 1;
  };
  return ascending &&
         std::adjacent_find(parts.begin(), parts.end(), touches) == parts.end();
}

constexpr std::int32_t kRange = 48;

// A run of numbers that are all in the set, or all missing from it.
Interval run_at(const Numbers& numbers, std::int32_t from, std::int32_t longest) {
  const bool inside = numbers.count(from) != 0;
  auto last = from;
  while (last + 1 < kRange && last - from + 1 < longest &&
         (numbers.count(last + 1) != 0) == inside) {
    ++last;
  }
  return {from, last};
}

void flip(IntervalSet& set, Numbers& numbers, Interval part) {
  const bool inside = numbers.count(part.first) != 0;
  if (inside) {
    set.erase(part);
  } else {
    set.insert(part);
  }
  for (auto number = part.first; number <= part.last; ++number) {
    if (inside) {
      numbers.erase(number);
    } else {
      numbers.insert(number);
    }
  }
}

}  // namespace

TEST_SUITE("base/interval_set") {
  TEST_CASE("a range whose last lies before its first is empty") {
    const IntervalSet set(3, 2);
    CHECK(set.empty());
    CHECK(set.count() == 0);
    CHECK(set.text().empty());
  }

  TEST_CASE("the text lists ranges and single numbers in ascending order") {
    IntervalSet set(0, 3);
    set.insert(Interval{8, 8});
    set.insert(Interval{6, 6});
    CHECK(set.text() == "0-3 6 8");
    CHECK(set.count() == 6);
  }

  TEST_CASE("adjacent numbers form one interval") {
    IntervalSet set(0, 3);
    set.insert(Interval{6, 9});
    set.insert(Interval{4, 5});
    CHECK(set.text() == "0-9");
    CHECK(set == IntervalSet(0, 9));
  }

  TEST_CASE("taking numbers out of the middle leaves two parts") {
    IntervalSet set(0, 9);
    set.erase(Interval{4, 5});
    CHECK(set.text() == "0-3 6-9");
    CHECK(set.count() == 8);
  }

  TEST_CASE("the lowest and the highest are taken across gaps") {
    IntervalSet set(0, 3);
    set.insert(Interval{10, 13});
    CHECK(set.take_lowest(5).text() == "0-3 10");
    CHECK(set.text() == "11-13");
    CHECK(set.take_highest(2).text() == "12-13");
    CHECK(set.text() == "11");
    CHECK(set.take_lowest(0).empty());
    CHECK(set.take_highest(1).text() == "11");
    CHECK(set.empty());
  }

  TEST_CASE("a set contains another only if it has every number of it") {
    const auto set = set_of({1, 2, 3, 7, 8});
    CHECK(set.contains(IntervalSet()));
    CHECK(set.contains(set_of({2, 7})));
    CHECK_FALSE(set.contains(set_of({3, 4})));
    CHECK_FALSE(set.contains(set_of({9})));
    CHECK(set.contains(8));
    CHECK_FALSE(set.contains(0));
  }

  TEST_CASE("two sets overlap only if a number is in both") {
    const auto set = set_of({1, 2, 3, 7, 8});
    CHECK(set.overlaps(set_of({0, 3})));
    CHECK(set.overlaps(set_of({8, 9})));
    CHECK_FALSE(set.overlaps(set_of({0, 4, 6, 9})));
    CHECK_FALSE(set.overlaps(IntervalSet()));
    CHECK_FALSE(IntervalSet().overlaps(set));
  }

  TEST_CASE("inserting a member or erasing a non-member is a defect") {
    IntervalSet set(0, 3);
    CHECK_THROWS_AS(set.insert(Interval{3, 4}), Error);
    CHECK_THROWS_AS(set.erase(Interval{3, 4}), Error);
    CHECK_THROWS_AS((void)set.take_lowest(5), Error);
    CHECK(set.text() == "0-3");
  }

  TEST_CASE("after any insertions and removals it equals a plain set") {
    auto engine = random_stream(1, "test.interval_set");
    IntervalSet set;
    Numbers numbers;
    for (int step = 0; step < 5000; ++step) {
      const auto from = static_cast<std::int32_t>(engine() % kRange);
      const auto longest = static_cast<std::int32_t>(1 + engine() % 8);
      flip(set, numbers, run_at(numbers, from, longest));
      REQUIRE(members_of(set) == numbers);
      REQUIRE(set.count() == static_cast<std::int64_t>(numbers.size()));
      REQUIRE(is_canonical(set));
      const auto probe = static_cast<std::int32_t>(engine() % kRange);
      REQUIRE(set.contains(probe) == (numbers.count(probe) != 0));
      const auto next = numbers.lower_bound(probe);
      const bool is_near = next != numbers.end() && *next < probe + longest;
      REQUIRE(set.overlaps(IntervalSet(probe, probe + longest - 1)) == is_near);
      REQUIRE(IntervalSet(probe, probe + longest - 1).overlaps(set) == is_near);
    }
  }

  TEST_CASE("the numbers taken and the rest form the whole set") {
    auto engine = random_stream(2, "test.interval_set");
    for (int round = 0; round < 1000; ++round) {
      Numbers numbers;
      for (std::int32_t n = 0; n < kRange; ++n) {
        if (engine() % 2 == 0) numbers.insert(n);
      }
      auto rest = set_of(numbers);
      const auto n = static_cast<std::int64_t>(engine() % (numbers.size() + 1));
      const bool lowest = engine() % 2 == 0;
      const auto taken = lowest ? rest.take_lowest(n) : rest.take_highest(n);
      const auto cut =
          lowest ? std::next(numbers.begin(), n) : std::prev(numbers.end(), n);
      const Numbers below(numbers.begin(), cut);
      const Numbers above(cut, numbers.end());
      REQUIRE(members_of(taken) == (lowest ? below : above));
      REQUIRE(members_of(rest) == (lowest ? above : below));
      REQUIRE(taken.count() == n);
      rest.insert(taken);
      REQUIRE(members_of(rest) == numbers);
      REQUIRE(is_canonical(rest));
    }
  }
}
