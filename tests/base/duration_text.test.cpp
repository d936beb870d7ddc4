#include "engine/base/duration_text.hpp"

#include <doctest/doctest.h>

using namespace berth;

TEST_SUITE("base/duration_text") {
  TEST_CASE("spans are read with their units") {
    CHECK(seconds_from_text("90s") == 90);
    CHECK(seconds_from_text("10m") == 600);
    CHECK(seconds_from_text("2h30m") == 9000);
    CHECK(seconds_from_text("2 d 13 h") == 219'600);
    CHECK(seconds_from_text("1.5h") == 5400);
    CHECK(seconds_from_text("1w") == 604'800);
  }

  TEST_CASE("what is no span is not one") {
    for (const auto* text : {"", " ", "5", "m", "5x", "5m2h", "5m5m", "-5m", "1e3s",
                             "nan s", "5 m 3", "inf d"}) {
      CAPTURE(text);
      CHECK_FALSE(seconds_from_text(text));
    }
  }

  TEST_CASE("times are shown with their two largest units") {
    CHECK(human_time(0.5) == "0.5 s");
    CHECK(human_time(12) == "12 s");
    CHECK(human_time(200) == "3 m 20 s");
    CHECK(human_time(7200) == "2 h");
    CHECK(human_time(219'844) == "2 d 13 h");
    CHECK(human_time(40.0 * 86'400) == "40 d");
    CHECK(human_time(-7200) == "-2 h");
  }
}
