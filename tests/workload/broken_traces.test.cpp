#include <doctest/doctest.h>
#include <zlib.h>

#include <string>
#include <string_view>

#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

// Files as they come from bad copies, other tools and other computers: each is read
// whole, or refused with its place.  Beside ../shared/data/bad-swf, in the same spirit.

namespace {

const std::string kHeader = "; MaxProcs: 64\n";

// A job of 4 processors, 100 s and a walltime of 200 s, ten seconds after the one
// before.
std::string job(int id) {
  return std::to_string(id) + " " + std::to_string(id * 10) +
         " 0 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n";
}

// Jobs 1 to 5 on lines 2 to 6.
std::string good() {
  std::string text = kHeader;
  for (int id = 1; id <= 5; ++id) text += job(id);
  return text;
}

std::string all_replaced(std::string text, const std::string& what,
                         const std::string& by) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at)) {
    text.replace(at, what.size(), by);
    at += by.size();
  }
  return text;
}

// The good file with a part of job 2, on line 3, replaced.
std::string with(const std::string& what, const std::string& by) {
  std::string line = job(2);
  line.replace(line.find(what), what.size(), by);
  return kHeader + job(1) + line + job(3) + job(4) + job(5);
}

std::string deflated(const std::string& text, int window) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK);
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

std::string gzip(const std::string& text) { return deflated(text, 16 + MAX_WBITS); }

Workload unpack_and_parse(const std::string& bytes) {
  MemorySource file(bytes, 7);
  GzipSource source(file, "x.swf.gz", unlimited());
  return read_swf(source, {"x.swf.gz"}, unlimited());
}

std::string unpacking_error(const std::string& bytes) {
  return error_of([&] { (void)unpack_and_parse(bytes); });
}

// A source that never ends.
class Endless final : public ByteSource {
 public:
  explicit Endless(std::string_view unit) : unit_(unit) {}
  std::size_t read(char* to, std::size_t capacity) override {
    for (std::size_t i = 0; i < capacity; ++i) to[i] = unit_[given_++ % unit_.size()];
    return capacity;
  }
  [[nodiscard]] std::size_t given() const { return given_; }

 private:
  std::string_view unit_;
  std::size_t given_ = 0;
};

struct Broken {
  std::string text;
  std::string error;
};

}  // namespace

