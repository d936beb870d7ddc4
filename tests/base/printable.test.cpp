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

  TEST_CASE("what is no UTF-8 is escaped, and so are its control characters") {
    CHECK(printable("M\xfcller") == "M\\xfcller");
    CHECK(printable("\xc2\x9b"
                    "2J") == "\\xc2\\x9b2J");               // CSI in one character
    CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
    CHECK(printable("\xc3") == "\\xc3");
  }

  TEST_CASE("a message keeps its lines and what was escaped before") {
    CHECK(message_text("a\n\tb \\x1b") == "a\n\tb \\x1b");
    CHECK(message_text("a\rb\x1b[0m") == "a\\x0db\\x1b[0m");
    CHECK(plain_text("a\nb", Newlines::kEscape) == "a\\x0ab");
  }

  TEST_CASE("a message has at most 16 KiB") {
    CHECK(message_text(std::string(kMessageBytes, 'a')) ==
          std::string(kMessageBytes, 'a'));
    const auto cut = message_text(std::string(std::size_t{1} << 20U, '\x1b'));
    CHECK(cut.size() <= kMessageBytes);
    CHECK(cut.substr(cut.size() - 3) == "...");
    CHECK(message_text(std::string(kMessageBytes + 1, 'a')).size() == kMessageBytes);
  }

  TEST_CASE("of a long name the end is shown") {
    CHECK(printable_name("traces/x.swf") == "traces/x.swf");
    const std::string shown = printable_name(std::string(5000, 'd') + "/x.swf");
    CHECK(shown.size() == 200);
    CHECK(shown.substr(0, 4) == "...d");
    CHECK(shown.substr(194) == "/x.swf");
    CHECK(printable_name(std::string(100, '\x01')).size() <= 200);
  }
}
