#include "engine/workload/tenants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/workload/model_jobs.hpp"

namespace berth {

namespace {

constexpr double kMeanLoad = 0.5;

double exponential(double mean, RandomEngine& engine) {
  return -mean * std::log1p(-uniform(engine));
}

std::int32_t powers_up_to(double most) {
  std::int32_t count = 0;
  // Bounded: the powers of two of 31 bits.
  while (std::ldexp(1.0, count) <= most && count < 31) ++count;
  return count;
}

// 1, 2, ... up to what a size can be.
std::int32_t whole_size(double size) {
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp(size, 1.0, kMost));
}

std::int32_t size_of(const TenantSettings& settings, RandomEngine& engine) {
  const double mean = settings.mean_size;
  switch (settings.sizes) {
    case TenantSizes::kGeometric:
      if (settings.mean_size == 1) return 1;
      return whole_size(
          1 + std::floor(std::log1p(-uniform(engine)) / std::log1p(-1 / mean)));
    case TenantSizes::kExponential:
      return whole_size(std::ceil(exponential(mean, engine)));
    case TenantSizes::kUniform:
      return whole_size(1 + std::floor(uniform(engine) * (2 * mean - 1)));
    case TenantSizes::kPowersOfTwo:
      return whole_size(
          std::ldexp(1.0, static_cast<int>(uniform(engine) * powers_up_to(4 * mean))));
    case TenantSizes::kConstant: return settings.mean_size;
  }
  BERTH_ASSERT(false);
}

}  // namespace

Workload tenants_workload(const TenantSettings& settings, std::int32_t processors,
                          std::int64_t jobs, std::uint64_t seed, Budget& budget) {
  auto workload = model_workload("tenants", processors, jobs);
  auto arrivals = random_stream(seed, "workload.arrivals");
  auto sizes = random_stream(seed, "workload.size");
  auto lengths = random_stream(seed, "workload.runtime");
  const double gap =
      settings.mean_size * settings.mean_length / (kMeanLoad * processors);
  double submit = 0;
  for (std::int64_t i = 0; i < jobs; ++i) {
    const auto size = size_of(settings, sizes);
    const auto length = whole_seconds(exponential(settings.mean_length, lengths));
    add_model_job(workload, {submit, size, length}, budget);
    submit += exponential(gap, arrivals);
  }
  return workload;
}

}  // namespace berth
