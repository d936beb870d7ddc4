#pragma once
// A sweep of made-up results for tools.

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/tools/sweep.hpp"

namespace berth::test {

class MadeSweep : public bindings::SweepSource {
 public:
  [[nodiscard]] const bindings::SweepShape& shape() const override { return shape_; }
  [[nodiscard]] Result result(const Place& place, std::size_t seed) const override {
    const auto at = runs_.find({place.point, seed, std::string(place.policy)});
    if (at == runs_.end() || place.policy == failing) return {};
    return {&at->second, shape_.policies.front()};
  }
  [[nodiscard]] std::string_view failure(const Place& place) const override {
    return place.policy == failing ? "it broke" : "";
  }

  // Points at the loads 0.6 and 0.9.
  void set_shape(std::vector<std::string> policies, std::size_t seeds) {
    shape_.axes = {{"workload.load", {"0.6", "0.9"}}};
    shape_.points = {{{{"workload.load", "0.6"}}, "workload.load=0.6"},
                     {{{"workload.load", "0.9"}}, "workload.load=0.9"}};
    shape_.policies = std::move(policies);
    shape_.seeds = seeds;
  }
  ComparedRun& add(std::size_t point, std::size_t seed, const std::string& policy,
                   double mean_wait) {
    auto& run = runs_[{point, seed, policy}];
    run.summary.metrics = {{"mean_wait", mean_wait, "s", 60}};
    return run;
  }

  std::string failing{};

 private:
  bindings::SweepShape shape_;
  std::map<std::tuple<std::size_t, std::size_t, std::string>, ComparedRun> runs_;
};

}  // namespace berth::test
