#include "bench/works.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/base/random_stream.hpp"
#include "engine/machines/network/slots_settings.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/workload/feitelson.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/lublin.hpp"
#include "engine/workload/swf_reader.hpp"
#include "engine/workload/transform.hpp"
#include "engine/workload/tsafrir.hpp"

namespace berth::bench {

namespace {

Budget budget;  // without limits

constexpr std::uint64_t kSeed = 7;
constexpr std::int64_t kKthJobs = 28'475;
constexpr std::int32_t kKthProcessors = 100;

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path)
      : in_(path, std::ios::binary) {}
  std::size_t read(char* to, std::size_t capacity) override {
    in_.read(to, static_cast<std::streamsize>(capacity));
    return static_cast<std::size_t>(in_.gcount());
  }

 private:
  std::ifstream in_;
};

std::optional<std::filesystem::path> trace_path(const char* name) {
  const char* given = std::getenv("BERTH_DATA");
  const std::filesystem::path root =
      given != nullptr ? std::filesystem::path(given)
                       : std::filesystem::path(BERTH_SOURCE_DIR) / "../shared/data";
  const auto path = root / "traces" / name;
  return std::filesystem::exists(path) ? std::optional(path) : std::nullopt;
}

sim::Machine machine_of(std::int32_t processors) {
  sim::Machine machine;
  machine.processors = processors;
  return machine;
}

// ListEasy counts whole seconds.
Duration whole_seconds(Duration ticks) { return ticks / kSecond * kSecond; }

void to_whole_seconds(Workload& workload) {
  for (Job& job : workload.jobs) {
    job.submit = whole_seconds(job.submit);
    job.length = whole_seconds(job.length);
    job.walltime = whole_seconds(job.walltime);
  }
  put_in_order(workload, budget);
}

Duration usual_limit(double wanted_seconds) {
  constexpr std::array<std::int64_t, 18> kMinutes{5,    10,   15,   30,   60,   120,
                                                  180,  240,  360,  480,  720,  1080,
                                                  1440, 2160, 2880, 4320, 7200, 14400};
  const auto* const limit =
      std::find_if(kMinutes.begin(), kMinutes.end(), [&](std::int64_t minutes) {
        return static_cast<double>(minutes * 60) >= wanted_seconds;
      });
  return seconds((limit == kMinutes.end() ? kMinutes.back() : *limit) * 60);
}

void give_walltimes(Workload& workload) {
  auto stream = random_stream(kSeed, "bench.walltime");
  boost::random::uniform_real_distribution<double> factor(1, 5);
  for (Job& job : workload.jobs) {
    job.walltime = usual_limit(to_seconds(job.length) * factor(stream));
    job.walltime_given = true;
  }
}

Work model(std::string name, std::int32_t processors, std::int64_t jobs, double load) {
  LublinSettings settings;
  settings.processors = processors;
  settings.jobs = jobs;
  Workload workload = lublin_workload(settings, kSeed, budget);
  give_walltimes(workload);
  reach_load(workload, processors, load, budget);
  to_whole_seconds(workload);
  return {std::move(name), machine_of(processors), std::move(workload.jobs)};
}

Workload read(const std::filesystem::path& path) {
  FileSource packed(path);
  GzipSource source(packed, path.filename().string(), budget);
  SwfOptions options;
  options.name = path.filename().string();
  options.keep_recorded = false;
  return read_swf(source, options, budget);
}

sim::Machine network_of(std::int32_t k, SlotsSettings settings) {
  settings.k = k;
  auto machine = default_machine("slots", 1);
  machine.processors = make_topology(settings)->processors();
  machine.model_settings = settings;
  return machine;
}

}  // namespace

std::optional<std::filesystem::path> kth_path() {
  return trace_path("KTH-SP2-1996-2.1-cln.swf.gz");
}

std::optional<std::filesystem::path> lanl_path() {
  return trace_path("LANL-CM5-1994-4.1-cln.swf.gz");
}

std::optional<Work> nasa_on_network() {
  const auto path = trace_path("NASA-iPSC-1993-3.1-cln.swf.gz");
  if (!path) return std::nullopt;
  auto workload = read(*path);
  keep_first(workload, 1000);
  for (Job& job : workload.jobs) job.walltime = std::max(job.length, kSecond);
  Work work{"NASA, 1,000 jobs", network_of(6, SlotsSettings()), {}};
  reach_load(workload, work.machine.processors, 1.2, budget);
  work.jobs = std::move(workload.jobs);
  return work;
}

