#include "study/common/time_limit.hpp"

#include <doctest/doctest.h>

#include <string>

#include "engine/base/error.hpp"
#include "study/inputs/prepared_point.hpp"

using namespace berth;
using namespace berth::study;

namespace {

// A limit that any work passes which looks at the clock twice.
constexpr double kNoTime = 1e-9;

Scenario of_a_model() {
  Scenario scenario;
  scenario.workload.model = "lublin";
  scenario.workload.jobs = 5'000;
  scenario.processors = 64;
  return scenario;
}

std::string refusal(double seconds) {
  const auto scenario = of_a_model();
  SharedWorkloads workloads({}, seconds);
  workloads.announce("key", 1);
  try {
    (void)workloads.take("key", scenario);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kTime);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("study/time_limit") {
  TEST_CASE("work within its time gives what it returns; 0 is no limit") {
    const auto work = [](Budget& budget) {
      budget.charge(100'000);
      return 7;
    };
    CHECK(within_time(1e6, "x", work) == 7);
    CHECK(within_time(0, "x", work) == 7);
  }

  TEST_CASE("the making of a workload ends with its time, and names it") {
    CHECK(refusal(kNoTime) ==
          "lublin: time limit: this takes longer than 1e-09 s\n"
          "  (raise it with --time-limit SECONDS; 0 switches it off)");
    CHECK(refusal(0) == "");
  }
}
