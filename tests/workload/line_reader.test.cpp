#include "engine/workload/line_reader.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

namespace {

std::vector<std::string> lines_of(const std::string& text, std::size_t step) {
  MemorySource source(text, step);
  LineReader reader(source, "x", unlimited());
  std::vector<std::string> lines;
  while (const auto line = reader.next()) lines.emplace_back(*line);
  return lines;
}

}  // namespace

TEST_SUITE("workload/line_reader") {
  TEST_CASE("lines do not depend on how the bytes are split") {
    const std::string text = "one\n\ntwo\r\nthree\rfour\nlast";
    const std::vector<std::string> lines{"one", "", "two", "three\rfour", "last"};
    for (const std::size_t step : {1, 2, 3, 7, 1000}) {
      CAPTURE(step);
      CHECK(lines_of(text, step) == lines);
    }
  }

  TEST_CASE("an empty source has no line, a lone end of line is one empty line") {
    CHECK(lines_of("", 10).empty());
    CHECK(lines_of("\n", 10) == std::vector<std::string>{""});
  }

  TEST_CASE("only a last line without its end is cut short") {
    MemorySource source("a\nb");
    LineReader reader(source, "x", unlimited());
    CHECK(reader.next() == "a");
    CHECK_FALSE(reader.cut_short());
    CHECK(reader.next() == "b");
    CHECK(reader.cut_short());
    CHECK(reader.number() == 2);
  }

  TEST_CASE("lines across the end of the buffer are complete") {
    const std::string line(50'000, 'l');
    std::string text;
    for (int i = 0; i < 40; ++i) text += line + "\n";
    const auto lines = lines_of(text, 65'537);
    REQUIRE(lines.size() == 40);
    for (const auto& each : lines) CHECK(each == line);
  }

  TEST_CASE("a line that is too long is refused, however long it is") {
    const std::size_t most = LineReader::kLongestLine;
    CHECK(lines_of(std::string(most, 'x') + "\n", 4096).size() == 1);
    for (const std::size_t length :
         {most + 1, std::size_t{300'000}, std::size_t{5'000'000}}) {
      CAPTURE(length);
      const std::string text = "first\n" + std::string(length, 'x') + "\n";
      CHECK(error_of([&] { (void)lines_of(text, 4096); }).rfind("x:2: ", 0) == 0);
    }
  }
}
