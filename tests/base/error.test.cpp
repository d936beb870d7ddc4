#include "engine/base/error.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace berth;

TEST_SUITE("base/error") {
  TEST_CASE("the codes are the exit statuses of the command line") {
    CHECK(static_cast<int>(ErrorCode::kUsage) == 2);
    CHECK(static_cast<int>(ErrorCode::kInput) == 3);
    CHECK(static_cast<int>(ErrorCode::kPolicy) == 4);
    CHECK(static_cast<int>(ErrorCode::kTime) == 5);
    CHECK(static_cast<int>(ErrorCode::kMemory) == 6);
    CHECK(static_cast<int>(ErrorCode::kOutput) == 8);
    CHECK(static_cast<int>(ErrorCode::kDefect) == 70);
  }

  TEST_CASE("an assertion that holds does nothing") {
    CHECK_NOTHROW(BERTH_ASSERT(1 + 1 == 2));
  }

  TEST_CASE("a failed assertion is a defect and names the condition") {
    try {
      BERTH_ASSERT(1 + 1 == 3);
      FAIL("did not throw");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kDefect);
      CHECK(std::string(error.what()).find("1 + 1 == 3") != std::string::npos);
    }
  }

  TEST_CASE("a failed assertion names the file relative to the project") {
    try {
      assertion_failed("held", "/somewhere/else/engine/queue/job_queue.cpp", 7);
    } catch (const Error& error) {
      CHECK(std::string(error.what()) ==
            "engine/queue/job_queue.cpp:7: assertion failed: held");
    }
  }
}
