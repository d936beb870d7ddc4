#include "study/measured_sweep.hpp"

#include <fmt/format.h>

#include <atomic>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "engine/output/atomic_file.hpp"
#include "engine/output/sha256.hpp"
#include "study/exit_code.hpp"
#include "study/policy_set.hpp"
#include "study/prepared_point.hpp"
#include "study/resolved_scenario.hpp"
#include "study/version.hpp"
#include "study/workers.hpp"

namespace berth::study {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// Long runs on a busy machine: what is late there is no reason to stop.
constexpr bindings::Limits kLimits{.time_seconds = 600};

Measured measured(const Summary& summary) {
  Measured values;
  for (const auto& metric : summary.metrics) {
    if (metric.value) values.emplace(metric.name, *metric.value);
  }
  const auto jobs = static_cast<double>(summary.jobs.finished);
  if (jobs == 0) return values;
  const auto& counts = summary.counts;
  values["kills_a_job"] = static_cast<double>(counts.kills) / jobs;
  values["migrations_a_job"] = static_cast<double>(counts.migrations) / jobs;
  values["swaps_a_job"] = static_cast<double>(counts.swaps) / jobs;
  return values;
}

// What a kept result must have been made from: nothing that decides is left out.
std::string identity(const Scenario& scenario,
                     const std::vector<std::unique_ptr<LoadedPolicy>>& policies) {
  std::string text(version());
  Point point{scenario.machine, {}, scenario.run, {}};
  point.machine.processors = scenario.processors.value_or(0);
  point.machine.migration_cost = scenario.migration_cost.value_or(-1);
  point.machine.pick = scenario.pick.value_or(Pick::kLowest);
  for (const auto& policy : policies) {
    if (policy->failure.code != kDone) {
      throw Error(static_cast<ErrorCode>(policy->failure.code), policy->failure.text);
    }
    text += resolved_text(scenario, point, *policy);
    for (const auto& source : policy->policy->sources()) text += source.text;
  }
  return sha256(text);
}

std::optional<std::map<std::string, Measured>> kept_result(const fs::path& file,
                                                           const std::string& made_of) {
  std::ifstream in(file);
  if (!in) return std::nullopt;
  const auto text = json::parse(in, nullptr, false);
  if (text.is_discarded() || text.value("made_of", "") != made_of) return std::nullopt;
  return text.at("policies").get<std::map<std::string, Measured>>();
}

class Measuring {
 public:
  Measuring(const Scenario& scenario, const PolicyLibrary& library,
            const MeasureOptions& options)
      : grid_(scenario), library_(library), options_(options) {
    if (options.kept) fs::create_directories(*options.kept);
  }

  std::vector<MeasuredPoint> run() {
    std::vector<MeasuredPoint> points(grid_.size());
    for_each_index(points.size(), options_.workers, [&](std::size_t i) {
      if (options_.interrupted && options_.interrupted()) throw Interrupted{};
      points[i] = measure(i);
      if (options_.progress) options_.progress(++finished_, points.size());
    });
    return points;
  }

 private:
  MeasuredPoint measure(std::size_t number) {
    const auto point = grid_.point(number);
    MeasuredPoint result{grid_.cell(number / grid_.replications()), {}};
    const auto policies = load_policies(point.scenario, library_, {kLimits, {}});
    const auto made_of = identity(point.scenario, policies);
    fs::path file;
    if (options_.kept) {
      file = *options_.kept / (point.name + ".json");
      if (auto kept = kept_result(file, made_of)) {
        result.by_policy = std::move(*kept);
        return result;
      }
    }
    const PreparedPoint prepared(point.scenario, prepare_workload(point.scenario, {}));
    const Watch watch{options_.interrupted, {}};
    for (const auto& policy : policies) {
      const auto done =
          run_policy(prepared.point, *policy->policy, options_.audit, {}, watch);
      result.by_policy.emplace(policy->label, measured(done.summary));
    }
    if (options_.kept) {
      write_file(file,
                 json{{"made_of", made_of}, {"policies", result.by_policy}}.dump(1));
    }
    return result;
  }

  SweepGrid grid_;
  const PolicyLibrary& library_;
  const MeasureOptions& options_;
  std::atomic<std::size_t> finished_ = 0;
};

}  // namespace

std::vector<MeasuredPoint> measure_sweep(const Scenario& scenario,
                                         const PolicyLibrary& library,
                                         const MeasureOptions& options) {
  return Measuring(scenario, library, options).run();
}

}  // namespace berth::study
