#include "engine/machines/fractional/task_needs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/base/amount.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/random_stream.hpp"

namespace berth {

namespace {

constexpr const char* kNeedsStream = "workload.needs";
constexpr const char* kErrorStream = "vm.cap_error";

// Stillwell, Vivien, Casanova 2010, 5.2.
constexpr double kCpuOfOneTask = 0.25;
constexpr double kLeastMemory = 0.1;
constexpr double kChanceOfLeast = 0.55;

}  // namespace

NeedsOfTasks::NeedsOfTasks(const FractionalSettings& settings, std::uint64_t seed,
                           std::shared_ptr<const JobAttributes> attributes,
                           MemoryOf of_trace)
    : settings_(settings),
      seed_(seed),
      attributes_(std::move(attributes)),
      of_trace_(std::move(of_trace)),
      cpu_(attributes_->column("cpu_need")),
      memory_(attributes_->column("memory_need")),
      host_memory_(std::max<std::int64_t>(1, kib_of(settings.memory))),
      budget_(settings.migration_budget ? kib_of(*settings.migration_budget)
                                        : std::numeric_limits<std::int64_t>::max()) {}

TaskNeeds NeedsOfTasks::of(JobId job, std::int64_t tasks) const {
  const auto of_host = [this](double part) { return whole_units(part, host_memory_); };
  if (settings_.rule == NeedsRule::kFile && cpu_ != nullptr && !cpu_->of(job).empty()) {
    return {cpu_->of(job).front(), of_host(memory_->of(job).front())};
  }
  if (settings_.rule != NeedsRule::kDfrs) {
    return {settings_.cpu, std::max<std::int64_t>(0, of_trace_(job))};
  }
  auto engine = job_stream(seed_, kNeedsStream, attributes_->number(job));
  const bool is_least = uniform(engine) < kChanceOfLeast;
  const double times = is_least ? 1.0 : 2.0 + 8.0 * uniform(engine);
  return {tasks == 1 ? kCpuOfOneTask : 1.0, of_host(kLeastMemory * times)};
}

double NeedsOfTasks::rate(JobId job, double yield, std::int64_t times) const {
  if (settings_.cap_overhead == 0 && !has_error()) return yield;
  const double rate = yield * (1 - settings_.cap_overhead) * (1 + error(job, times));
  return std::clamp(rate, 0.0, 1.0);
}

// A random sign and an exponential size.
double NeedsOfTasks::error(JobId job, std::int64_t times) const {
  if (!has_error()) return 0;
  auto engine =
      job_stream(seed_ + static_cast<std::uint64_t>(times) * 0x9E3779B97F4A7C15U,
                 kErrorStream, attributes_->number(job));
  const double sign = uniform(engine) < 0.5 ? -1 : 1;
  double size = 0;
  do {
    size = -settings_.cap_error * std::log1p(-uniform(engine));
  } while (size > settings_.cap_error_max);
  return sign * size;
}

}  // namespace berth
