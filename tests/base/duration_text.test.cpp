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

  TEST_CASE("dates are read as Unix time, and written again") {
    CHECK(unix_time_from_date("1970-01-01") == 0);
    CHECK(unix_time_from_date("1996-10-01") == 844'128'000);
    CHECK(unix_time_from_date("1996-10-01 12:30") == 844'173'000);
    CHECK(unix_time_from_date("1996-10-01T12:30:05") == 844'173'005);
    CHECK(unix_time_from_date("2000-02-29") == 951'782'400);
    CHECK(date_text(844'128'000) == "1996-10-01");
    CHECK(date_text(844'173'005) == "1996-10-01T12:30:05");
  }

  TEST_CASE("what is no date is not one") {
    for (const auto* text :
         {"", "1996", "1996-10", "1996-10-", "1996-13-01", "1999-02-29", "1969-12-31",
          "1996-10-1", "1996-10-01T", "1996-10-01 12", "1996-10-01 24:00",
          "1996-10-01 12:60", "1996-10-01 12:30:", "1996-10-01 12:30:05Z", "+996-10-01",
          "96-10-01", "1996/10/01"}) {
      CAPTURE(text);
      CHECK_FALSE(unix_time_from_date(text));
    }
  }
}
