#include "capi/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "capi/failures.hpp"
#include "engine/jobs/label.hpp"
#include "study/metrics/own_metrics.hpp"
#include "study/policies/recorded.hpp"
#include "study/runs/expectations.hpp"
#include "study/scenario/scenario_reader.hpp"

namespace berth::capi {

namespace {

constexpr const char* kName = "scenario.toml";  // of the text, in messages

std::shared_ptr<const OpenScenario> open_scenario(std::string_view toml,
                                                  const char* folder) {
  auto scenario = study::read_scenario_in(folder == nullptr ? "" : folder, kName, toml);
  if (!scenario.sweep.empty() || scenario.windows) {
    wrong_use("a scenario with [sweep] has several points: berth_study runs them");
  }
  if (scenario.is_of_cases()) {
    wrong_use("a study of cases has no jobs over time: berth_study runs it");
  }
  study::load_own_metrics(scenario, usual_limits());
  study::ReadingOptions options;
  options.limits = usual_limits();
  options.keep_recorded = study::replays(scenario);
  Budget budget;
  auto workload = study::prepare_workload(scenario, options, budget);
  auto made = std::make_shared<OpenScenario>(
      OpenScenario{std::move(scenario), study::PolicyLibrary::standard()});
  made->workload = std::move(workload);
  if (made->scenario.run.expectations) {
    const study::PreparedPoint prepared(made->scenario, made->workload);
    made->expected = std::make_shared<const std::vector<Time>>(expected_ends(prepared));
  }
  return made;
}

struct Column {
  std::string_view name;
  double (*value)(const Job&);
};

constexpr std::array kColumns{
    Column{"id", [](const Job& job) { return static_cast<double>(job.id); }},
    Column{"submit", [](const Job& job) { return to_seconds(job.submit); }},
    Column{"size", [](const Job& job) { return static_cast<double>(job.size); }},
    Column{"walltime", [](const Job& job) { return to_seconds(job.walltime); }},
    Column{"length", [](const Job& job) { return to_seconds(job.length); }},
    Column{"user",
           [](const Job& job) { return static_cast<double>(label_number(job.user)); }},
};

}  // namespace

bindings::Limits usual_limits() {
  bindings::Limits limits;
  limits.time_seconds = 0;
  limits.work_units = 50'000'000;
  limits.are_options = false;
  return limits;
}

}  // namespace berth::capi

using namespace berth::capi;  // NOLINT(google-build-using-namespace): the C interface

int32_t berth_scenario_open(const char* toml, size_t bytes, const char* folder,
                            berth_scenario** out, berth_error* error) {
  return caught(
      [&]() -> std::int32_t {
        if (out == nullptr) wrong_use("out is NULL");
        *out = nullptr;
        if (toml == nullptr) wrong_use("toml is NULL");
        auto opened = open_scenario({toml, bytes}, folder);
        *out = new berth_scenario{std::move(opened)};
        return BERTH_OK;
      },
      error);
}

int64_t berth_scenario_column(const berth_scenario* scenario, const char* name,
                              double* out, int64_t capacity) {
  return caught(
      [&]() -> std::int64_t {
        if (scenario == nullptr) wrong_use("scenario is NULL");
        const auto wanted = text_of(name, "name");
        const auto* const column =
            std::find_if(kColumns.begin(), kColumns.end(),
                         [&](const auto& each) { return each.name == wanted; });
        if (column == kColumns.end()) wrong_use("there is no such column of jobs");
        const auto& jobs = scenario->opened->workload->loaded.workload.jobs;
        const auto count = static_cast<std::int64_t>(jobs.size());
        if (out != nullptr && count <= capacity) {
          std::transform(jobs.begin(), jobs.end(), out, column->value);
        }
        return count;
      },
      static_cast<berth_error*>(nullptr));
}

void berth_scenario_close(berth_scenario* scenario) { delete scenario; }
