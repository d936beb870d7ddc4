#include "engine/machines/fractional/pack/compact_form.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace berth::pack {

LinearProgram compact_form(const Problem& problem, Budget& budget, bool is_integer) {
  constexpr double kInfinity = std::numeric_limits<double>::max();
  const auto& items = problem.items;
  const int tasks = items.tasks();
  const int hosts = problem.hosts;
  LinearProgram program;
  program.rows.assign(tasks, {1, 1});
  program.rows.insert(program.rows.end(), hosts, {-kInfinity, 0});  // CPU
  program.rows.insert(program.rows.end(), hosts, {-kInfinity, 1});  // memory
  // A column takes as long as so many units.
  constexpr std::int64_t kColumn = 8;
  for (int task = 0; task < tasks; ++task) {
    budget.charge(kColumn * hosts);
    for (int host = 0; host < hosts; ++host) {
      program.columns.push_back({0, 0, 1, is_integer});
      program.entries.push_back({{task, 1},
                                 {tasks + host, items.cpu(task)},
                                 {tasks + hosts + host, items.memory(task)}});
    }
  }
  budget.charge_each(hosts);
  program.columns.push_back({1, 1, kInfinity, false});
  program.entries.emplace_back();
  for (int host = 0; host < hosts; ++host) {
    program.entries.back().push_back({tasks + host, -1});
  }
  return program;
}

Proven exact_by_program(const Problem& problem, Budget& budget, int nodes) {
  if (const auto why = cannot_fit(problem)) return {failed(*why), 0};
  if (problem.items.tasks() == 0) return {packed(problem, {}), 1};
  const auto solution = solve(compact_form(problem, budget, true), budget, nodes);
  const Effort effort{.nodes = solution.nodes};
  const double bound = 1 / std::max(1.0, solution.bound);
  if (solution.values.empty()) {
    switch (solution.outcome) {
      case LinearOutcome::kNoSolver: return {failed(Outcome::kNoSolver), 1};
      case LinearOutcome::kInfeasible: return {failed(Outcome::kNoPacking, effort), 0};
      default: return {failed(Outcome::kLimit, effort), bound};
    }
  }
  Hosts hosts(problem.items.tasks());
  budget.charge_each(solution.values.size());
  for (std::size_t task = 0; task < hosts.size(); ++task) {
    const auto first =
        solution.values.begin() + static_cast<std::ptrdiff_t>(task) * problem.hosts;
    hosts[task] =
        static_cast<int>(std::max_element(first, first + problem.hosts) - first);
  }
  // A solver keeps its rows within a tolerance of its own.
  if (!keeps_memory(problem, hosts))
    return {failed(Outcome::kNoPacking, effort), bound};
  Proven proven{packed(problem, std::move(hosts), effort), bound};
  if (solution.outcome == LinearOutcome::kOptimal) proven.bound = proven.packing.yield;
  return proven;
}

std::optional<std::vector<double>> relaxed_parts(const Problem& problem, Budget& budget,
                                                 RelaxedSource source) {
  if (cannot_fit(problem)) return std::nullopt;
  const std::size_t size =
      static_cast<std::size_t>(problem.items.tasks()) * problem.hosts;
  budget.charge_each(size);
  if (source == RelaxedSource::kUniform) {
    return std::vector<double>(size, 1.0 / problem.hosts);
  }
  auto solution = solve(compact_form(problem, budget, false), budget);
  if (solution.outcome != LinearOutcome::kOptimal) return std::nullopt;
  solution.values.resize(size);
  return std::move(solution.values);
}

}  // namespace berth::pack
