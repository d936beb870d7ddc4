#include "engine/base/result.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "engine/base/refusal.hpp"

using namespace berth;

TEST_SUITE("base/result") {
  TEST_CASE("a result with a value is true and gives it") {
    const Result<int, Refusal> result(7);
    CHECK(static_cast<bool>(result));
    CHECK(result.value() == 7);
  }

  TEST_CASE("a result with a reason is false and gives it") {
    const Result<int, Refusal> result(Refusal::kHeld);
    CHECK_FALSE(static_cast<bool>(result));
    CHECK(result.reason() == Refusal::kHeld);
  }

  TEST_CASE("a value of the type of the reason is told from it") {
    struct Reason {
      std::string text;
    };
    const Result<std::string, Reason> yes(std::string("text"));
    const Result<std::string, Reason> no(Reason{"text"});
    CHECK(static_cast<bool>(yes));
    CHECK_FALSE(static_cast<bool>(no));
  }

  TEST_CASE("a value that can only be moved is moved out") {
    Result<std::unique_ptr<int>, Refusal> result(std::make_unique<int>(3));
    const auto taken = std::move(result.value());
    CHECK(*taken == 3);
  }
}
