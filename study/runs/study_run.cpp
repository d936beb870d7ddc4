#include "study/runs/study_run.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>

#include "bindings/sandbox/watchdog.hpp"
#include "engine/base/leftovers.hpp"
#include "engine/base/printable.hpp"
#include "study/common/folder_name.hpp"
#include "study/common/for_each_index.hpp"
#include "study/common/open_files.hpp"
#include "study/policies/recorded.hpp"
#include "study/results/finished_point.hpp"
#include "study/runs/point_run.hpp"

namespace berth::study {

namespace {

class Study {
 public:
  Study(StudyPlan& plan, const StudyOptions& options)
      : shared_{plan,
                options,
                SharedWorkloads({options.strict, false, replays(plan.scenario()), false,
                                 options.limits},
                                options.input_seconds),
                {}} {
    if (!options.out) return;
    shared_.folder.emplace(*options.out, place(), plan.text(), options.existing,
                           options.shard);
  }

  StudyOutcome run() {
    outcome_.layout = shared_.options.layout;
    outcome_.labels = shared_.plan.labels();
    list_points();
    if (is_run()) read_workload();
    for (auto& point : outcome_.points) {
      if (reuse(point)) continue;
      points_.push_back(std::make_unique<PointRun>(shared_, point));
    }
    put_equal_workloads_together();
    list_runs();
    shared_.options.workers =
        workers_by_files(std::min(shared_.options.workers, runs_.size()));
    const LastWords last_words([this] { return kept_so_far(); });
    const auto watchdog = shared_.options.limits.need_watchdog()
                              ? bindings::shared_watchdog()  // one thread for all runs
                              : nullptr;
    for_each_index(runs_.size(), shared_.options.workers,
                   [&](std::size_t i) { run_one(*runs_[i].point, runs_[i].policy); });
    return std::move(outcome_);
  }

 private:
  struct Run {
    PointRun* point;
    std::size_t policy;
  };

  [[nodiscard]] bool is_run() const { return shared_.options.layout == Layout::kRun; }

  [[nodiscard]] PointPlace place() const {
    if (!is_run()) return PointPlace::kInPoints;
    return shared_.plan.runs(0).size() > 1 ? PointPlace::kInFolder
                                           : PointPlace::kItself;
  }

  void list_points() {
    const auto& grid = shared_.plan.grid();
    for (std::size_t i = 0; i < grid.size(); ++i) {
      if (!shared_.options.shard.has(i)) continue;
      PointOutcome point;
      point.number = i;
      point.name = grid.name(i);
      point.settings = grid.settings(i);
      for (const auto& planned : shared_.plan.runs(i)) {
        point.policies.push_back({planned.label});
      }
      outcome_.points.push_back(std::move(point));
    }
  }

  // For a process that ends here, whatever the other workers do.
  [[nodiscard]] std::string kept_so_far() const {
    if (!shared_.folder) return {};
    std::vector<std::string> names;
    if (is_run()) names = outcome_.labels;
    for (const auto& point : outcome_.points) {
      if (!is_run()) names.push_back(point.name);
    }
    const auto kept = shared_.kept.among(names);
    if (kept.empty()) return {};
    const auto& options = shared_.options;
    return message_text(kept_text(options.layout, kept, names.size(),
                                  shared_.folder->path(), options.existing));
  }

  // Before any policy: a workload, or instances, that cannot be made fail the run, not
  // each of its policies.  What was read is part of the identity of the results.
  void read_workload() {
    const auto scenario = shared_.plan.grid().point(0).scenario;
    std::optional<std::string> trace;
    if (scenario.is_of_cases()) {
      static_cast<void>(case_point(scenario, shared_.options.input_seconds));
    } else {
      const auto key = workload_key(scenario);
      shared_.workloads.announce(key, 1 + outcome_.labels.size());
      trace = shared_.workloads.take(key, scenario)->loaded.sha256;
    }
    if (shared_.folder) shared_.plan.identify(trace);
  }

  // Whether the point is finished in the folder.
  bool reuse(PointOutcome& point) {
    if (!shared_.folder) return false;
    return is_run() ? reuse_policies(point) : reuse_point(point);
  }

  [[nodiscard]] Wanted wanted() const {
    return {shared_.options.keep, shared_.options.log};
  }

  void take(FinishedRun& result, PolicyOutcome& policy) const {
    policy.run = std::move(result.run);
    if (shared_.options.summaries) policy.summary_json = std::move(result.summary_json);
  }

  bool reuse_point(PointOutcome& point) {
    auto finished = read_finished(shared_.folder->point(point.name),
                                  shared_.plan.runs(point.number), wanted());
    point.was_of_old_format =
        !finished && is_of_old_format(shared_.folder->point(point.name));
    if (!finished) return false;
    point.state = PointState::kReused;
    shared_.kept.add(point.name);
    for (std::size_t i = 0; i < point.policies.size(); ++i) {
      take(*finished->results[i], point.policies[i]);
    }
    return true;
  }

  // A study of cases compares all of its policies, so its point is closed anew.
  bool reuse_policies(PointOutcome& point) {
    const auto& planned = shared_.plan.runs(point.number);
    bool are_all = !shared_.plan.scenario().is_of_cases();
    for (std::size_t i = 0; i < planned.size(); ++i) {
      const auto folder = shared_.folder->point(folder_name(planned[i].label));
      auto result = read_finished_run(folder, planned[i], wanted());
      are_all = are_all && result;
      if (!result) continue;
      take(*result, point.policies[i]);
      point.policies[i].is_reused = true;
      shared_.kept.add(point.policies[i].label);
    }
    const bool has_comparison =
        planned.size() == 1 ||
        std::filesystem::exists(shared_.folder->path() / "comparison.csv");
    if (are_all) point.state = PointState::kReused;
    return are_all && has_comparison;
  }

  // So that few workloads are alive at one time; else in the order of the grid.
  void put_equal_workloads_together() {
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      first.emplace(points_[i]->workload(), i);
    }
    std::stable_sort(points_.begin(), points_.end(), [&](const auto& a, const auto& b) {
      return first.at(a->workload()) < first.at(b->workload());
    });
  }

  void list_runs() {
    for (const auto& point : points_) {
      const auto policies = point->to_run();
      for (const auto policy : policies) runs_.push_back({point.get(), policy});
      if (policies.empty()) point->close_reused();
      if (!is_run()) shared_.workloads.announce(point->workload(), policies.size());
    }
  }

  void run_one(PointRun& point, std::size_t policy) {
    const auto& options = shared_.options;
    const bool stop = options.interrupted && options.interrupted();
    if (stop && !is_run() && !point.has_begun()) return;
    point.run(policy);
    const auto done = ++runs_done_;
    if (options.progress && !is_run()) {
      options.progress("points", done / outcome_.labels.size(), points_.size());
    }
  }

  StudyShared shared_;
  StudyOutcome outcome_;
  std::vector<std::unique_ptr<PointRun>> points_;  // that are not finished
  std::vector<Run> runs_;
  std::atomic<std::size_t> runs_done_{0};
};

}  // namespace

StudyOutcome run_study(StudyPlan& plan, const StudyOptions& options) {
  return Study(plan, options).run();
}

StudyOutcome run_study(const Scenario& scenario, const PolicyLibrary& library,
                       const StudyOptions& options) {
  // What a script prints while it is loaded is shown once: by the runs of a sweep.
  const bool is_run = options.layout == Layout::kRun;
  StudyPlan plan(
      scenario, library,
      {options.limits, is_run ? options.print : PrintSink(), {}, options.profiles},
      options.layout, options.audit);
  return run_study(plan, options);
}

}  // namespace berth::study