Work clusters(std::int32_t k, std::int64_t jobs) {
  constexpr double kMeanSize = 12;
  SlotsSettings settings;
  settings.rule = BandwidthRule::kNormal;
  settings.bandwidth_mean = 10;
  Work work{fmt::format("{} clusters, k = {}", jobs, k), network_of(k, settings), {}};
  Workload made;
  auto engine = random_stream(kSeed, "bench.clusters");
  // One after the other at this distance they hold half of the slots for 1,000 s each.
  const double between = 2000 * kMeanSize / work.machine.processors;
  double at = 0;
  for (std::int64_t i = 0; i < jobs; ++i) {
    at -= between * std::log1p(-uniform(engine));
    const double size = std::ceil(-kMeanSize * std::log1p(-uniform(engine)));
    Job job;
    job.id = i + 1;
    job.submit = seconds(std::llround(at));
    job.size = static_cast<std::int32_t>(std::clamp(size, 1.0, 64.0));
    job.length = seconds(1 + std::llround(-1000 * std::log1p(-uniform(engine))));
    job.walltime = job.length;
    made.jobs.push_back(job);
  }
  put_in_order(made, budget);
  work.jobs = std::move(made.jobs);
  return work;
}

Work on_hosts(std::int32_t hosts) {
  constexpr std::size_t kJobs = 10'000;
  auto work = kth(1);
  work.name += fmt::format(" on {} hosts", hosts);
  work.jobs.resize(std::min(work.jobs.size(), kJobs));
  work.machine = machine_of(8 * hosts);
  work.machine.resources.hosts.push_back({"host", hosts, 8, 0});
  return work;
}

Work without_network(Work work) {
  work.machine = machine_of(work.machine.processors);
  return work;
}

Work kth(int copies) {
  const auto path = kth_path();
  if (!path) {
    return model("Lublin, the size of KTH", kKthProcessors, kKthJobs * copies, 0.7);
  }
  Workload workload = read(*path);
  repeat(workload, copies, budget);
  to_whole_seconds(workload);
  const std::int32_t processors = workload.processors.value_or(kKthProcessors);
  const auto kept =
      std::remove_if(workload.jobs.begin(), workload.jobs.end(),
                     [&](const Job& job) { return job.size > processors; });
  workload.jobs.resize(static_cast<std::size_t>(kept - workload.jobs.begin()));
  Work work{fmt::format("KTH x {}", copies), machine_of(processors),
            std::move(workload.jobs)};
  work.machine.overrun_grace = kSecond;
  work.machine.overrun_growth = 1;
  return work;
}

Work normalised_kth(int copies) {
  Work work = kth(copies);
  work.name = "normalised " + work.name;
  for (Job& job : work.jobs) job.walltime = std::max(job.walltime, job.length);
  return work;
}

Work backlog(std::int64_t depth, std::int64_t decisions) {
  Work work = model(fmt::format("depth {}", depth), 1024, depth + decisions, 1.0);
  const Time first = work.jobs[static_cast<std::size_t>(depth)].submit;
  for (std::int64_t i = 0; i < depth; ++i) {
    work.jobs[static_cast<std::size_t>(i)].submit = first;
  }
  return work;
}

Work fwload(double load) {
  constexpr std::int32_t kProcessors = 320;
  Workload workload = feitelson_workload(kProcessors, 200'000, kSeed, budget);
  estimate_by_tsafrir(workload, {}, kSeed, budget);
  reach_load(workload, kProcessors, load, budget);
  to_whole_seconds(workload);
  return {fmt::format("FWload {:.2f}", load), machine_of(kProcessors),
          std::move(workload.jobs)};
}

Work lublin(double load) {
  return model(fmt::format("L {:.2f}", load), 1024, 1'000'000, load);
}

Work crowd(std::int32_t jobs, Ends ends) {
  Work work{fmt::format("{} at one instant", jobs), machine_of(jobs), {}};
  const auto add = [&](std::int32_t size, std::int64_t walltime) {
    Job job;
    job.id = static_cast<std::int64_t>(work.jobs.size()) + 1;
    job.size = size;
    job.length = seconds(10);
    job.walltime = seconds(walltime);
    work.jobs.push_back(job);
  };
  add(jobs, 10);
  // A permutation of 1 to `jobs`, if the step has no factor in common with them.
  constexpr std::int64_t kStep = 7919;
  for (std::int64_t i = 0; i < jobs; ++i) {
    add(1, ends == Ends::kEqual ? 10 : 10 + i * kStep % jobs);
  }
  return work;
}

}  // namespace berth::bench
