#include "engine/machines/two_tier/cpu_nature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

namespace berth {

namespace {

constexpr const char* kUseStream = "workload.cpu_usage";
constexpr const char* kLossStream = "two_tier.loss";
constexpr const char* kEfficiencyStream = "two_tier.efficiency";

double draw(const Spread& spread, JobEngine& engine) {
  return spread.least + (spread.most - spread.least) * uniform(engine);
}

double draw_efficiency(const TwoTierSettings& settings, bool single,
                       JobEngine& engine) {
  if (single) return draw(settings.bg_eff_single, engine);
  const auto& [least, most] = settings.bg_eff_multi;
  if (least == most) return least;
  boost::random::normal_distribution<double> normal(settings.bg_eff_mean,
                                                    settings.bg_eff_sd);
  double drawn = normal(engine);
  while (drawn < least || drawn > most) drawn = normal(engine);
  return drawn;
}

// Highest declared use first; equal ones keep their order.
void put_in_order(CpuNature& nature) {
  std::vector<std::size_t> order(nature.use.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return nature.declared[a] > nature.declared[b];
  });
  const auto sorted = [&order](const std::vector<double>& values) {
    std::vector<double> out;
    out.reserve(values.size());
    for (const std::size_t at : order) out.push_back(values[at]);
    return out;
  };
  nature.use = sorted(nature.use);
  nature.declared = sorted(nature.declared);
}

std::span<const double> given_in(const JobAttributes::Column* column, JobId job) {
  return column != nullptr ? column->of(job) : std::span<const double>();
}

}  // namespace

CpuNatures::CpuNatures(const TwoTierSettings& settings, std::uint64_t seed,
                       std::shared_ptr<const JobAttributes> attributes)
    : settings_(settings),
      seed_(seed),
      attributes_(std::move(attributes)),
      use_(attributes_->column("cpu_use")),
      declared_(attributes_->column("cpu_declared")),
      loss_(attributes_->column("fg_loss")),
      efficiency_(attributes_->column("bg_eff")) {}

CpuNature CpuNatures::of(JobId job, const Demand& demand) const {
  const auto processes = static_cast<std::size_t>(demand.processors());
  CpuNature nature;
  set_uses(nature, job, processes);
  if (const auto given = given_in(loss_, job); !given.empty()) {
    nature.loss = given.front();
  } else {
    auto engine = job_stream(seed_, kLossStream, attributes_->number(job));
    nature.loss = draw(settings_.fg_loss, engine);
  }
  if (const auto given = given_in(efficiency_, job); !given.empty()) {
    nature.efficiency = {given.front()};
  } else {
    nature.efficiency = draw_efficiencies(job, processes);
  }
  return nature;
}

std::vector<double> CpuNatures::draw_uses(JobId job, std::size_t processes) const {
  if (settings_.cpu_use) return std::vector(processes, *settings_.cpu_use);
  if (processes == 1) return {1.0};
  auto engine = job_stream(seed_, kUseStream, attributes_->number(job));
  if (settings_.usage_scope == DrawScope::kJob) {
    return std::vector(processes, draw(settings_.use_of_many, engine));
  }
  std::vector<double> uses(processes);
  for (double& use : uses) use = draw(settings_.use_of_many, engine);
  return uses;
}

std::vector<double> CpuNatures::draw_efficiencies(JobId job,
                                                  std::size_t processes) const {
  auto engine = job_stream(seed_, kEfficiencyStream, attributes_->number(job));
  const bool each = settings_.eff_scope == DrawScope::kProcess;
  std::vector<double> drawn(each ? processes : 1);
  for (double& value : drawn) {
    value = draw_efficiency(settings_, processes == 1, engine);
  }
  return drawn;
}

void CpuNatures::set_uses(CpuNature& nature, JobId job, std::size_t processes) const {
  const auto given = given_in(use_, job);
  nature.use = given.empty() ? draw_uses(job, processes)
                             : std::vector(given.begin(), given.end());
  if (!given.empty()) check_given(given, job, processes);
  if (!settings_.cpu_usage_known) return;
  const auto declared = given_in(declared_, job);
  nature.declared =
      declared.empty() ? nature.use : std::vector(declared.begin(), declared.end());
  if (!declared.empty()) check_given(declared, job, processes);
  if (nature.declared == nature.use) {
    std::sort(nature.use.begin(), nature.use.end(), std::greater<>());
    nature.declared = nature.use;
  } else {
    put_in_order(nature);
  }
}

void CpuNatures::check_given(std::span<const double> uses, JobId job,
                             std::size_t processes) const {
  const auto number = attributes_->number(job);
  if (uses.size() != processes) {
    throw Error(ErrorCode::kInput, fmt::format("cpu_use of job {}: {} values for {} "
                                               "processes",
                                               number, uses.size(), processes));
  }
  for (const double use : uses) {
    if (use > 0 && use <= 1) continue;
    throw Error(
        ErrorCode::kInput,
        fmt::format("cpu_use of job {}: {} is not above 0 and at most 1", number, use));
  }
}

double background_rate(BackgroundCap cap, double efficiency, double use, double idle) {
  if (cap == BackgroundCap::kAfter) return std::min(1.0, efficiency * idle / use);
  return efficiency * std::min(1.0, idle / use);
}

}  // namespace berth
