#include "study/point_run.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "study/finished_point.hpp"
#include "study/folder_name.hpp"
#include "study/run_identity.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

// The policy of this number alone, with its parameters at the point.
std::unique_ptr<LoadedPolicy> load_one(const Scenario& point, std::size_t policy,
                                       const PolicyLibrary& library,
                                       const LoadingOptions& options) {
  auto alone = point;
  alone.policies = {point.policies[policy]};
  return std::move(load_policies(alone, library, options).front());
}

std::optional<BatchOptions> batch_options(const RunKeys& run) {
  constexpr double kConfidence = 0.95;  // as for replications
  if (!run.batches) return std::nullopt;
  return BatchOptions{static_cast<std::size_t>(*run.batches), kConfidence};
}

}  // namespace

PointRun::PointRun(SweepShared& shared, PointOutcome& outcome)
    : shared_(shared),
      outcome_(outcome),
      workload_key_(workload_key(shared.plan.grid().point(outcome.number).scenario)),
      left_(outcome.policies.size()),
      finished_(outcome.policies.size()) {}

bool PointRun::has_begun() const {
  const std::lock_guard lock(mutex_);
  return has_begun_;
}

void PointRun::run(std::size_t policy) {
  auto& outcome = outcome_.policies[policy];
  try {
    begin();
    simulate(policy);
  } catch (...) {
    outcome.failure = failure_now();
  }
  const std::lock_guard lock(mutex_);
  if (--left_ == 0) close();
}

void PointRun::begin() {
  const std::lock_guard lock(mutex_);
  if (has_begun_) return;
  outcome_.state = PointState::kRan;
  if (shared_.folder) folder_ = shared_.folder->begin(outcome_.name);
  has_begun_ = true;
}

void PointRun::simulate(std::size_t policy) {
  const auto& planned = shared_.plan.runs(outcome_.number)[policy];
  const auto& options = shared_.options;
  const auto scenario = shared_.plan.grid().point(outcome_.number).scenario;
  const PreparedPoint prepared(scenario,
                               shared_.workloads.take(workload_key_, scenario));
  {
    const std::lock_guard lock(mutex_);
    outcome_.warnings = prepared.workload->messages;
  }
  if (planned.failure.code != kDone) {
    outcome_.policies[policy].failure = planned.failure;
    return;
  }
  const auto print = [&](std::string_view label, std::string_view line) {
    if (options.print) options.print(fmt::format("{} {}", outcome_.name, label), line);
  };
  const auto loaded =
      load_one(scenario, policy, shared_.library, {options.limits, print});
  if (loaded->failure.code != kDone) {
    outcome_.policies[policy].failure = loaded->failure;
    return;
  }
  const auto& plan = shared_.plan;
  const auto& read = prepared.workload->loaded.sha256;
  const bool other_trace = read && *read != plan.checksum(scenario.workload.trace);
  if (other_trace ||
      run_identity(scenario, policy_identity(*loaded), plan.inputs_of(scenario),
                   options.audit) != planned.identity) {
    throw Error(ErrorCode::kInput,
                fmt::format("{}: a policy or a trace has changed while the sweep ran; "
                            "start it again",
                            outcome_.name));
  }
  run_loaded(policy, prepared, *loaded);
}

void PointRun::run_loaded(std::size_t policy, const PreparedPoint& prepared,
                          LoadedPolicy& loaded) {
  SingleRunOptions single;
  single.audit = shared_.options.audit;
  single.keep = shared_.options.keep;
  single.log = shared_.options.log;
  single.threads = shared_.options.workers;
  single.identity = shared_.plan.runs(outcome_.number)[policy].identity;
  fs::path folder;
  if (!folder_.empty()) {
    folder = folder_ / folder_name(loaded.label);
    fs::create_directory(folder);
  }
  PolicyOutcome ran;
  ran.label = loaded.label;
  try {
    run_single(prepared, loaded, folder, single, ran);
  } catch (...) {
    std::error_code ignored;
    if (!folder.empty()) fs::remove_all(folder, ignored);
    throw;
  }
  auto& outcome = outcome_.policies[policy];
  outcome.warnings = std::move(ran.warnings);
  if (shared_.options.summaries) outcome.summary_json = std::move(ran.summary_json);
  outcome.run = ReplicatedRun{std::move(ran.result.summary), {}, {}, {}};
  const auto& point = prepared.point;
  const auto window =
      window_of(point.jobs, point.run.measure, point.run.warmup_fraction);
  finished_[policy] = {prepared.workload, std::move(ran.result.outcomes),
                       window.first_job, point.run.metrics.bound,
                       batch_options(point.run)};
}

void PointRun::close() {
  try {
    compare_jobs();
    if (shared_.folder && !folder_.empty()) write();
  } catch (...) {
    const auto failure = failure_now();
    for (auto& policy : outcome_.policies) {
      if (policy.failure.code == kDone) policy.failure = failure;
      policy.run.reset();
    }
    if (shared_.folder) shared_.folder->drop(outcome_.name);
  }
  finished_.clear();
}

void PointRun::compare_jobs() {
  const auto& base = finished_.front();
  for (std::size_t i = 0; i < finished_.size(); ++i) {
    const auto& own = finished_[i];
    if (!own) continue;
    auto& run = *outcome_.policies[i].run;
    if (own->batches) {
      run.batches = batched_metrics(own->jobs(), own->bound, *own->batches);
    }
    if (i == 0 || !base) continue;
    run.common = common_jobs(base->jobs(), own->jobs(), own->bound);
    if (own->batches) {
      run.difference_batches =
          batched_differences(base->jobs(), own->jobs(), own->bound, *own->batches);
    }
  }
}

void PointRun::write() {
  const auto& planned = shared_.plan.runs(outcome_.number);
  std::vector<const ReplicatedRun*> results;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const auto& run = outcome_.policies[i];
    results.push_back(run.run ? &*run.run : nullptr);
    if (run.failure.code == kDone) continue;
    const auto folder = folder_ / folder_name(planned[i].label);
    fs::create_directory(folder);
    write_failure(folder, planned[i], run.failure);
  }
  write_point(folder_, planned, results);
  shared_.folder->keep(outcome_.name);
}

}  // namespace berth::study
