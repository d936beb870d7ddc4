#pragma once
// The sharing models there are, one record each, and what is made by name.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/machines/model_record.hpp"

namespace berth {

[[nodiscard]] std::span<const ModelRecord> sharing_models();

// nullptr if there is no model of this name.
[[nodiscard]] const ModelRecord* find_model(std::string_view name);

// The studies of cases that models have.
[[nodiscard]] std::vector<const CaseStudy*> case_studies();
// nullptr if there is none of this name.
[[nodiscard]] const CaseStudy* find_case_study(std::string_view name);

// A machine of this size, or of that which follows from the model's settings, with the
// defaults of its model.
// REQUIRES: `sharing` names a model.
[[nodiscard]] sim::Machine default_machine(std::string_view sharing,
                                           std::int32_t processors);

// The record that the machine names.  Throws Error{kUsage} if there is none.
[[nodiscard]] const ModelRecord& model_of(const sim::Machine& machine);

// Sets one of the model's settings on a machine; nothing if the model has no setting of
// this name.  REQUIRES: wrong_with() finds the value right.
void set_model_setting(sim::Machine& machine, std::string_view name,
                       const SettingValue& value);

// For jobs without further attributes.  The jobs outlive the specification.
[[nodiscard]] ModelSpec spec_of(const sim::Machine& machine, std::span<const Job> jobs,
                                std::uint64_t seed = 0);

// What the machine measures besides; null: nothing.
[[nodiscard]] std::unique_ptr<MachineMeasure> make_measure(const ModelSpec& spec,
                                                           const Window& window);
// What the jobs ask for of what fills the machine.
[[nodiscard]] FillDemand fill_demand(const ModelSpec& spec);

// Puts what was measured into the summary of the run.  `measure` may be null.
void add_measured(const sim::Machine& machine, const MachineMeasure* measure,
                  Summary& summary);

// The sharing model, or the law, of a machine whose jobs have no further attributes.
[[nodiscard]] std::unique_ptr<SharingModel> make_model(const sim::Machine& machine,
                                                       std::span<const Job> jobs,
                                                       std::uint64_t seed = 0);
[[nodiscard]] std::unique_ptr<audit::Law> make_law(const sim::Machine& machine,
                                                   std::span<const Job> jobs,
                                                   std::uint64_t seed = 0);

}  // namespace berth
