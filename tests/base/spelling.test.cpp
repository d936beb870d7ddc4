#include "engine/base/spelling.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

using namespace berth;

namespace {

constexpr std::array<std::string_view, 4> kVerbs{"start", "suspend", "reserve", "at"};

}  // namespace

TEST_SUITE("base/spelling") {
  TEST_CASE("the nearest known word is found within a third of the letters") {
    struct {
      std::string_view word;
      std::string_view meant;
    } const cases[] = {
        {"start", "start"},   // equal
        {"strat", "start"},   // two neighbours swapped: one change
        {"stat", "start"},    // one missing
        {"starrt", "start"},  // one too many
        {"reserves", "reserve"},
        {"resrvee", "reserve"},  // two changes in seven letters
        {"stxxt", ""},           // two changes in five letters
        {"migrate", ""},
        {"it", "at"},  // one change is always allowed
        {"", ""},
    };
    for (const auto& [this_word, meant] : cases) {
      const auto& word = this_word;  // a binding cannot be captured
      CAPTURE(word);
      CHECK(nearest(word, kVerbs) == meant);
    }
  }

  TEST_CASE("of two words equally near the first is meant") {
    constexpr std::array<std::string_view, 2> known{"cat", "car"};
    CHECK(nearest("cab", known) == "cat");
  }

  TEST_CASE("a nearer word further back wins") {
    constexpr std::array<std::string_view, 2> known{"policy", "policies"};
    CHECK(nearest("policie", known) == "policies");
  }

  TEST_CASE("nothing is near when nothing is known") {
    CHECK(nearest("start", {}).empty());
    const std::array<std::string_view, 2> verbs{"start", "stars"};
    CHECK(did_you_mean("start", verbs).empty());  // it is no misspelling
    CHECK(did_you_mean("start", {}).empty());
  }

  TEST_CASE("a word too long to be a key is not compared") {
    const std::string word(65, 'a');
    const std::array<std::string_view, 1> known{word};
    CHECK(nearest(word, known).empty());
  }

  TEST_CASE("the suggestion reads as the end of a message") {
    CHECK(did_you_mean("strat", kVerbs) == " (did you mean 'start'?)");
    CHECK(did_you_mean("migrate", kVerbs).empty());
    const std::vector<std::string_view> odd{"sta\x01rt"};
    CHECK(did_you_mean("start", odd).find("'sta\\x01rt'") != std::string::npos);
  }
}
