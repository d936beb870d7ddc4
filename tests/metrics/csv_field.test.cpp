#include "engine/metrics/csv_field.hpp"

#include <doctest/doctest.h>

namespace berth {

TEST_SUITE("metrics/csv_field") {
  TEST_CASE("plain text stays as it is") {
    CHECK(csv_field("easy") == "easy");
    CHECK(csv_field("0-3 8") == "0-3 8");
    CHECK(csv_field("").empty());
  }

  TEST_CASE("commas, quotes and line ends put a field in quotes") {
    CHECK(csv_field("sjf(a=1,b=2)") == "\"sjf(a=1,b=2)\"");
    CHECK(csv_field("say \"when\"") == "\"say \"\"when\"\"\"");
    CHECK(csv_field("a\nb") == "\"a\nb\"");
    CHECK(csv_field("a\rb") == "\"a\rb\"");
  }
}

}  // namespace berth
