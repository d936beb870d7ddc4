#include "study/runs/study_run.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>

#include "study/common/for_each_index.hpp"
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
                SharedWorkloads({options.strict, false, replays(plan.scenario())}),
                {}} {
    if (!options.out) return;
    if (is_run()) {
      run_folder_ = std::make_unique<ResultsFolder>(*options.out, options.existing);
    } else {
      shared_.folder.emplace(*options.out, plan.text(), options.existing,
                             options.shard);
    }
  }

  StudyOutcome run() {
    outcome_.layout = shared_.options.layout;
    outcome_.labels = shared_.plan.labels();
    list_points();
    for (auto& point : outcome_.points) {
      if (reuse(point)) continue;
      to_run_.push_back(
          std::make_unique<PointRun>(shared_, point, std::move(run_folder_)));
    }
    put_equal_workloads_together();
    announce_workloads();
    const auto policies = outcome_.labels.size();
    const auto runs = to_run_.size() * policies;
    shared_.options.workers = std::min(shared_.options.workers, runs);
    for_each_index(
        runs, std::max<std::size_t>(1, shared_.options.workers),
        [&](std::size_t i) { run_one(*to_run_[i / policies], i % policies); });
    return std::move(outcome_);
  }

 private:
  [[nodiscard]] bool is_run() const { return shared_.options.layout == Layout::kRun; }

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

  // Whether the point is finished in the folder.
  bool reuse(PointOutcome& point) const {
    if (!shared_.folder) return false;
    auto finished =
        read_finished(shared_.folder->point(point.name),
                      shared_.plan.runs(point.number), shared_.options.keep);
    if (!finished) return false;
    point.state = PointState::kReused;
    for (std::size_t i = 0; i < point.policies.size(); ++i) {
      auto& result = *finished->results[i];
      auto& policy = point.policies[i];
      policy.run = std::move(result.run);
      if (shared_.options.summaries) {
        policy.summary_json = std::move(result.summary_json);
      }
    }
    return true;
  }

  // So that few workloads are alive at one time; else in the order of the grid.
  void put_equal_workloads_together() {
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < to_run_.size(); ++i) {
      first.emplace(to_run_[i]->workload(), i);
    }
    std::stable_sort(to_run_.begin(), to_run_.end(), [&](const auto& a, const auto& b) {
      return first.at(a->workload()) < first.at(b->workload());
    });
  }

  void announce_workloads() {
    for (const auto& point : to_run_) {
      shared_.workloads.announce(point->workload(), outcome_.labels.size());
    }
    if (!is_run()) return;
    // Instances that cannot be made fail the run, too.
    if (shared_.plan.scenario().is_packing()) {
      return static_cast<void>(PackingPoint(shared_.plan.grid().point(0).scenario));
    }
    // A workload that cannot be made fails the run, not each of its policies.
    const auto& key = to_run_.front()->workload();
    shared_.workloads.announce(key, 1);
    static_cast<void>(
        shared_.workloads.take(key, shared_.plan.grid().point(0).scenario));
  }

  void run_one(PointRun& point, std::size_t policy) {
    const auto& options = shared_.options;
    const bool stop = options.interrupted && options.interrupted();
    if (stop && !is_run() && !point.has_begun()) return;
    point.run(policy);
    const auto done = ++runs_done_;
    if (options.progress && !is_run()) {
      options.progress("points", done / outcome_.labels.size(), to_run_.size());
    }
  }

  StudyShared shared_;
  std::unique_ptr<ResultsFolder> run_folder_;
  StudyOutcome outcome_;
  std::vector<std::unique_ptr<PointRun>> to_run_;
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
  StudyPlan plan(scenario, library,
                 {options.limits, is_run ? options.print : PrintSink()}, options.layout,
                 options.audit);
  return run_study(plan, options);
}

}  // namespace berth::study
