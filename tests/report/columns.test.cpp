#include "report/columns.hpp"

#include <doctest/doctest.h>

#include "tests/support/unlimited.hpp"

using namespace berth;

namespace {

std::string text_of(const Json& json) { return json.compact(); }

}  // namespace

TEST_SUITE("report/columns") {
  TEST_CASE("base64 is that of RFC 4648, padding included") {
    CHECK(report::base64("").empty());
    CHECK(report::base64("f") == "Zg==");
    CHECK(report::base64("fo") == "Zm8=");
    CHECK(report::base64("foobar") == "Zm9vYmFy");
    CHECK(report::base64("\xff\xfe") == "//4=");
  }

  TEST_CASE("a column takes as many bytes a value as its largest value needs") {
    report::Blocks blocks(test::unlimited());
    const auto width = [&](std::int64_t value) {
      return text_of(blocks.add(std::vector<std::int64_t>{0, value}));
    };
    CHECK(width(255) == R"({"block":0,"count":2,"bytes":1,"folded":false})");
    CHECK(width(256) == R"({"block":1,"count":2,"bytes":2,"folded":false})");
    CHECK(width(1LL << 40) == R"({"block":2,"count":2,"bytes":6,"folded":false})");
    CHECK(width(-128) == R"({"block":3,"count":2,"bytes":1,"folded":true})");
    CHECK(width(-129) == R"({"block":4,"count":2,"bytes":2,"folded":true})");
  }

  TEST_CASE("times are whole seconds where all of them are") {
    report::Blocks blocks(test::unlimited());
    CHECK(text_of(blocks.add_times({seconds(3), seconds(200)})) ==
          R"({"block":0,"count":2,"bytes":1,"folded":false,"scale":1})");
    CHECK(text_of(blocks.add_times({seconds(3), 1})) ==
          R"({"block":1,"count":2,"bytes":3,"folded":false,"scale":1000000})");
  }

  TEST_CASE("a column without values has a block, too") {
    report::Blocks blocks(test::unlimited());
    CHECK(text_of(blocks.add(std::vector<std::int64_t>{})) ==
          R"({"block":0,"count":0,"bytes":1,"folded":false})");
    CHECK(blocks.texts().size() == 1);
  }
}
