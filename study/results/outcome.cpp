#include "study/results/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bindings/tools/comparison_page.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/machines/metric_list.hpp"
#include "engine/output/atomic_file.hpp"
#include "study/inputs/windows.hpp"
#include "study/metrics/own_metrics.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace {

// Every policy once, in every variant of its parameters.  One that a variant does not
// change has the same label there; the first results are those of all.
std::vector<ComparedPolicy> policies_of(const SweepGrid& grid,
                                        const StudyOutcome& outcome) {
  std::vector<ComparedPolicy> all;
  const auto add = [&](const std::string& label, const std::string& base) {
    const auto same = [&](const auto& policy) { return policy.label == label; };
    if (std::any_of(all.begin(), all.end(), same)) return;
    const std::vector<const ComparedRun*> none(grid.replications());
    all.push_back({label, none, all.empty() || base == all.front().label});
  };
  for (const auto& label : outcome.labels) add(label, outcome.labels.front());
  for (const auto& point : outcome.points) {
    for (const auto& policy : point.policies) {
      add(policy.label, point.policies.front().label);
    }
  }
  return all;
}

// REQUIRES: the cell has it.
ComparedPolicy& policy_of(ComparedCell& cell, std::string_view label) {
  return *std::find_if(cell.policies.begin(), cell.policies.end(),
                       [&](const auto& policy) { return policy.label == label; });
}

// The cells of the grid; a point that the outcome does not have has no result.
std::vector<ComparedCell> sweep_cells(const SweepGrid& grid,
                                      const StudyOutcome& outcome) {
  std::vector<ComparedCell> cells(grid.cells());
  for (auto& cell : cells) cell.policies = policies_of(grid, outcome);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    cells[grid.where(i).cell].settings = grid.cell_settings(i);
  }
  for (const auto& point : outcome.points) {
    const auto where = grid.where(point.number);
    for (const auto& ran : point.policies) {
      auto& policy = policy_of(cells[where.cell], ran.label);
      auto& run = policy.runs[where.replication];
      if (run == nullptr && ran.run) run = &*ran.run;
    }
  }
  return cells;
}

// The policies that have a result, marked where the audit failed.
std::vector<ComparedCell> run_cell(const StudyOutcome& outcome) {
  ComparedCell cell;
  for (const auto& policy : outcome.points.front().policies) {
    if (!policy.run) continue;
    const auto* mark = policy.failure.code == kDone ? "" : ": audit failed";
    cell.policies.push_back({policy.label + mark, {&*policy.run}});
  }
  return {cell};
}

std::vector<ComparedCell> cells_of(const Scenario& scenario,
                                   const StudyOutcome& outcome) {
  return outcome.layout == Layout::kRun ? run_cell(outcome)
                                        : sweep_cells(SweepGrid(scenario), outcome);
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

std::vector<std::string> StudyOutcome::kept() const {
  std::vector<std::string> all;
  for (const auto& policy : points.front().policies) {
    if (policy.run && policy.failure.code == kDone) all.push_back(policy.label);
  }
  return all;
}

int StudyOutcome::code() const {
  std::vector<int> codes;
  for (const auto& point : points) {
    if (point.state == PointState::kNotBegun) codes.push_back(kInterruptedCode);
    for (const auto& policy : point.policies) codes.push_back(policy.failure.code);
  }
  return worst_code(codes);
}

namespace {

// An accept rate is shown with its bound, where there is one.
template <class Cells>
void add_bound(const Cells& cells, std::vector<std::string_view>& names) {
  const auto at = std::find(names.begin(), names.end(), "accept_rate");
  const bool is_there =
      std::find(names.begin(), names.end(), "fits_empty") != names.end();
  if (at == names.end() || is_there) return;
  const auto known = all_metrics(cells);
  if (std::find(known.begin(), known.end(), "fits_empty") == known.end()) return;
  names.insert(at + 1, "fits_empty");
}

// Without its notes.
Comparison compared(const Scenario& scenario, Layout layout,
                    std::span<const ComparedCell> cells, Rows rows) {
  CompareOptions options;
  options.layout = layout;
  options.replications = replications_text(scenario);
  options.primary = scenario.run.primary;
  options.own = records_of(scenario.run.own_metrics);
  if (rows == Rows::kAll) return compare(cells, all_metrics(cells), options);
  const auto& shown = scenario.run.metrics_shown;
  auto names = metric_names(shown);
  std::vector<std::string> of_classes;
  if (shown.empty()) {
    const auto usual =
        scenario.is_of_cases() ? case_study(scenario).usual : default_metrics(cells);
    names.assign(usual.begin(), usual.end());
    for (const auto& own : options.own) names.push_back(own.name);
    for (const auto& one : scenario.run.classes.named()) {
      of_classes.push_back(fmt::format("{}@{}", usual.front(), one.name));
    }
    names.insert(names.end(), of_classes.begin(), of_classes.end());
  }
  add_bound(cells, names);
  // The metric that decides comes first, unless the rows were chosen with it among
  // them.
  const std::string_view primary(options.primary);
  const auto at = std::find(names.begin(), names.end(), primary);
  if (at != names.end()) {
    if (shown.empty()) std::rotate(names.begin(), at, at + 1);
  } else if (!primary.empty()) {
    names.insert(names.begin(), primary);
  }
  return compare(cells, names, options);
}

}  // namespace

Comparison comparison_of(const Scenario& scenario, const StudyOutcome& outcome,
                         Rows rows) {
  const auto cells = cells_of(scenario, outcome);
  auto comparison = compared(scenario, outcome.layout, cells, rows);
  comparison.notes = bindings::notes_on(comparison, cells, scenario.machine.overrun);
  return comparison;
}

void write_comparison(const std::filesystem::path& folder, const Scenario& scenario,
                      const StudyOutcome& outcome) {
  write_file(folder / "comparison.csv",
             as_csv(compared(scenario, outcome.layout, cells_of(scenario, outcome),
                             Rows::kAll)));
}

std::string json_array(const StudyOutcome& outcome) {
  std::string text;
  for (const auto& point : outcome.points) {
    for (const auto& policy : point.policies) {
      if (!policy.run || policy.summary_json.empty()) continue;
      text += (text.empty() ? "[\n" : ",\n") + policy.summary_json;
      text.pop_back();  // its line end
    }
  }
  return text.empty() ? "[]\n" : text + "\n]\n";
}

}  // namespace berth::study
