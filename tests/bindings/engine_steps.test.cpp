// What the engine does between two calls of a script has the limits of a call.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <optional>
#include <string>

#include "bindings/lua_policy.hpp"
#include "bindings/sandbox/work_clock.hpp"
#include "engine/base/error.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

bindings::PolicyOptions limited_to(double seconds, std::int64_t units) {
  bindings::PolicyOptions options;
  options.limits.time_seconds = seconds;
  options.limits.work_units = units;
  return options;
}

struct Steps {
  explicit Steps(const bindings::PolicyOptions& options)
      : policy({"p", "p.lua", "return { schedule = function() end }"}, options) {}

  // The units that were charged when the limit ended the work; nullopt: it did not.
  std::optional<std::int64_t> charged_by(std::int64_t units) {
    const auto before = policy.budget().charged();
    try {
      for (std::int64_t i = 0; i < units; ++i) policy.budget().charge();
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kTime);
      said = error.what();
      return policy.budget().charged() - before;
    }
    return std::nullopt;
  }

  bindings::LuaPolicy policy;
  std::string said;
};

}  // namespace

TEST_SUITE("bindings/engine_steps") {
  TEST_CASE("a limit of units ends a step at the same unit every time") {
    std::optional<std::int64_t> first;
    for (int repeat = 0; repeat < 2; ++repeat) {
      Steps steps(limited_to(0, 10'000));
      const auto end = steps.charged_by(100'000);
      REQUIRE(end.has_value());
      CHECK(*end > 10'000);
      CHECK(*end <= 10'000 + Budget::kStride + 1);
      CHECK(steps.said.rfind("p.lua: work limit (10,000 units) reached", 0) == 0);
      if (first) CHECK(end == first);
      first = end;
    }
  }

  TEST_CASE("each instant has the whole limit") {
    Steps steps(limited_to(0, 10'000));
    for (int instant = 0; instant < 50; ++instant) {
      steps.policy.budget().begin_piece();
      CHECK_FALSE(steps.charged_by(9'000).has_value());
    }
    CHECK(steps.charged_by(9'000).has_value());
  }

  TEST_CASE("a limit of time ends a step") {
    Steps steps(limited_to(1e-6, 0));
    CHECK(steps.charged_by(std::int64_t{1} << 40U).has_value());
    CHECK(steps.said.rfind("p.lua: time limit: this step of the engine ran for 1e-06 s",
                           0) == 0);
    CHECK(steps.said.find("--time-limit SECONDS") != std::string::npos);
  }

  TEST_CASE("without limits a step goes on") {
    Steps steps(limited_to(0, 0));
    CHECK_FALSE(steps.charged_by(1'000'000).has_value());
  }

  TEST_CASE("the clock of work begins at its first look, and does not run backwards") {
    bindings::WorkClock clock;
    CHECK(clock.look() == 0);
    double before = 0;
    for (int i = 0; i < 1000; ++i) {
      const auto now = clock.look();
      CHECK(now >= before);
      before = now;
    }
  }
}
