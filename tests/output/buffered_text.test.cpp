#include "engine/output/buffered_text.hpp"

#include <doctest/doctest.h>

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
