#include "engine/machines/sharing_models.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/jobs/job_columns.hpp"

namespace berth {

const ModelRecord* find_model(std::string_view name) {
  const auto models = sharing_models();
  const auto at = std::find_if(models.begin(), models.end(),
                               [&](const auto& model) { return model.name == name; });
  return at == models.end() ? nullptr : &*at;
}

std::vector<const CaseStudy*> case_studies() {
  std::vector<const CaseStudy*> all;
  for (const auto& model : sharing_models()) {
    if (model.cases != nullptr) all.push_back(&model.cases());
  }
  return all;
}

const CaseStudy* find_case_study(std::string_view name) {
  for (const auto& model : sharing_models()) {
    if (model.cases != nullptr && model.cases().name == name) return &model.cases();
  }
  return nullptr;
}

sim::Machine default_machine(std::string_view sharing, std::int32_t processors) {
  const auto* model = find_model(sharing);
  BERTH_ASSERT(model != nullptr);
  sim::Machine machine;
  machine.processors = processors;
  machine.sharing = sharing;
  machine.pick = model->default_pick;
  machine.preemption = model->preempts;
  machine.migration_cost = model->default_migration_cost;
  if (model->processors != nullptr) {
    machine.processors = model->processors(machine, model->settings().defaults);
  }
  return machine;
}

const ModelRecord& model_of(const sim::Machine& machine) {
  const auto* model = find_model(machine.sharing);
  if (model != nullptr) return *model;
  throw Error(
      ErrorCode::kUsage,
      fmt::format("machine.sharing: there is no sharing model '{}'", machine.sharing));
}

void set_model_setting(sim::Machine& machine, std::string_view name,
                       const SettingValue& value) {
  const auto& model = model_of(machine);
  if (model.settings == nullptr) return;
  const auto own = model.settings();
  if (!machine.model_settings.has_value()) machine.model_settings = own.defaults;
  for (const auto& record : own.records) {
    if (record.name == name) record.set(machine.model_settings, value);
  }
}

ModelSpec spec_of(const sim::Machine& machine, std::span<const Job> jobs,
                  std::uint64_t seed) {
  return {machine, jobs, std::make_shared<JobColumns>(jobs), seed};
}

std::unique_ptr<MachineMeasure> make_measure(const ModelSpec& spec,
                                             const Window& window) {
  const auto& model = model_of(spec.machine);
  return model.measure != nullptr ? model.measure(spec, window) : nullptr;
}

FillDemand fill_demand(const ModelSpec& spec) {
  const auto& model = model_of(spec.machine);
  if (model.filling != nullptr) return model.filling(spec);
  FillDemand demand{spec.machine.processors};
  demand.jobs.reserve(spec.jobs.size());
  for (const auto& job : spec.jobs) demand.jobs.push_back({job.size, job.size});
  return demand;
}

void add_measured(const sim::Machine& machine, const MachineMeasure* measure,
                  Summary& summary) {
  if (measure == nullptr) return;
  const auto& model = model_of(machine);
  const auto group = model.metrics != nullptr ? model.metrics() : MetricGroup{};
  add_measured(summary, group, measure->values());
}

std::unique_ptr<SharingModel> make_model(const sim::Machine& machine,
                                         std::span<const Job> jobs,
                                         std::uint64_t seed) {
  return model_of(machine).make(spec_of(machine, jobs, seed));
}

std::unique_ptr<audit::Law> make_law(const sim::Machine& machine,
                                     std::span<const Job> jobs, std::uint64_t seed) {
  return model_of(machine).law(spec_of(machine, jobs, seed));
}

}  // namespace berth
