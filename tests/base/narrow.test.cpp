#include "engine/base/narrow.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using namespace berth;

TEST_SUITE("base/narrow") {
  TEST_CASE("an integer is kept if its type holds it and the range allows it") {
    CHECK(narrowed<std::int32_t>(std::int64_t{2147483647}) == 2147483647);
    CHECK_FALSE(narrowed<std::int32_t>(std::int64_t{2147483648}));
    CHECK_FALSE(narrowed<std::int32_t>(std::int64_t{4294967295}));
    CHECK_FALSE(narrowed<std::uint32_t>(std::int64_t{-1}));
    CHECK_FALSE(narrowed<std::int64_t>(std::uint64_t{1} << 63U));
    CHECK(narrowed<std::int32_t>(8, 1, 8) == 8);
    CHECK_FALSE(narrowed<std::int32_t>(9, 1, 8));
    CHECK_FALSE(narrowed<std::int32_t>(0, 1, 8));
  }

  TEST_CASE("a floating number is kept only if it is whole") {
    CHECK(narrowed<std::int32_t>(-2147483648.0) == -2147483648LL);
    CHECK_FALSE(narrowed<std::int32_t>(2147483648.0));
    CHECK_FALSE(narrowed<std::int32_t>(1.5));
    CHECK_FALSE(narrowed<std::int32_t>(std::numeric_limits<double>::quiet_NaN()));
    CHECK_FALSE(narrowed<std::int32_t>(std::numeric_limits<double>::infinity()));
    CHECK(narrowed<std::uint8_t>(255.0) == 255);
    CHECK_FALSE(narrowed<std::uint8_t>(-1.0));
  }

  TEST_CASE("the largest integers of 64 bits have no neighbour among doubles") {
    CHECK_FALSE(narrowed<std::int64_t>(0x1p63));
    CHECK(narrowed<std::int64_t>(-0x1p63) == std::numeric_limits<std::int64_t>::min());
    CHECK(narrowed<std::int64_t>(0x1p62) == std::int64_t{1} << 62U);
    CHECK_FALSE(narrowed<std::uint64_t>(0x1p64));
    CHECK(narrowed<std::uint64_t>(0x1p63) == std::uint64_t{1} << 63U);
  }

  TEST_CASE("a message names the range") {
    CHECK(narrowed_range<std::int32_t>(1) == "a whole number from 1 to 2147483647");
  }
}
