#include <doctest/doctest.h>

#include "tests/bindings/sandbox_driver.hpp"

using namespace berth::test;

TEST_SUITE("bindings/safe_string") {
  TEST_CASE("rep repeats, with and without a separator") {
    CHECK(shown("('ab'):rep(3), ('ab'):rep(3, '-'), ('x'):rep(1, '-')") ==
          "ababab\tab-ab-ab\tx");
    CHECK(shown("#('x'):rep(0), #('x'):rep(-1), (''):rep(3, '-')") == "0\t0\t--");
  }

  TEST_CASE("rep of nothing takes no time, and of too much is refused") {
    CHECK(shown("#(''):rep(1 << 40), #(''):rep(math.maxinteger, '')") == "0\t0");
    CHECK(shown("#('x'):rep(1 << 20)") == "1048576");
    CHECK(load("pcall(string.rep, 'x', (1 << 20) + 1)").first_line() ==
          "t.lua:1: memory limit: string of 1,048,577 bytes (limit 1 MiB)");
    CHECK(load("pcall(string.rep, 'xy', math.maxinteger, 'z')").first_line() ==
          "t.lua:1: memory limit: string of 9,223,372,036,854,775,807 bytes (limit 1 "
          "MiB)");
  }

  TEST_CASE("lower and upper change the letters of ASCII alone") {
    CHECK(shown("('aZ9Ä['):lower(), ('aZ9ä{'):upper()") == "az9Ä[\tAZ9ä{");
  }

  TEST_CASE("byte, char, len, reverse and sub do as Lua's") {
    CHECK(shown("('abc'):byte(1, -1)") == "97\t98\t99");
    CHECK(
        shown(
            "string.char(97, 98), ('abc'):len(), ('abc'):reverse(), ('abc'):sub(-2)") ==
        "ab\t3\tcba\tbc");
    CHECK(shown("pcall(string.char, 256)") ==
          "false\tbad argument #1 to 'string.char' (value out of range)");
  }

  TEST_CASE("format shows text in place of addresses and refuses %p") {
    CHECK(shown("('%s %s %s'):format({}, print, nil)") == "table function nil");
    CHECK(shown("('%5.1f|%-4d|%04x|%q|%%|%c'):format(2.25, 7, 255, 'a\\nb', 65)") ==
          "  2.2|7   |00ff|\"a\\\nb\"|%|A");
    CHECK(shown("('%-6s|%.2s'):format({}, 'abcd')") == "table |ab");
    CHECK(shown("pcall(string.format, '%p', {})") ==
          "false\t'%p' is not available to policies");
    CHECK(shown("pcall(string.format, '%-10p', {})") ==
          "false\t'%p' is not available to policies");
    CHECK(shown("pcall(string.format, '%d', 'x')") ==
          "false\tbad argument #2 to 'string.format' (number expected, got string)");
    CHECK(shown("pcall(string.format, '%s')") ==
          "false\tbad argument #2 to 'string.format' (value expected)");
    CHECK(shown("pcall(string.format, '%y', 1)") ==
          "false\tinvalid conversion '%y' to 'format'");
    CHECK(shown("('%s'):format(setmetatable({}, { __tostring = function() return 'me' "
                "end }))") == "me");
  }

  TEST_CASE("a format whose texts have more than 1 MiB together is refused") {
    CHECK(load("local s = ('x'):rep(600000) pcall(string.format, '%s%s', s, s)")
              .first_line() ==
          "t.lua:1: memory limit: string of 1,200,000 bytes (limit 1 MiB)");
  }

  TEST_CASE("find counts plain text and patterns from any start") {
    CHECK(shown("('a.b.c'):find('.', 1, true)") == "2\t2");
    CHECK(shown("('a.b.c'):find('.', 3, true)") == "4\t4");
    CHECK(shown("('abc'):find('', 10), ('abc'):find('', 4)") == "nil\t4\t3");
    CHECK(shown("('hello'):find('l', -2)") == "4\t4");
  }

  TEST_CASE("strings of a megabyte compared for ever stop at the limit") {
    const ScriptOutcome outcome = decide(
        "local a, b = ('x'):rep(1 << 20), ('x'):rep((1 << 20) - 1) .. 'y' "
        "while true do local _ = a < b end");
    CHECK(outcome.exit == 5);
  }
}
