#include "engine/output/buffered_text.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace berth {

namespace {

class Counting : public Sink {
 public:
  void write(std::string_view text) override {
    ++calls;
    bytes += text.size();
  }
  int calls = 0;
  std::size_t bytes = 0;
};

}  // namespace

TEST_SUITE("output/buffered_text") {
  TEST_CASE("text goes on in large pieces and all of it at the flush") {
    Counting sink;
    BufferedText text(sink);
    for (int i = 0; i < 20'000; ++i) text.print("{:09}\n", i);
    CHECK(sink.calls == 3);  // 200,000 bytes, 65,536 at a time
    text.flush();
    CHECK(sink.calls == 4);
    CHECK(sink.bytes == 200'000);
  }

  TEST_CASE("what is compiled says the same, down to the longest of each kind") {
    using Whole = std::numeric_limits<std::int64_t>;
    using Half = std::numeric_limits<std::int32_t>;
    using Real = std::numeric_limits<double>;
    StringSink sink;
    BufferedText text(sink);
    std::string expected;
    for (int i = 0; i < 3'000; ++i) {
      text.print(FMT_COMPILE("{},{},{},"), Whole::min(), Half::min(),
                 std::numeric_limits<std::uint64_t>::max());
      text.print(FMT_COMPILE("{},{},{}|"), InSeconds{Whole::min() + 1},
                 InSeconds{kNever}, InSeconds{-3'000'001});
      text.print(FMT_COMPILE("{},{},{},{}\n"), AsRatio{Real::lowest()},
                 AsRatio{-Real::denorm_min()}, AsRatio{}, std::string_view("text"));
      expected +=
          "-9223372036854775808,-2147483648,18446744073709551615,"
          "-9223372036854.775807,never,-3.000001|"
          "-1.7976931348623157e+308,-5e-324,,text\n";
    }
    text.flush();
    CHECK(sink.text() == expected);
  }

  TEST_CASE("pieces keep their order") {
    StringSink sink;
    BufferedText text(sink);
    text.append("a");
    text.print("{}{}", 1, 'b');
    text.flush();
    text.append("c");
    text.flush();
    CHECK(sink.text() == "a1bc");
  }
}

}  // namespace berth
