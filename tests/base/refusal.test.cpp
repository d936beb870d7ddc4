#include "engine/base/refusal.hpp"

#include <doctest/doctest.h>

using namespace berth;

TEST_SUITE("base/refusal") {
  TEST_CASE("every refusal has the word a policy compares with") {
    CHECK(name(Refusal::kBusy) == "busy");
    CHECK(name(Refusal::kHeld) == "held");
    CHECK(name(Refusal::kTooBig) == "too_big");
  }
}
