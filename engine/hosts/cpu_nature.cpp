#include "engine/hosts/cpu_nature.hpp"

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

std::size_t processes(const Needs& needs) {
  return static_cast<std::size_t>(needs.processors);
}

std::vector<double> draw_uses(const TwoTierSettings& settings, const Needs& needs) {
  if (settings.cpu_use) return std::vector(processes(needs), *settings.cpu_use);
  if (needs.processors == 1) return {1.0};
  auto engine = job_stream(settings.seed, kUseStream, needs.number);
  if (settings.usage_scope == DrawScope::kJob) {
    return std::vector(processes(needs), draw(settings.use_of_many, engine));
  }
  std::vector<double> uses(processes(needs));
  for (double& use : uses) use = draw(settings.use_of_many, engine);
  return uses;
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

std::vector<double> draw_efficiencies(const TwoTierSettings& settings,
                                      const Needs& needs) {
  auto engine = job_stream(settings.seed, kEfficiencyStream, needs.number);
  const bool single = needs.processors == 1;
  const bool each = settings.eff_scope == DrawScope::kProcess;
  std::vector<double> drawn(each ? processes(needs) : 1);
  for (double& value : drawn) value = draw_efficiency(settings, single, engine);
  return drawn;
}

void check_given(const std::vector<double>& uses, const Needs& needs) {
  if (uses.size() != processes(needs)) {
    throw Error(ErrorCode::kInput,
                fmt::format("cpu_use of job {}: {} values for {} processes",
                            needs.number, uses.size(), needs.processors));
  }
  for (const double use : uses) {
    if (use > 0 && use <= 1) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("cpu_use of job {}: {} is not above 0 and at most 1",
                            needs.number, use));
  }
}

// Highest declared use first; equal ones stay as they are.
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

const CpuGiven* given_for(const TwoTierSettings& settings, const Needs& needs) {
  if (settings.given == nullptr) return nullptr;
  const auto at = settings.given->find(needs.number);
  return at == settings.given->end() ? nullptr : &at->second;
}

void set_uses(CpuNature& nature, const TwoTierSettings& settings, const Needs& needs,
              const CpuGiven* given) {
  const bool drawn = given == nullptr || given->use.empty();
  nature.use = drawn ? draw_uses(settings, needs) : given->use;
  if (!drawn) check_given(nature.use, needs);
  if (!settings.cpu_usage_known) return;
  nature.declared =
      given == nullptr || given->declared.empty() ? nature.use : given->declared;
  if (given != nullptr && !given->declared.empty()) check_given(nature.declared, needs);
  if (nature.declared == nature.use) {
    std::sort(nature.use.begin(), nature.use.end(), std::greater<>());
    nature.declared = nature.use;
  } else {
    put_in_order(nature);
  }
}

}  // namespace

CpuNature cpu_nature(const TwoTierSettings& settings, const Needs& needs) {
  const auto* given = given_for(settings, needs);
  CpuNature nature;
  set_uses(nature, settings, needs, given);
  if (given != nullptr && given->loss) {
    nature.loss = *given->loss;
  } else {
    auto engine = job_stream(settings.seed, kLossStream, needs.number);
    nature.loss = draw(settings.fg_loss, engine);
  }
  if (given != nullptr && given->efficiency) {
    nature.efficiency = {*given->efficiency};
  } else {
    nature.efficiency = draw_efficiencies(settings, needs);
  }
  return nature;
}

double background_rate(BackgroundCap cap, double efficiency, double use, double idle) {
  if (cap == BackgroundCap::kAfter) return std::min(1.0, efficiency * idle / use);
  return efficiency * std::min(1.0, idle / use);
}

}  // namespace berth
