#include "engine/machines/fractional/pack/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

namespace berth::pack {

namespace {

// Constants of the published generator for jobs of all types, up to 64 tasks.
constexpr double kSerial = 0.244;
constexpr double kPowerOfTwo = 0.576;
constexpr double kLow = 0.8;
constexpr double kHigh = 6;
constexpr double kMiddle = kHigh - 2.5;
constexpr double kFirstStage = 0.86;

int drawn_size(JobEngine& engine) {
  const double kind = uniform(engine);
  if (kind <= kSerial) return 1;
  const bool is_low = uniform(engine) <= kFirstStage;
  const double low = is_low ? kLow : kMiddle;
  const double high = is_low ? kMiddle : kHigh;
  double exponent = low + (high - low) * uniform(engine);
  if (kind <= kSerial + kPowerOfTwo) exponent = std::round(exponent);
  return std::clamp(static_cast<int>(std::lround(std::exp2(exponent))), 1, 64);
}

std::vector<JobNeeds> jobs_with_sizes(const InstanceSettings& settings, Budget& budget,
                                      JobEngine& engine) {
  std::vector<JobNeeds> jobs;
  for (int left = settings.jobs; left > 0; left -= jobs.back().tasks) {
    budget.charge();
    const int size = settings.parallel ? std::min(left, drawn_size(engine)) : 1;
    jobs.push_back({static_cast<std::int64_t>(jobs.size()) + 1, size, 0, 0});
  }
  return jobs;
}

// REQUIRES: 0 < mean < 1.
double truncated_normal(JobEngine& engine, Budget& budget, double mean,
                        double variation) {
  boost::random::normal_distribution<double> normal(mean, mean * variation);
  double value = normal(engine);
  while (value <= 0 || value >= 1) {
    budget.charge();
    value = normal(engine);
  }
  return value;
}

void scale_memory(std::vector<JobNeeds>& jobs, double total) {
  const double drawn = std::accumulate(
      jobs.begin(), jobs.end(), 0.0,
      [](double sum, const auto& job) { return sum + job.tasks * job.memory; });
  // Bounded: each job once, for each of which more was charged.
  for (auto& job : jobs) job.memory = std::min(1.0, job.memory * (total / drawn));
}

}  // namespace

Problem random_instance(const InstanceSettings& settings, Budget& budget,
                        std::uint64_t seed, std::int64_t instance) {
  const double total = settings.hosts * (1 - settings.slack);
  const double mean_memory = total / settings.jobs;
  if (mean_memory >= 1) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the mean memory of a task would be {} of a host; give "
                            "more jobs or more slack",
                            mean_memory));
  }
  auto engine = job_stream(seed, "packing.instances", instance);
  auto jobs = jobs_with_sizes(settings, budget, engine);
  for (auto& job : jobs) {
    job.cpu = truncated_normal(engine, budget, settings.mean_cpu, settings.cv_cpu);
  }
  for (auto& job : jobs) {
    job.memory = truncated_normal(engine, budget, mean_memory, settings.cv_memory);
  }
  if (settings.memory_total == MemoryTotal::kExact) scale_memory(jobs, total);
  return {Items(std::move(jobs)), settings.hosts, {}};
}

}  // namespace berth::pack
