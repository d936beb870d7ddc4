#include "engine/output/timing.hpp"

namespace berth {

Json timing_json(const Timing& timing) {
  Json mean;
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
