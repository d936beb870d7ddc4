#include "engine/base/csv_text.hpp"

#include <doctest/doctest.h>

namespace berth {

TEST_SUITE("base/csv_text") {
  TEST_CASE("plain text stays as it is") {
    CHECK(csv_text("easy") == "easy");
    CHECK(csv_text("0-3 8") == "0-3 8");
    CHECK(csv_text("").empty());
    CHECK(csv_text("it's") == "it's");
    CHECK(csv_text("'quoted'") == "'quoted'");
  }

  TEST_CASE("commas, quotes and line ends put a cell in quotes") {
    CHECK(csv_text("sjf(a=1,b=2)") == "\"sjf(a=1,b=2)\"");
    CHECK(csv_text("say \"when\"") == "\"say \"\"when\"\"\"");
    CHECK(csv_text("a\nb") == "\"a\nb\"");
    CHECK(csv_text("a\rb") == "\"a\rb\"");
  }

  TEST_CASE("F32: a spreadsheet takes a text for a text") {
    CHECK(csv_text("=1+1") == "'=1+1");
    CHECK(csv_text("+cmd") == "'+cmd");
    CHECK(csv_text("-x") == "'-x");
    CHECK(csv_text("@sum") == "'@sum");
    CHECK(csv_text("\t=1") == "'\t=1");
    CHECK(csv_text("\r=1") == "\"'\r=1\"");
    CHECK(csv_text("=a,b") == "\"'=a,b\"");
    CHECK(csv_text("-1+cmd") == "'-1+cmd");
    CHECK(csv_text("-inf") == "'-inf");
  }

  TEST_CASE("numbers are numbers") {
    for (const auto* number : {"-1", "-0.25", "-1e-9", "-0", "17", "1.5"}) {
      CHECK(csv_text(number) == number);
    }
  }

  TEST_CASE("a text that looks like one with a mark is read back, too") {
    CHECK(csv_text("'=1") == "''=1");
    CHECK(csv_text("''-x") == "'''-x");
    for (const auto* text : {"=1", "'=1", "''=1", "'", "''", "'a", "-1", "'-1", ""}) {
      CHECK(read_csv_text(csv_text(text)) == text);
    }
  }
}

}  // namespace berth