TEST_SUITE("workload/broken_traces") {
  TEST_CASE("other ends of lines, blanks and comments change nothing") {
    const std::string text = good();
    const std::string nul("; Note: \0\x1b[2J\n", 14);
    for (const std::string& same :
         {all_replaced(text, "\n", "\r\n"), all_replaced(text, " ", "\t"),
          all_replaced(text, "\n", "   \n"), all_replaced(text, "\n", "\n    "),
          all_replaced(text, "\n", "\n\n \t\n"), text.substr(0, text.size() - 1),
          "\xef\xbb\xbf" + text, kHeader + "   ; indented\n" + text, nul + text,
          text + kHeader, text + ";", "; CR at the end\r\r\n" + text,
          with("100", std::string(300, '0') + "100"), with("100", "1e2"),
          with("100", "100.000")}) {
      CAPTURE(same.substr(0, 60));
      const Workload workload = parse(same);
      REQUIRE(workload.jobs.size() == 5);
      CHECK(workload.processors == 64);
      CHECK(workload.jobs[1].length == seconds(100));
      CHECK(workload.jobs[4].walltime == seconds(200));
    }
  }

  TEST_CASE("a field that is not a number is refused with its column") {
    for (const Broken& each :
         {Broken{with("100", "+100"), "x.swf:3:8: run time: '+100' is not a number"},
          {with("100", "0x64"), "x.swf:3:8: run time: '0x64' is not a number"},
          {with("100", "inf"), "x.swf:3:8: run time: 'inf' is not a number"},
          {with("100", "1,5"), "x.swf:3:8: run time: '1,5' is not a number"},
          {with("100", "1.0.0"), "x.swf:3:8: run time: '1.0.0' is not a number"},
          {with("100", "."), "x.swf:3:8: run time: '.' is not a number"},
          {with("100", "-"), "x.swf:3:8: run time: '-' is not a number"},
          {with("100", "1e"), "x.swf:3:8: run time: '1e' is not a number"},
          {with("100", "5\x1b[2J"), "x.swf:3:9: byte 0x1b in a number (run time)"},
          {with("20 0", "root 0"), "x.swf:3:3: submit time: 'root' is not a number"},
          {with("2 20",
                "\xef\xbb\xbf"
                "2 20"),
           "x.swf:3:1: byte 0xef in a number (job number)"}}) {
      CHECK(error_of([&] { (void)parse(each.text); }) == each.error);
    }
  }

  TEST_CASE("sizes and times that no machine can have are out of range") {
    for (const Broken& each :
         {Broken{with("100", "9223372036854775808"), "x.swf:3:8: run time: "},
          {with("100", "99999999999999"), "x.swf:3:8: run time: "},
          {with("20 0", "1e18 0"), "x.swf:3:3: submit time: "},
          {with("100 4", "100 2147483648"), "x.swf:3:12: allocated processors: "},
          {with("-1 4", "-1 18446744073709551617"),
           "x.swf:3:20: requested processors: "},
          {with("4 200", "4 1e30"), "x.swf:3:22: requested time: "},
          {with("200 -1", "200 10000000000000000000"),
           "x.swf:3:26: requested memory: "},
          {with("2 20", "99999999999999999999 20"), "x.swf:3:1: job number: "},
          {"; MaxProcs: 99999999999999999999\n", "x.swf:1:13: MaxProcs: "}}) {
      const std::string error = error_of([&] { (void)parse(each.text); });
      CAPTURE(error);
      CHECK(error.starts_with(each.error));
      CHECK(error.ends_with(" is out of range"));
    }
  }

  TEST_CASE("other kinds of files are refused at their first wrong line") {
    for (const Broken& each :
         {Broken{all_replaced(good(), " ", ","), "x.swf:2: 1 field"},
          {"<?xml version='1.0'?>\n<jobs/>\n", "x.swf:1: 2 fields where 18 are needed"},
          {"\x89PNG\r\n\x1a\n", "x.swf:1: 1 field where 18 are needed"},
          {deflated(good(), MAX_WBITS), "x.swf:1"},
          {with(" -1 -1\n", " -1 -1 ; why\n"),
           "x.swf:3: 20 fields where 18 are needed"},
          {with("0 100", "0\v100"), "x.swf:3: 17 fields where 18 are needed"},
          {all_replaced(good(), "\n", "\r"),
           "x.swf:1:15: a carriage return within a comment: lines end in LF or in CR "
           "LF"},
          {kHeader + "; a note\r1 0 0 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n",
           "x.swf:2:9: a carriage return within a comment"},
          {kHeader + job(1) + std::string(70'000, 'x') + "\n" + job(2),
           "x.swf:3: the line is longer than 65535 bytes"}}) {
      CAPTURE(each.error);
      const std::string error = error_of([&] { (void)parse(each.text); });
      CAPTURE(error);
      CHECK(error.starts_with(each.error));
      CHECK(error.size() < 200);
    }
  }

  TEST_CASE("an endless line is refused early") {
    for (const std::string_view unit : {"1", " ", "1 ", "; ", "\xff"}) {
      Endless endless(unit);
      CHECK(error_of([&] { (void)read_swf(endless, {"x.swf"}, unlimited()); }) ==
            "x.swf:1: the line is longer than 65535 bytes; is this an SWF file?");
      CHECK(endless.given() < 1'000'000);
    }
  }

  TEST_CASE("gzip in pieces, with empty members or zeros behind it, is read whole") {
    const std::string text = good();
    for (const std::string& bytes :
         {gzip(text), gzip(text.substr(0, 40)) + gzip(text.substr(40)),
          gzip("") + gzip(text) + gzip(""), gzip(text) + std::string(512, '\0')}) {
      CHECK(unpack_and_parse(bytes).jobs.size() == 5);
    }
  }

  TEST_CASE("damaged and truncated gzip data are reported") {
    const std::string bytes = gzip(good());
    auto wrong_sum = bytes;
    wrong_sum[bytes.size() - 8] ^= 1;
    auto wrong_length = bytes;
    wrong_length[bytes.size() - 4] ^= 1;
    for (const Broken& each :
         {Broken{bytes.substr(0, 10), "x.swf.gz: the gzip data ends early"},
          {bytes.substr(0, bytes.size() - 5), "x.swf.gz: the gzip data ends early"},
          {bytes + gzip(good()).substr(0, 30), "x.swf.gz: the gzip data ends early"},
          {wrong_sum, "x.swf.gz: the gzip data is damaged"},
          {wrong_length, "x.swf.gz: the gzip data is damaged"},
          {bytes + "and so on", "x.swf.gz: the gzip data is damaged"}}) {
      CHECK(unpacking_error(each.text).starts_with(each.error));
    }
  }

  TEST_CASE("the second use of a job number is found thousands of lines later") {
    std::string text = kHeader;
    for (int id = 1; id <= 3000; ++id) text += job(id);
    CHECK(error_of([&] { (void)parse(text + job(3)); }) ==
          "x.swf:3002:1: job number 3 was already used at line 4");
  }
}
