#pragma once
// The workloads that the benchmarks run, in whole seconds.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/jobs/job.hpp"
#include "engine/share/share_settings.hpp"
#include "engine/sim/machine.hpp"

namespace berth::bench {

struct Work {
  std::string name;
  sim::Machine machine;
  std::vector<Job> jobs;  // by (submit, id); none wider than the machine
  std::optional<ShareSettings> shares{};  // nullopt: users count for nothing
};

// The KTH-SP2 trace, `copies` times end to end; without the trace as many jobs of the
// Lublin model on as many processors at load 0.7, under another name.  A job that
// overruns is expected to end in one second, which is the rule of ListEasy.
[[nodiscard]] Work kth(int copies = 20);
// The same without overruns: every walltime is at least the length.
[[nodiscard]] Work normalised_kth(int copies = 20);
// The file of a trace below BERTH_DATA (../shared/data beside the project where that is
// not set); nullopt if it does not exist.
[[nodiscard]] std::optional<std::filesystem::path> kth_path();
[[nodiscard]] std::optional<std::filesystem::path> lanl_path();

// The first 1,000 jobs of NASA-iPSC with exact estimates on a fat tree of 432 slots at
// load 1.2, their bandwidths by the servers that they need; nullopt without the trace.
[[nodiscard]] std::optional<Work> nasa_on_network();
// So many virtual clusters with little bandwidth on a fat tree of parameter k with 8
// slots a server: sizes exponential with mean 12, 1 to 64, at half the load, so that
// none waits.
[[nodiscard]] Work clusters(std::int32_t k, std::int64_t jobs);
// The first 10,000 jobs of KTH on so many hosts of 8 processors.
[[nodiscard]] Work on_hosts(std::int32_t hosts);
// The same jobs on as many exclusive processors.
[[nodiscard]] Work without_network(Work work);

// 1,000,000 jobs of the Lublin model, whole variant, on 1,024 processors at this load;
// walltimes are 1 to 5 times the length, rounded up to usual limits.
[[nodiscard]] Work lublin(double load);

// FWload (feitelson.hpp) at the size of its paper, 200,000 jobs on 320 processors, with
// estimates by Tsafrir's model, at this load.
[[nodiscard]] Work fwload(double load);

// The model of `lublin` at load 1.0, the first `depth` jobs submitted at once: about
// that many wait until the last of `depth + decisions` jobs is submitted.
[[nodiscard]] Work backlog(std::int64_t depth, std::int64_t decisions);

// So many jobs of one processor that wait for the whole machine and start at one
// instant, and end at one; their walltimes all differ, or are all the same.
enum class Ends : std::uint8_t { kEqual, kDifferent };
[[nodiscard]] Work crowd(std::int32_t jobs, Ends ends);

}  // namespace berth::bench
