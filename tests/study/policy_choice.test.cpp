#include "study/scenario/policy_choice.hpp"

#include <doctest/doctest.h>

using namespace berth::study;

namespace {

std::string reason(std::string_view text) {
  const auto choice = parse_policy_choice(text);
  REQUIRE_FALSE(static_cast<bool>(choice));
  return choice.reason();
}

}  // namespace

TEST_SUITE("study/policy_choice") {
  TEST_CASE("a name alone is a built-in policy without parameters") {
    const auto choice = parse_policy_choice("easy");
    REQUIRE(static_cast<bool>(choice));
    CHECK(choice.value().name == "easy");
    CHECK(choice.value().parameters.empty());
    CHECK_FALSE(choice.value().is_file());
    CHECK(choice.value().stem() == "easy");
  }

  TEST_CASE("parameters follow a colon, with commas between them") {
    const auto choice =
        parse_policy_choice("./a/mine.lua:block=false,limit=3,text=a=b");
    REQUIRE(static_cast<bool>(choice));
    CHECK(choice.value().name == "./a/mine.lua");
    CHECK(choice.value().is_file());
    CHECK(choice.value().stem() == "mine");
    CHECK(choice.value().parameters ==
          std::map<std::string, std::string>{
              {"block", "false"}, {"limit", "3"}, {"text", "a=b"}});
  }

  TEST_CASE("what ends in .lua or has a slash is a file") {
    CHECK(PolicyChoice{"mine.lua", {}, {}}.is_file());
    CHECK(PolicyChoice{"./mine", {}, {}}.is_file());
    CHECK_FALSE(PolicyChoice{"mine", {}, {}}.is_file());
    CHECK_FALSE(PolicyChoice{".lua", {}, {}}.is_file());
  }

  TEST_CASE("a choice that cannot be read says how to write it") {
    CHECK(reason("") ==
          "'' names no policy: write easy, ./mine.lua or sjf:block=false");
    CHECK(reason("sjf:") == "'' is no parameter: write sjf:name=value");
    CHECK(reason("sjf:block") == "'block' is no parameter: write sjf:name=value");
    CHECK(reason("sjf:a=1,a=2") == "parameter 'a' is given twice");
    CHECK(reason("sjf:a=1,") == "'' is no parameter: write sjf:name=value");
  }
}
