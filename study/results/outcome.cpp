#include "study/results/outcome.hpp"

#include <algorithm>

namespace berth::study {

namespace {

// The cells of the grid; a point that the outcome does not have has no result.
std::vector<ComparedCell> sweep_cells(const SweepGrid& grid,
                                      const StudyOutcome& outcome) {
  std::vector<ComparedCell> cells(grid.cells());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].settings = grid.cell(i);
    for (const auto& label : outcome.labels) {
      cells[i].policies.push_back(
          {label, std::vector<const ComparedRun*>(grid.replications())});
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

// The policies that have a result.
std::vector<ComparedCell> run_cell(const StudyOutcome& outcome) {
  ComparedCell cell;
  for (const auto& policy : outcome.points.front().policies) {
    if (policy.run) cell.policies.push_back({policy.label, {&*policy.run}});
  }
  return {cell};
}

}  // namespace

std::size_t StudyOutcome::count(PointState state) const {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(),
                    [&](const auto& point) { return point.state == state; }));
}

bool StudyOutcome::is_complete() const {
  const auto has_result = [](const auto& policy) { return policy.run.has_value(); };
  return std::all_of(points.begin(), points.end(), [&](const auto& point) {
    return std::all_of(point.policies.begin(), point.policies.end(), has_result);
  });
}

int StudyOutcome::code() const {
  std::vector<int> codes;
  for (const auto& point : points) {
    if (point.state == PointState::kNotBegun) codes.push_back(kInterruptedCode);
    for (const auto& policy : point.policies) codes.push_back(policy.failure.code);
  }
  return worst_code(codes);
}

Comparison comparison_of(const Scenario& scenario, const StudyOutcome& outcome,
                         Rows rows) {
  const auto cells = outcome.layout == Layout::kRun
                         ? run_cell(outcome)
                         : sweep_cells(SweepGrid(scenario), outcome);
  const CompareOptions options{outcome.layout, scenario.machine.overrun};
  if (rows == Rows::kAll) return compare(cells, all_metrics(cells), options);
  return compare(cells, default_metrics(outcome.layout), options);
}

std::string json_array(const StudyOutcome& outcome) {
  std::string text;
  for (const auto& point : outcome.points) {
    for (const auto& policy : point.policies) {
      if (!policy.run) continue;
      text += (text.empty() ? "[\n" : ",\n") + policy.summary_json;
      text.pop_back();  // its line end
    }
  }
  return text.empty() ? "[]\n" : text + "\n]\n";
}

}  // namespace berth::study
