#include "engine/queue/headed_row.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "engine/base/random_stream.hpp"

using namespace berth;

namespace {

// The same row without heads.
std::size_t first(const std::vector<std::int32_t>& plain, std::int32_t limit,
                  std::size_t from, std::size_t end) {
  while (from < end && plain[from] > limit) ++from;
  return from;
}

void compare(const HeadedRow& row, const std::vector<std::int32_t>& plain,
             RandomEngine& engine) {
  REQUIRE(row.length() == plain.size());
  REQUIRE(row.least() == *std::min_element(plain.begin(), plain.end()));
  const auto from = engine() % plain.size();
  const auto end = from + engine() % (plain.size() - from + 1);
  const auto limit = static_cast<std::int32_t>(engine() % 2000);
  REQUIRE(row.first(limit, from, end) == first(plain, limit, from, end));
  REQUIRE(row.first(limit, 0, plain.size()) == first(plain, limit, 0, plain.size()));
}

}  // namespace

TEST_SUITE("queue/headed_row") {
  TEST_CASE("a number is found from the limit on, and not outside of the bounds") {
    HeadedRow row;
    CHECK(row.length() == 0);
    CHECK(row.first(5, 0, 0) == 0);
    for (std::size_t i = 0; i < 3; ++i) row.insert(i);
    CHECK(row.least() == HeadedRow::kNone);
    CHECK(row.first(HeadedRow::kNone - 1, 0, 3) == 3);
    row.set(1, 7);
    CHECK(row[1] == 7);
    CHECK(row.first(6, 0, 3) == 3);
    CHECK(row.first(7, 0, 3) == 1);
    CHECK(row.first(7, 0, 1) == 1);
    CHECK(row.first(7, 2, 3) == 3);
    row.reset(2);
    CHECK(row.length() == 2);
    CHECK(row.least() == HeadedRow::kNone);
  }

  TEST_CASE("a row grows and changes like one without heads") {
    auto engine = random_stream(1, "test.headed_row");
    HeadedRow row;
    std::vector<std::int32_t> plain;
    for (int step = 0; step < 20'000; ++step) {
      if (step == 10'000) {
        row.reset(100);
        plain.assign(100, HeadedRow::kNone);
      }
      if (plain.empty() || engine() % 40 == 0) {
        const auto at = engine() % (plain.size() + 1);
        row.insert(at);
        plain.insert(plain.begin() + static_cast<std::ptrdiff_t>(at), HeadedRow::kNone);
      }
      const auto at = engine() % plain.size();
      const auto value = engine() % 3 == 0
                             ? HeadedRow::kNone
                             : static_cast<std::int32_t>(engine() % 100'000);
      row.set(at, value);
      plain[at] = value;
      compare(row, plain, engine);
    }
    CHECK(plain.size() > 256);  // heads of several groups
  }
}
