#pragma once
// The workloads that the benchmarks run, in whole seconds.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/spilling_array.hpp"
#include "engine/jobs/job.hpp"

namespace berth::bench {

struct Work {
  std::string name;
  std::int32_t processors;
  SpillingArray<Job> jobs;  // by (submit, id); none wider than the machine
};

// The KTH-SP2 trace 20 times end to end, from below BERTH_DATA (../shared/data beside
// the project where that is not set); without it, as many jobs of the Lublin model on
// as many processors at load 0.7, and the name says so.
[[nodiscard]] Work kth(int copies = 20);
// Where that trace lies; nullopt if it is not here.
[[nodiscard]] std::optional<std::filesystem::path> kth_path();

// 1,000,000 jobs of the Lublin model, whole variant, on 1,024 processors at this load;
// walltimes are 1 to 5 times the length, rounded up to usual limits.
[[nodiscard]] Work lublin(double load);

// FWload (feitelson.hpp) at the size of its paper, 200,000 jobs on 320 processors, with
// estimates by Tsafrir's model, at this load.
[[nodiscard]] Work fwload(double load);

// The model of `lublin` at load 1.0, the first `depth` jobs submitted at once: about so
// many wait until the last of `depth + decisions` jobs comes.
[[nodiscard]] Work backlog(std::int64_t depth, std::int64_t decisions);

}  // namespace berth::bench
