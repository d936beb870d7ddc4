#include <doctest/doctest.h>

#include <string>

#include "bindings/sandbox/sandbox.hpp"
#include "tests/bindings/sandbox_driver.hpp"

using berth::bindings::long_access_chain;

namespace {

std::string times(int count, std::string_view part) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

}  // namespace

TEST_SUITE("bindings/sources_scan") {
  TEST_CASE("200 accesses in a row pass, 201 do not, however they are written") {
    for (const char* access :
         {".x", "[1]", "['x']", ":f()", " . x", "--[[c]].x", "\n.x", "[t.x]", ".f{}",
          ".f''", "[ [[x]] ]", ".f(a, b.c)"}) {
      INFO(access);
      CHECK_FALSE(long_access_chain("local y = t" + times(200, access)));
      CHECK(long_access_chain("local y = t" + times(201, access)));
    }
  }

  TEST_CASE("accesses in indices count with the row they are in, 500 pass") {
    const auto indexed = [](int count) {
      return "x = t" + times(100, "[t.x.y.z]") + "[t" + times(count, ".x") + "]";
    };
    CHECK_FALSE(long_access_chain(indexed(99)));
    CHECK(long_access_chain(indexed(100)) == 1);
    CHECK(long_access_chain("x = t" + times(10, "[t" + times(60, ".x") + "]")) == 1);
    CHECK_FALSE(long_access_chain("x = {" + times(300, "t[t.x], ") + "}"));
  }

  TEST_CASE("the line is that of the access beyond") {
    CHECK(long_access_chain("-- a\n\nx = t" + times(200, ".x") + "\n.y") == 4);
    CHECK(long_access_chain("x = [==[\n\n]==] y = t" + times(201, ".x")) == 3);
  }

  TEST_CASE("parentheses do not end a chain, operators and statements do") {
    CHECK(long_access_chain("x = (t" + times(150, ".x") + ")" + times(51, ".x")) == 1);
    CHECK(long_access_chain("x = (((t" + times(150, ".x") + ")))" + times(51, "[1]")) ==
          1);
    CHECK_FALSE(
        long_access_chain("x = t" + times(150, ".x") + " .. t" + times(150, ".x")));
    CHECK_FALSE(
        long_access_chain("x = t" + times(150, ".x") + "\ny = t" + times(150, ".x")));
    CHECK_FALSE(
        long_access_chain("f(t" + times(150, ".x") + ", t" + times(150, ".x") + ")"));
  }

  TEST_CASE("dots in texts, comments and numbers are no accesses") {
    CHECK_FALSE(long_access_chain("x = '" + times(300, ".x") + "'"));
    CHECK_FALSE(long_access_chain("x = \"\\\"" + times(300, ".x") + "\""));
    CHECK_FALSE(long_access_chain("--" + times(300, ".x")));
    CHECK_FALSE(long_access_chain("--[[" + times(300, ".x") + "]]"));
    CHECK_FALSE(long_access_chain("x = { " + times(300, "1.5, .5, ") + "}"));
    CHECK_FALSE(long_access_chain("x = a" + times(300, " .. b")));
    CHECK_FALSE(long_access_chain("x = { " + times(300, "f = t.a, ") + "}"));
  }

  TEST_CASE("texts that end in the middle of something are looked at to their end") {
    for (const char* text : {"'abc", "\"a\\", "--[[ x", "[==[ x", "t.", "t:", "[[", "(",
                             ")))", "t[", "\\", "\x1b", "1e", "...", "::"}) {
      INFO(text);
      CHECK_FALSE(long_access_chain(text));
    }
  }

  TEST_CASE("the longest chain allowed gives an error, not an overflow") {
    const auto outcome = berth::test::decide("local t = {} t.x = t local y = t" +
                                             times(196, ".x") + ".nope.y");
    CHECK(outcome.first_line() ==
          "t.lua:1: attempt to index a nil value (field 'nope')");
  }
}
