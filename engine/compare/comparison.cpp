#include "engine/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "engine/compare/improvement.hpp"

namespace berth {

namespace {

using Row = Comparison::Row;
using Runs = std::span<const LabelledSummary>;

constexpr std::array<std::string_view, 14> kDefaultMetrics{
    "mean_wait",
    "median_wait",
    "p95_wait",
    "max_wait",
    "mean_response",
    "mean_bounded_slowdown",
    "p95_bounded_slowdown",
    "makespan",
    "utilisation",
    "loss_of_capacity",
    "mean_queue_length",
    "max_queue_length",
    "backlog_at_last_submit",
    "long_waits",
};

bool beats(double a, double b, Better better) {
  return better == Better::kLower ? a < b : a > b;
}

void mark_best(Row& row) {
  if (row.better == Better::kNeither) return;
  std::optional<double> best;
  bool differ = false;
  for (const auto& cell : row.cells) {
    if (!cell.value) continue;
    differ = differ || (best && *best != *cell.value);
    if (!best || beats(*cell.value, *best, row.better)) best = cell.value;
  }
  if (!differ) return;
  for (auto& cell : row.cells) cell.best = cell.value == best;
}

void add_improvements(Row& row) {
  const auto base = row.cells.front().value;
  for (std::size_t i = 1; i < row.cells.size(); ++i) {
    auto& cell = row.cells[i];
    if (base && cell.value) {
      cell.improvement = improvement_percent(*base, *cell.value, row.better);
    }
  }
}

Row make_row(Runs runs, const MetricRecord& record) {
  Row row{record.name, record.unit, record.better, {}};
  for (const auto& run : runs) {
    const auto* metric = run.summary.find(record.name);
    row.cells.emplace_back();
    if (metric == nullptr) continue;
    row.cells.back().value = metric->value;
    row.cells.back().n = metric->n;
  }
  mark_best(row);
  if (!row.cells.empty()) add_improvements(row);
  return row;
}

// "3", or "easy 3, fcfs 4" where the policies differ.
template <class Count>
std::string by_policy(Runs runs, const Count& count) {
  const auto same = [&](const auto& run) {
    return count(run.summary) == count(runs.front().summary);
  };
  if (std::all_of(runs.begin(), runs.end(), same)) {
    return fmt::format("{}", count(runs.front().summary));
  }
  std::string text;
  for (const auto& run : runs) {
    fmt::format_to(std::back_inserter(text), "{}{} {}", text.empty() ? "" : ", ",
                   run.label, count(run.summary));
  }
  return text;
}

// Nothing, if no policy has any.
template <class Count>
void note_if_any(std::vector<std::string>& notes, Runs runs, std::string_view what,
                 const Count& count) {
  const auto any = [&](const auto& run) { return count(run.summary) > 0; };
  if (std::none_of(runs.begin(), runs.end(), any)) return;
  notes.push_back(fmt::format("{}: {}", what, by_policy(runs, count)));
}

void note_queues(std::vector<std::string>& notes, Runs runs) {
  std::string labels;
  for (const auto& run : runs) {
    if (!run.summary.queue_never_empties) continue;
    labels += labels.empty() ? run.label : ", " + run.label;
  }
  if (labels.empty()) return;
  notes.push_back(
      fmt::format("the queue never empties under {}: the mean wait measures the length "
                  "of the trace",
                  labels));
}

// A queue that empties at last may still have been full for most of the trace.
void note_long_queues(std::vector<std::string>& notes, Runs runs) {
  for (const auto& [label, summary] : runs) {
    const auto stretch = summary.longest_queue_stretch;
    if (summary.queue_never_empties || stretch <= summary.submit_span / 2) continue;
    const double part =
        100.0 * static_cast<double>(stretch) / static_cast<double>(summary.submit_span);
    notes.push_back(fmt::format(
        "the queue does not empty for {} s under {}, {:.0f} % of the time of submits: "
        "the mean wait depends on the length of the trace",
        seconds_text(stretch), label, part));
  }
}

std::vector<std::string> make_notes(Runs runs, sim::Overrun rule) {
  std::vector<std::string> notes;
  if (runs.empty()) return notes;
  notes.push_back(fmt::format(
      "jobs that outlived their walltime: {} (overrun = {})",
      by_policy(runs, [](const Summary& it) { return it.jobs.outlived_walltime; }),
      rule == sim::Overrun::kKill ? "kill" : "run_on"));
  note_queues(notes, runs);
  note_long_queues(notes, runs);
  note_if_any(notes, runs, "jobs rejected by the machine, as wider than it",
              [](const Summary& it) { return it.jobs.rejected_by_machine; });
  note_if_any(notes, runs, "jobs rejected by the policy",
              [](const Summary& it) { return it.jobs.rejected_by_policy; });
  note_if_any(notes, runs, "jobs killed at their walltime, in no mean",
              [](const Summary& it) { return it.jobs.failed; });
  note_if_any(notes, runs, "jobs not finished when nothing could happen any more",
              [](const Summary& it) { return it.jobs.not_finished; });
  return notes;
}

}  // namespace

std::span<const std::string_view> default_metrics() { return kDefaultMetrics; }

std::vector<std::string_view> all_metrics(Runs runs) {
  std::vector<std::string_view> names;
  for (const auto& record : metric_records()) {
    const auto has = [&](const auto& run) {
      return run.summary.find(record.name) != nullptr;
    };
    if (std::any_of(runs.begin(), runs.end(), has)) names.push_back(record.name);
  }
  return names;
}

Comparison compare(Runs runs, std::span<const std::string_view> metrics,
                   sim::Overrun rule) {
  Comparison comparison;
  for (const auto& run : runs) comparison.labels.push_back(run.label);
  for (const auto& name : metrics) {
    comparison.rows.push_back(make_row(runs, metric_record(name)));
  }
  comparison.notes = make_notes(runs, rule);
  return comparison;
}

}  // namespace berth
