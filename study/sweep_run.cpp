#include "study/sweep_run.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>

#include "engine/base/error.hpp"
#include "study/finished_point.hpp"
#include "study/point_run.hpp"
#include "study/workers.hpp"

namespace berth::study {

namespace {

class SweepRun {
 public:
  SweepRun(const SweepPlan& plan, const PolicyLibrary& library,
           const SweepOptions& options)
      : shared_{plan, library, options, SharedWorkloads({options.strict, false, false}),
                std::nullopt} {
    if (options.out) {
      shared_.folder.emplace(*options.out, plan.text(), options.existing);
    }
  }

  SweepOutcome run() {
    outcome_.labels = shared_.plan.labels();
    list_points();
    for (auto& point : outcome_.points) {
      if (!reuse(point)) {
        to_run_.push_back(std::make_unique<PointRun>(shared_, point));
      }
    }
    put_equal_workloads_together();
    const auto policies = outcome_.labels.size();
    for (const auto& point : to_run_) {
      for (std::size_t i = 0; i < policies; ++i) {
        shared_.workloads.announce(point->workload());
      }
    }
    for_each_index(
        to_run_.size() * policies, shared_.options.workers,
        [&](std::size_t i) { run_one(*to_run_[i / policies], i % policies); });
    return std::move(outcome_);
  }

 private:
  void list_points() {
    const auto& grid = shared_.plan.grid();
    for (std::size_t i = 0; i < grid.size(); ++i) {
      if (!shared_.options.shard.has(i)) continue;
      PointOutcome point;
      point.number = i;
      point.name = grid.name(i);
      point.settings = grid.settings(i);
      for (const auto& planned : shared_.plan.runs(i)) {
        point.policies.push_back({planned.label, {}, {}, {}, {}});
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

  void run_one(PointRun& point, std::size_t policy) {
    const auto& options = shared_.options;
    const bool stop = options.interrupted && options.interrupted();
    if (stop && !point.has_begun()) return;
    point.run(policy);
    const auto done = ++runs_done_;
    if (options.progress) {
      options.progress(done, to_run_.size() * outcome_.labels.size());
    }
  }

  SweepShared shared_;
  SweepOutcome outcome_;
  std::vector<std::unique_ptr<PointRun>> to_run_;
  std::atomic<std::size_t> runs_done_{0};
};

}  // namespace

std::size_t SweepOutcome::count(PointState state) const {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(),
                    [&](const auto& point) { return point.state == state; }));
}

bool SweepOutcome::is_complete() const {
  const auto has_result = [](const RunOutcome& run) { return run.run.has_value(); };
  return std::all_of(points.begin(), points.end(), [&](const auto& point) {
    return std::all_of(point.policies.begin(), point.policies.end(), has_result);
  });
}

int SweepOutcome::code() const {
  std::vector<int> codes;
  for (const auto& point : points) {
    if (point.state == PointState::kNotBegun) codes.push_back(kInterruptedCode);
    for (const auto& run : point.policies) codes.push_back(run.failure.code);
  }
  return worst_code(codes);
}

SweepOutcome run_sweep(const SweepPlan& plan, const PolicyLibrary& library,
                       const SweepOptions& options) {
  return SweepRun(plan, library, options).run();
}

SweepOutcome run_sweep(const Scenario& scenario, const PolicyLibrary& library,
                       const SweepOptions& options) {
  const LoadingOptions loading{options.limits, nullptr};
  const SweepPlan plan(scenario, library, loading, options.audit);
  return run_sweep(plan, library, options);
}

std::vector<ReplicatedCell> cells_of(const SweepGrid& grid,
                                     const SweepOutcome& outcome) {
  std::vector<ReplicatedCell> cells(grid.cells());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].settings = grid.cell(i);
    for (const auto& label : outcome.labels) {
      cells[i].policies.push_back(
          {label, std::vector<const ReplicatedRun*>(grid.replications())});
    }
  }
  for (const auto& point : outcome.points) {
    auto& cell = cells[point.number / grid.replications()];
    for (std::size_t i = 0; i < point.policies.size(); ++i) {
      const auto& run = point.policies[i].run;
      auto& policy = cell.policies[i];
      policy.label = point.policies[i].label;
      if (run) policy.runs[point.number % grid.replications()] = &*run;
    }
  }
  return cells;
}

ReplicatedComparison comparison_of(const Scenario& scenario,
                                   const SweepOutcome& outcome, Rows rows) {
  const SweepGrid grid(scenario);
  const auto cells = cells_of(grid, outcome);
  if (rows == Rows::kUsual) return compare_replicated(cells, sweep_metrics());
  return compare_replicated(cells, all_metrics(cells));
}

std::string json_array(const SweepOutcome& outcome) {
  std::vector<const std::string*> summaries;
  for (const auto& point : outcome.points) {
    for (const auto& run : point.policies) {
      if (run.run) summaries.push_back(&run.summary_json);
    }
  }
  return json_array(summaries);
}

}  // namespace berth::study
