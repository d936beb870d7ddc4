#include "study/scenario/workload_models.hpp"

#include <algorithm>
#include <array>

#include "engine/workload/feitelson.hpp"
#include "engine/workload/jann.hpp"
#include "engine/workload/lublin.hpp"
#include "engine/workload/tenants.hpp"

namespace berth::study {

namespace {

std::uint64_t seed_of(const Scenario& scenario) {
  return static_cast<std::uint64_t>(scenario.seed);
}

Workload make_lublin(const Scenario& scenario, std::int32_t processors,
                     std::int64_t jobs, Budget& budget) {
  LublinSettings settings;
  settings.variant = scenario.workload.variant;
  settings.processors = processors;
  settings.jobs = jobs;
  settings.umed = scenario.workload.umed;
  return lublin_workload(settings, seed_of(scenario), budget);
}

Workload make_feitelson(const Scenario& scenario, std::int32_t processors,
                        std::int64_t jobs, Budget& budget) {
  return feitelson_workload(processors, jobs, seed_of(scenario), budget,
                            scenario.workload.most_repeats);
}

Workload make_jann(const Scenario& scenario, std::int32_t processors, std::int64_t jobs,
                   Budget& budget) {
  return jann_workload(processors, jobs, seed_of(scenario), budget);
}

Workload make_tenants(const Scenario& scenario, std::int32_t processors,
                      std::int64_t jobs, Budget& budget) {
  return tenants_workload(scenario.workload.tenants, processors, jobs,
                          seed_of(scenario), budget);
}

// Limits of the sites: ten hours as the estimate model's authors take for synthetic
// workloads, eighteen of the CTC.
constexpr Duration kTenHours = seconds(36'000);
constexpr Duration kEighteenHours = seconds(64'800);

constexpr std::array kModels{
    WorkloadModel{
        "lublin", "Lublin and Feitelson 2003", 5000, {}, kTenHours, make_lublin},
    WorkloadModel{"feitelson",
                  "like Feitelson 1996: a calibration, not the original",
                  5000,
                  {},
                  kTenHours,
                  make_feitelson},
    WorkloadModel{"jann",
                  "like Jann et al. 1997: refitted to the CTC log",
                  5000,
                  {},
                  kEighteenHours,
                  make_jann},
    WorkloadModel{"fwload", "feitelson, 200,000 jobs with estimates by Tsafrir's model",
                  200'000, Estimates::kTsafrir, kTenHours, make_feitelson},
    WorkloadModel{"jwload", "jann, 100,000 jobs with estimates by Tsafrir's model",
                  100'000, Estimates::kTsafrir, kEighteenHours, make_jann},
    WorkloadModel{"tenants",
                  "requests of tenants of a data centre, as in Li et al. 2018",
                  2000,
                  {},
                  kTenHours,
                  make_tenants},
};

}  // namespace

std::span<const WorkloadModel> workload_models() { return kModels; }

const WorkloadModel* find_workload_model(std::string_view name) {
  const auto* at = std::find_if(kModels.begin(), kModels.end(),
                                [&](const auto& model) { return model.name == name; });
  return at == kModels.end() ? nullptr : at;
}

}  // namespace berth::study
