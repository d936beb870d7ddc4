#include "engine/output/timing.hpp"

#include <nlohmann/json.hpp>

namespace berth {

nlohmann::ordered_json timing_json(const Timing& timing) {
  using nlohmann::ordered_json;
  auto mean = ordered_json(nullptr);
  if (timing.passes > 0) {
    mean = timing.policy_seconds / static_cast<double>(timing.passes);
  }
  return {{"format", 1},
          {"wall_seconds", timing.wall_seconds},
          {"cpu_seconds", timing.cpu_seconds},
          {"policy",
           {{"seconds", timing.policy_seconds},
            {"mean_pass_seconds", mean},
            {"longest_pass_seconds", timing.longest_pass_seconds},
            {"passes", timing.passes}}},
          {"threads", timing.threads}};
}

}  // namespace berth
