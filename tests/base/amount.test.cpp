// The one rule for amounts: decimals, rounded down to whole units.

#include "engine/base/amount.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include "engine/base/memory.hpp"
#include "engine/base/time.hpp"
#include "engine/machines/network/slots_settings.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::int64_t kGib = 1'048'576;

// `digits` / 10^`places` as a reader gets it.
double decimal(std::int64_t digits, int places) {
  return std::stod(fmt::format("{}e-{}", digits, places));
}

Int128 power_of_ten(int exponent) {
  Int128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

}  // namespace

TEST_SUITE("base/amount") {
  TEST_CASE("a decimal is rounded down to the unit") {
    CHECK(kib_of(0.1) == 104'857);  // 104857.6
    CHECK(kib_of(0.5) == 524'288);
    CHECK(kib_of(504.9) == 529'426'022);  // 529426022.4
    CHECK(kib_of(0) == 0);
    CHECK(kib_of(4'294'967'296.0) == kMostAmount);
    CHECK(kbits(0.0019) == 1);
    CHECK(kbits(33.3333) == 33'333);
    CHECK(kbits(1e9) == 1'000'000'000'000);
  }

  TEST_CASE(
      "a double that falls below its decimal, or whose product does, is no less") {
    CHECK(0.29 * 100 < 29);
    CHECK(whole_units(0.29, 100) == 29);
    CHECK(0.57 * 100 < 57);
    CHECK(whole_units(0.57, 100) == 57);
    CHECK(kbits(1.001) == 1'001);
    CHECK(kbits(0.003) == 3);
    CHECK(kbits(4.35) == 4'350);
  }

  TEST_CASE("and never more, though the product is rounded up to the next unit") {
    const double below = std::nextafter(1.0 / 3, 0.0);
    CHECK(whole_units(below, 3) == 0);
    CHECK(whole_units(1.0 / 3, 3) == 1);
  }

  TEST_CASE("decimals of nine digits are the exact product, rounded down") {
    std::mt19937_64 random(41);
    const std::array kUnits{std::int64_t{1},        std::int64_t{100},
                            std::int64_t{1'000},    kGib,
                            std::int64_t{8} * kGib, std::int64_t{999'983}};
    for (int i = 0; i < 300'000; ++i) {
      const auto digits = static_cast<std::int64_t>(random() % 1'000'000'000);
      const int places = static_cast<int>(random() % 10);
      const auto units = kUnits[random() % kUnits.size()];
      const auto wanted = Int128{digits} * units / power_of_ten(places);
      REQUIRE(whole_units(decimal(digits, places), units) ==
              static_cast<std::int64_t>(wanted));
    }
  }

  TEST_CASE("longer ones are, but for what a double cannot tell from the next unit") {
    std::mt19937_64 random(42);
    for (int i = 0; i < 300'000; ++i) {
      const auto digits = static_cast<std::int64_t>(random() % 1'000'000'000'000'000);
      const int places = 15 - static_cast<int>(random() % 3);
      const auto units = static_cast<std::int64_t>(1 + random() % (1ULL << 40U));
      const auto exact = Int128{digits} * units;
      const auto wanted = exact / power_of_ten(places);
      const auto got = Int128{whole_units(decimal(digits, places), units)};
      if (got == wanted) continue;
      REQUIRE(got == wanted + 1);
      const auto missing = got * power_of_ten(places) - exact;
      REQUIRE(missing < (exact >> 52U) + 1);
    }
  }

  TEST_CASE("n equal parts of a whole are never more than the whole") {
    const std::array kWholes{1.0,  2.0,   3.7,   8.0,   10.0,    62.5,
                             64.0, 100.0, 504.9, 1.0e3, 16384.0, 999'999.9};
    for (const double whole : kWholes) {
      CAPTURE(whole);
      for (std::int64_t n = 1; n <= 1'000; ++n) {
        const double part = whole / static_cast<double>(n);
        REQUIRE(n * kib_of(part) <= kib_of(whole));
        REQUIRE(n * kbits(part) <= kbits(whole));
        // As text of few digits, which is cut off.
        for (const double scale : {1e2, 1e4, 1e7, 1e10}) {
          const double cut = std::floor(part * scale) / scale;
          if (cut > part) continue;
          REQUIRE(n * kib_of(cut) <= kib_of(whole));
          REQUIRE(n * kbits(cut) <= kbits(whole));
        }
        // As parts of a host.
        const auto host = kib_of(whole);
        REQUIRE(n * whole_units(1.0 / static_cast<double>(n), host) <= host);
      }
    }
  }

  TEST_CASE("an amount that is printed is read as it was") {
    std::mt19937_64 random(43);
    for (int i = 0; i < 300'000; ++i) {
      const auto kib = static_cast<std::int64_t>(random() >> (12 + random() % 52));
      if (kib > kMostAmount) continue;
      REQUIRE(kib_of(gib_of(kib)) == kib);
      REQUIRE(kib_of(std::stod(fmt::format("{}", gib_of(kib)))) == kib);
      REQUIRE(kib_of(std::stod(fmt::format("{:.17g}", gib_of(kib)))) == kib);
    }
  }
}
