#include "engine/base/places.hpp"

#include <doctest/doctest.h>

using namespace berth;

namespace {

struct Read {
  std::vector<Interval> places;
  std::string wrong;
};

Read read(std::string_view text, PlaceForm form = PlaceForm::kSet,
          std::optional<std::int32_t> below = {}) {
  Read made;
  made.wrong = read_places(text, form, below, made.places);
  return made;
}

using Parts = std::vector<Interval>;

}  // namespace

TEST_SUITE("base/places") {
  TEST_CASE("ranges and single numbers are read, and sorted") {
    CHECK(read("8 0-3").places == Parts{{0, 3}, {8, 8}});
    CHECK(read("").places.empty());
    CHECK(read(" 5  6 ").places == Parts{{5, 5}, {6, 6}});
    CHECK(read("2147483646").wrong.empty());
  }

  TEST_CASE("in a set each number is there once, of tasks as often as they sit on it") {
    CHECK(read("0-3 2").wrong == "processor 2 is named twice");
    CHECK(read("1 1").wrong == "processor 1 is named twice");
    CHECK(read("1 0 1", PlaceForm::kNumbers).places == Parts{{0, 0}, {1, 1}, {1, 1}});
  }

  TEST_CASE("what is no range of the machine is told") {
    for (const auto* text :
         {"3-1", "-1", "a", "1-", "1-2-3", "+1", "1,2", "99999999999999999999"}) {
      CHECK(read(text).wrong ==
            "'" + std::string(text) + "' is no range of processors");
    }
    CHECK(read("0-4", PlaceForm::kSet, 4).wrong ==
          "processor 4 is off the machine of 4");
    CHECK(read("2147483647").wrong ==
          "processor 2147483647 is off the machine of 2147483647");
  }

  TEST_CASE("what is there already stays, and is not compared") {
    std::vector<Interval> places{{9, 9}};
    CHECK(read_places("9 1", PlaceForm::kSet, {}, places).empty());
    CHECK(places == Parts{{9, 9}, {1, 1}, {9, 9}});
  }
}
