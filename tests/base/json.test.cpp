#include "engine/base/json.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace berth {
namespace {

using nlohmann::ordered_json;

std::string other(const ordered_json& json) {
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

TEST_SUITE("base/json") {
  TEST_CASE("values of every kind are indented by two") {
    const std::map<std::string, int> by_name{{"b", 2}, {"a", 1}};
    auto list = Json::array();
    list.append(1);
    list.append(nullptr);
    const Json json{{"text", "a\"b\\\n\x01\x7f"},
                    {"yes", true},
                    {"none", std::optional<double>()},
                    {"one", std::optional<std::string>("1")},
                    {"largest", std::numeric_limits<std::uint64_t>::max()},
                    {"map", by_name},
                    {"list", list},
                    {"lines", std::vector<std::string>{"x", "y"}},
                    {"no list", Json::array()},
                    {"no object", Json::object()},
                    {"inner", {{"number", -1.5}}}};
    auto expected = ordered_json{{"text", "a\"b\\\n\x01\x7f"},
                                 {"yes", true},
                                 {"none", nullptr},
                                 {"one", "1"},
                                 {"largest", std::numeric_limits<std::uint64_t>::max()},
                                 {"map", by_name},
                                 {"list", {1, nullptr}},
                                 {"lines", {"x", "y"}},
                                 {"no list", ordered_json::array()},
                                 {"no object", ordered_json::object()},
                                 {"inner", {{"number", -1.5}}}};
    CHECK(json.file_text() == other(expected));
    CHECK(json.compact() == expected.dump());
  }

  TEST_CASE("numbers are those of nlohmann/json, digit for digit") {
    std::mt19937_64 bits(1);
    for (int i = 0; i < 100'000; ++i) {
      const auto number = std::bit_cast<double>(bits());
      REQUIRE(Json(number).compact() == ordered_json(number).dump());
    }
    for (const double number : {0.0, -0.0, 1.0, 0.1, 1e15, 1e16, 1e-4, 1e-5}) {
      CHECK(Json(number).compact() == ordered_json(number).dump());
    }
    CHECK(Json(std::numeric_limits<double>::infinity()).compact() == "null");
  }

  TEST_CASE("what is not UTF-8 is replaced") {
    std::mt19937_64 bits(2);
    constexpr std::string_view kBytes =
        "a\"\x1f\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xed\xef\xf0\xf1"
        "\xf4\xf5\xff";
    for (int i = 0; i < 100'000; ++i) {
      std::string text;
      for (int length = 0; length < 6; ++length) text += kBytes[bits() % kBytes.size()];
      REQUIRE(Json(text).file_text() == other(text));
    }
  }
}

}  // namespace
}  // namespace berth
