#include "engine/base/printable.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace berth;

TEST_SUITE("base/printable") {
  TEST_CASE("control bytes and backslashes are escaped, other text is not") {
    CHECK(printable("run 5") == "run 5");
    CHECK(printable(std::string_view("5\0x", 3)) == "5\\x00x");
    CHECK(printable("\x1b[31m\n\x7f") == "\\x1b[31m\\x0a\\x7f");
    CHECK(printable("a\\b") == "a\\\\b");
    CHECK(printable("M\xc3\xbcller") == "M\xc3\xbcller");
  }

  TEST_CASE("sixty bytes are shown whole, sixty-one are cut to sixty with dots") {
    CHECK(printable(std::string(60, 'a')) == std::string(60, 'a'));
    CHECK(printable(std::string(61, 'a')) == std::string(57, 'a') + "...");
  }

  TEST_CASE("no escape and no letter of several bytes is cut in two") {
    const std::string umlauts =
        printable(std::string(56, 'a') + "\xc3\xbc\xc3\xbc\xc3\xbc");
    CHECK(umlauts == std::string(56, 'a') + "...");
    CHECK(printable(std::string(40, '\x01')) ==
          "\\x01\\x01\\x01\\x01\\x01\\x01\\x01\\x01\\x01\\x01\\x01\\x01\\x01\\x01...");
  }

  TEST_CASE("of a long name the end is shown") {
    CHECK(printable_name("traces/x.swf") == "traces/x.swf");
    const std::string shown = printable_name(std::string(5000, 'd') + "/x.swf");
    CHECK(shown.size() == 200);
    CHECK(shown.substr(0, 4) == "...d");
    CHECK(shown.substr(194) == "/x.swf");
  }
}
