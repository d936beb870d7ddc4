#include "engine/base/parsed_number.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

using namespace berth;

namespace {

constexpr NumberFault kFine = NumberFault::kNone;
constexpr NumberFault kWord = NumberFault::kNotANumber;
constexpr NumberFault kRange = NumberFault::kOutOfRange;
constexpr NumberFault kFraction = NumberFault::kNotWhole;

}  // namespace

TEST_SUITE("base/parsed_number") {
  TEST_CASE("whole numbers are read exactly and nothing else is taken for one") {
    struct Case {
      std::string text;
      std::int64_t value;
      NumberFault fault;
    };
    for (const Case& each : {Case{"0", 0, kFine},
                             {"-1", -1, kFine},
                             {"007", 7, kFine},
                             {"9007199254740993", 9007199254740993, kFine},
                             {"4.0", 4, kFine},
                             {"1e3", 1000, kFine},
                             {"2.5", 0, kFraction},
                             {"1e400", 0, kRange},
                             {"99999999999999999999", 0, kRange},
                             {"", 0, kWord},
                             {"-", 0, kWord},
                             {"+5", 0, kWord},
                             {"0x10", 0, kWord},
                             {"nan", 0, kWord},
                             {"inf", 0, kWord},
                             {"-infinity", 0, kWord},
                             {"5,0", 0, kWord},
                             {"5a", 0, kWord}}) {
      CAPTURE(each.text);
      const auto number = parse_whole(each.text);
      CHECK(number.fault == each.fault);
      if (each.fault == kFine) CHECK(number.value == each.value);
    }
  }

  TEST_CASE("seconds become the nearest tick, halves away from zero") {
    struct Case {
      std::string text;
      Duration ticks;
      NumberFault fault;
    };
    for (const Case& each : {Case{"12", 12'000'000, kFine},
                             {"-1", -1'000'000, kFine},
                             {"0.5", 500'000, kFine},
                             {"-0.5", -500'000, kFine},
                             {".25", 250'000, kFine},
                             {"3.", 3'000'000, kFine},
                             {"0.0000004", 0, kFine},
                             {"0.0000005", 1, kFine},
                             {"-0.0000005", -1, kFine},
                             {"1.9999999", 2'000'000, kFine},
                             {"2.5e1", 25'000'000, kFine},
                             {"99999999999.999999", 99'999'999'999'999'999, kFine},
                             {"100000000000", 100'000'000'000'000'000, kFine},
                             {"100000000000.000001", 0, kRange},
                             {"100000000001", 0, kRange},
                             {"-100000000001", 0, kRange},
                             {"1e12", 0, kRange},
                             {"1e400", 0, kRange},
                             {"99999999999999999999", 0, kRange},
                             {"1.2.3", 0, kWord},
                             {"fifty", 0, kWord},
                             {"1.x", 0, kWord},
                             {"nan", 0, kWord},
                             {"", 0, kWord}}) {
      CAPTURE(each.text);
      const auto number = parse_seconds(each.text);
      CHECK(number.fault == each.fault);
      if (each.fault == kFine) CHECK(number.value == each.ticks);
    }
  }

  TEST_CASE("every time that can be written is read back as the same tick") {
    std::mt19937_64 engine(7);
    constexpr Duration kMost = seconds(100'000'000'000);
    for (int i = 0; i < 20'000; ++i) {
      const auto ticks = static_cast<Duration>((engine() >> (i % 60)) % kMost);
      CHECK(parse_seconds(seconds_text(ticks)).value == ticks);
    }
  }

  TEST_CASE("real numbers must be finite") {
    CHECK(parse_real("1.5e3").value == 1500);
    CHECK(parse_real("1e400").fault == kRange);
    CHECK(parse_real("inf").fault == kWord);
    CHECK(parse_real("1 ").fault == kWord);
  }
}
