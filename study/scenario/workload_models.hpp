#pragma once
// The synthetic workloads a scenario can name: one record each.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

struct WorkloadModel {
  std::string_view name;
  std::string_view help;
  // What is in force where the scenario leaves it open.
  std::int64_t jobs;
  std::optional<Estimates> estimates;  // nullopt: exact
  Duration longest_estimate;           // of tsafrir
  Workload (*make)(const Scenario& scenario, std::int32_t processors, std::int64_t jobs,
                   Budget& budget);
};

[[nodiscard]] std::span<const WorkloadModel> workload_models();

// nullptr if there is none of this name.
[[nodiscard]] const WorkloadModel* find_workload_model(std::string_view name);

}  // namespace berth::study
