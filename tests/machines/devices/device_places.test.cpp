#include "engine/machines/devices/device_places.hpp"

#include <doctest/doctest.h>

#include <string_view>

using namespace berth;  // NOLINT(google-build-using-namespace)

TEST_SUITE("machines/devices/device_places") {
  TEST_CASE("a placement is read back from its text") {
    for (const std::string_view text :
         {"7", "12:0-1+3 14:5*460 7", "0:0*1", "0:0-7 0:8 1:2+4+6-7"}) {
      CAPTURE(text);
      const auto chunks = device_places_from(text);
      REQUIRE(chunks);
      CHECK(chunks->devices_text() == text);
    }
  }

  TEST_CASE("devices of a chunk are read in any order, one of them twice, too") {
    CHECK(device_places_from("0:3+1 1:1+1")->devices_text() == "0:1+3 1:1+1");
  }

  TEST_CASE("what names devices backwards or not at all is no placement") {
    for (const std::string_view text :
         {"", " ", "0 ", " 0", "a", "-1", "0:", "0:1-", "0:3-1", "0:1+", "0:0-10000000",
          "0:1*", "0:1*0", "0:1-2*5", "0:1*5*5", "0:1,2", "99999999", "0:1  1:1"}) {
      CAPTURE(text);
      CHECK_FALSE(device_places_from(text));
    }
  }

  TEST_CASE("a placement has the hosts of its chunks, each once") {
    const auto placement = placement_of(*device_places_from("3:0 3:1 5"));
    CHECK(placement.processors().text() == "3 5");
    CHECK(placement.is_shared());
    CHECK(placement.form_if<DevicePlaces>()->chunks.size() == 3);
  }
}
