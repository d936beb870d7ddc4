#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "engine/output/summary_json.hpp"

namespace berth {

TEST_SUITE("output/timing") {
  TEST_CASE("the mean of a pass is the policy's time by passes") {
    CHECK(timing_json({2.5, 2.0, 1.0, 0.25, 8, 1}).compact() ==
          R"({"format":1,"wall_seconds":2.5,"cpu_seconds":2.0,"policy":{)"
          R"("seconds":1.0,"mean_pass_seconds":0.125,"longest_pass_seconds":0.25,)"
          R"("passes":8},"threads":1})");
  }

  TEST_CASE("without a pass there is no mean") {
    CHECK(
        nlohmann::json::parse(timing_json({}).compact())["policy"]["mean_pass_seconds"]
            .is_null());
  }
}

}  // namespace berth
