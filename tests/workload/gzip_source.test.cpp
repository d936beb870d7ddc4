#include "engine/workload/gzip_source.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <string>

#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

namespace {

std::string packed(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) ==
          Z_OK);
  std::string bytes(deflateBound(&stream, text.size()), '\0');
  std::string input = text;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

std::string unpacked(const std::string& bytes, std::size_t step = std::string::npos,
                     std::size_t capacity = 4096) {
  MemorySource source(bytes, step);
  GzipSource gzip(source, "x.gz", unlimited());
  return read_all(gzip, capacity);
}

std::string some_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i * i % 9973) + " of a line\n";
  return text;
}

}  // namespace

TEST_SUITE("workload/gzip_source") {
  TEST_CASE("data other than gzip pass unchanged, however short") {
    for (const std::string text :
         {"", "1", "\x1f", "\x1f\x1f", "12", "; Version: 2.2\n1 0"}) {
      CHECK(unpacked(text) == text);
      CHECK(unpacked(text, 1, 1) == text);
    }
  }

  TEST_CASE("gzip is unpacked for any sizes of pieces in and out") {
    const std::string text = some_lines(2000);
    const std::string bytes = packed(text);
    CHECK(bytes.size() < text.size() / 2);
    CHECK(unpacked(bytes) == text);
    CHECK(unpacked(bytes, 1) == text);
    CHECK(unpacked(bytes, 7, 3) == text);
    CHECK(unpacked(packed("")).empty());
  }

  TEST_CASE("concatenated members form one text; zero bytes may follow") {
    const std::string bytes = packed("one\n") + packed("") + packed("two\n");
    CHECK(unpacked(bytes) == "one\ntwo\n");
    CHECK(unpacked(bytes, 1) == "one\ntwo\n");
    CHECK(unpacked(bytes + std::string(1000, '\0'), 3) == "one\ntwo\n");
  }

  TEST_CASE("truncated data are an error at every length, with the line reached") {
    const std::string text = some_lines(30);
    const std::string bytes = packed(text) + packed("end\n");
    const std::size_t boundary = packed(text).size();
    for (std::size_t length = 2; length < bytes.size(); ++length) {
      CAPTURE(length);
      const std::string cut = bytes.substr(0, length);
      if (length == boundary) {
        CHECK(unpacked(cut) == text);
        continue;
      }
      const std::string error = error_of([&] { (void)unpacked(cut); });
      CHECK(error.rfind("x.gz: the gzip data ends early (after about line ", 0) == 0);
      if (length == boundary + 10) CHECK(error.find("line 30)") != error.npos);
      if (length + 1 == bytes.size()) CHECK(error.find("line 31)") != error.npos);
    }
  }

  TEST_CASE("data before a fault are returned before the error") {
    const std::string text = some_lines(5000);
    const std::string bytes = packed(text);
    MemorySource source(bytes.substr(0, bytes.size() - 1));
    GzipSource gzip(source, "x.gz", unlimited());
    std::string got;
    std::string piece(100, '\0');
    const std::string error = error_of([&] {
      while (const std::size_t count = gzip.read(piece.data(), piece.size())) {
        got.append(piece, 0, count);
      }
    });
    CHECK(got == text);
    CHECK(error == "x.gz: the gzip data ends early (after about line 5000)");
  }

  TEST_CASE("damaged data and bytes behind the last member are errors") {
    const std::string bytes = packed(some_lines(100));
    std::string wrong_sum = bytes;
    wrong_sum[wrong_sum.size() - 6] ^= 1;
    CHECK(error_of([&] { (void)unpacked(wrong_sum); }) ==
          "x.gz: the gzip data is damaged (after about line 100)");
    CHECK(error_of([&] { (void)unpacked(bytes + "tail"); }) ==
          "x.gz: the gzip data is damaged (after about line 100)");
  }
}
