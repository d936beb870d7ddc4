#include "engine/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/error.hpp"
#include "engine/compare/confidence.hpp"
#include "engine/compare/notes.hpp"
#include "engine/metrics/compensated_sum.hpp"

namespace berth {

namespace {

using Entry = Comparison::Entry;
using Value = Comparison::Value;

constexpr std::array<std::string_view, 14> kRunMetrics{
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

constexpr std::array<std::string_view, 5> kSweepMetrics{
    "mean_wait", "p95_wait", "mean_bounded_slowdown", "utilisation",
    "loss_of_capacity"};

bool beats(double a, double b, Better better) {
  return better == Better::kLower ? a < b : a > b;
}

void mark_best(std::vector<Entry>& entries, Better better) {
  if (better == Better::kNeither) return;
  std::optional<double> best;
  bool differ = false;
  for (const auto& entry : entries) {
    if (!entry.value) continue;
    const double own = entry.value->mean;
    differ = differ || (best && *best != own);
    if (!best || beats(own, *best, better)) best = own;
  }
  if (!differ) return;
  for (auto& entry : entries) entry.best = entry.value && entry.value->mean == *best;
}

bool is_complete(const ComparedPolicy& policy) {
  return std::find(policy.runs.begin(), policy.runs.end(), nullptr) ==
         policy.runs.end();
}

bool equal(const Summary& a, const Summary& b) {
  const auto same = [](const Metric& one, const Metric& other) {
    return one.name == other.name && one.value == other.value && one.n == other.n;
  };
  return std::equal(a.metrics.begin(), a.metrics.end(), b.metrics.begin(),
                    b.metrics.end(), same);
}

// 1 if all replications gave the same.
std::size_t distinct_runs(const ComparedPolicy& policy) {
  const auto& first = policy.runs.front()->summary;
  const bool one =
      std::all_of(policy.runs.begin(), policy.runs.end(),
                  [&](const auto* run) { return equal(run->summary, first); });
  return one ? 1 : policy.runs.size();
}

double mean_of(std::span<const double> values) {
  CompensatedSum sum;
  for (const double value : values) sum.add(value);
  return sum.value() / static_cast<double>(values.size());
}

// Without an interval where there is one value, or all are equal.
Value with_interval(std::span<const double> values, double confidence) {
  const auto interval = replication_interval(values, confidence);
  if (!interval) return {values.front(), std::nullopt, false};
  return {interval->mean, interval->half_width, false};
}

// That of the metric, or nullptr.
const Batched* find(const BatchedMetrics& batches, const std::string& metric) {
  const auto at = batches.find(metric);
  return at == batches.end() ? nullptr : &at->second;
}

Value value_of(const Batched& batched) {
  return {batched.estimate.mean, batched.estimate.half_width, true};
}

// One metric in one cell.
class RowMaker {
 public:
  RowMaker(const ComparedCell& cell, const MetricRecord& record, double confidence)
      : cell_(cell), record_(record), confidence_(confidence) {}

  std::vector<Entry> make() const {
    std::vector<Entry> entries;
    for (const auto& policy : cell_.policies) entries.push_back(entry(policy));
    for (std::size_t i = 1; i < entries.size(); ++i) compare(i, entries[i]);
    correct(entries);
    mark_best(entries, record_.better);
    for (std::size_t i = 1; i < entries.size(); ++i) judge(entries[i]);
    return entries;
  }

 private:
  // Before and after, replication by replication.
  struct Pairs {
    std::vector<double> base;
    std::vector<double> other;
    std::int64_t jobs = 0;  // 0: not over single jobs
  };

  [[nodiscard]] Entry entry(const ComparedPolicy& policy) const {
    Entry entry;
    entry.policy = policy.label;
    if (!is_complete(policy)) {
      entry.verdict = Verdict::kIncomplete;
      return entry;
    }
    entry.runs = distinct_runs(policy);
    for (const auto* run : policy.runs) {
      const auto* metric = run->summary.find(record_.name);
      if (metric != nullptr) entry.n += metric->n;
    }
    const auto values = values_of(policy);
    if (values.empty()) {
      entry.verdict = Verdict::kUndefined;
    } else {
      entry.value = with_interval(values, confidence_);
    }
    const auto* batched = find(policy.runs.front()->batches, record_.name);
    if (entry.runs == 1 && batched != nullptr) entry.value = value_of(*batched);
    return entry;
  }

  // None, if it is undefined in some replication.
  [[nodiscard]] std::vector<double> values_of(const ComparedPolicy& policy) const {
    std::vector<double> values;
    for (const auto* run : policy.runs) {
      const auto* metric = run->summary.find(record_.name);
      if (metric == nullptr || !metric->value) return {};
      values.push_back(*metric->value);
    }
    return values;
  }

  [[nodiscard]] Pairs pairs_with(const ComparedPolicy& policy) const {
    Pairs pairs;
    for (const auto* run : policy.runs) {
      const auto means = run->common.means.find(record_.name);
      if (means == run->common.means.end()) {
        return {values_of(cell_.policies.front()), values_of(policy), 0};
      }
      pairs.base.push_back(means->second.base);
      pairs.other.push_back(means->second.other);
      pairs.jobs += run->common.n;
    }
    return pairs;
  }

  void compare(std::size_t i, Entry& entry) const {
    const auto& base = cell_.policies.front();
    if (entry.verdict == Verdict::kIncomplete) return;
    if (!is_complete(base)) {
      entry.verdict = Verdict::kIncomplete;
      return;
    }
    const auto pairs = pairs_with(cell_.policies[i]);
    if (pairs.base.empty() || pairs.other.empty()) {
      entry.verdict = Verdict::kUndefined;
      return;
    }
    entry.common_jobs = pairs.jobs;
    entry.improvement =
        improvement_percent(mean_of(pairs.base), mean_of(pairs.other), record_.better);
    difference(pairs, entry);
    const auto* batched =
        find(cell_.policies[i].runs.front()->difference_batches, record_.name);
    if (entry.runs == 1 && distinct_runs(base) == 1 && batched != nullptr) {
      entry.difference = value_of(*batched);
      entry.p_value = two_sided_p(batched->estimate);
      entry.verdict = Verdict::kNotShown;
    }
  }

  void difference(const Pairs& pairs, Entry& entry) const {
    std::vector<double> differences;
    for (std::size_t i = 0; i < pairs.base.size(); ++i) {
      differences.push_back(pairs.other[i] - pairs.base[i]);
    }
    entry.difference = with_interval(differences, confidence_);
    if (entry.difference->half_width) {
      entry.p_value = two_sided_p(*t_interval(differences, confidence_));
      entry.verdict = Verdict::kNotShown;
    } else {
      const bool none = entry.difference->mean == 0.0;
      const bool many = entry.runs > 1;
      entry.verdict = none && many ? Verdict::kEqual : Verdict::kOneRun;
    }
  }

  static void correct(std::vector<Entry>& entries) {
    std::vector<double> p_values;
    for (const auto& entry : entries) {
      if (entry.p_value) p_values.push_back(*entry.p_value);
    }
    const auto corrected = holm(p_values);
    auto next = corrected.begin();
    for (auto& entry : entries) {
      if (entry.p_value) entry.p_value = *next++;
    }
  }

  void judge(Entry& entry) const {
    if (!entry.p_value || *entry.p_value > 1.0 - confidence_) return;
    if (record_.better == Better::kNeither) {
      entry.verdict = Verdict::kDiffers;
      return;
    }
    const bool is_lower = entry.difference->mean < 0.0;
    const bool is_better = is_lower == (record_.better == Better::kLower);
    entry.verdict = is_better ? Verdict::kBetter : Verdict::kWorse;
  }

  const ComparedCell& cell_;
  const MetricRecord& record_;
  double confidence_;
};

}  // namespace

std::string_view text_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBase: return "base";
    case Verdict::kBetter: return "better";
    case Verdict::kWorse: return "worse";
    case Verdict::kDiffers: return "differs";
    case Verdict::kNotShown: return "no difference can be shown";
    case Verdict::kEqual: return "equal";
    case Verdict::kOneRun: return "no interval";
    case Verdict::kUndefined: return "undefined";
    case Verdict::kIncomplete: return "incomplete";
  }
  BERTH_ASSERT(false);
}

namespace {

// Whether a run of the cell has a metric of this name.
bool knows(const ComparedCell& cell, std::string_view name) {
  const auto has = [name](const ComparedRun* run) {
    return run != nullptr && run->summary.find(name) != nullptr;
  };
  return std::any_of(cell.policies.begin(), cell.policies.end(), [&](const auto& it) {
    return std::any_of(it.runs.begin(), it.runs.end(), has);
  });
}

}  // namespace

std::optional<double> improvement_percent(double base, double changed, Better better) {
  if (base == 0.0 || better == Better::kNeither) return std::nullopt;
  const double gain = better == Better::kLower ? base - changed : changed - base;
  return 100.0 * gain / base;
}

std::span<const std::string_view> default_metrics(Layout layout) {
  if (layout == Layout::kRun) return kRunMetrics;
  return kSweepMetrics;
}

std::vector<std::string_view> all_metrics(std::span<const ComparedCell> cells) {
  std::vector<std::string_view> names;
  for (const auto& record : metric_records()) {
    const bool is_known =
        std::any_of(cells.begin(), cells.end(),
                    [&](const ComparedCell& cell) { return knows(cell, record.name); });
    if (is_known) names.push_back(record.name);
  }
  return names;
}

Comparison compare(std::span<const ComparedCell> cells,
                   std::span<const std::string_view> metrics,
                   const CompareOptions& options) {
  BERTH_ASSERT(!cells.empty());
  const auto& first = cells.front();
  Comparison comparison;
  comparison.layout = options.layout;
  comparison.confidence = options.confidence;
  for (const auto& policy : first.policies) comparison.policies.push_back(policy.label);
  if (!first.policies.empty()) {
    comparison.replications = first.policies.front().runs.size();
  }
  for (const auto& [key, value] : first.settings) comparison.keys.push_back(key);
  for (const auto& cell : cells) {
    comparison.cells.emplace_back();
    for (const auto& [key, value] : cell.settings) {
      comparison.cells.back().push_back(value);
    }
  }
  for (const auto& name : metrics) {
    const auto& record = metric_record(name);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      comparison.rows.push_back(
          {record.name, record.unit, record.better, i,
           RowMaker(cells[i], record, options.confidence).make()});
    }
  }
  add_notes(comparison, cells, options.overrun);
  return comparison;
}

std::string cell_text(const Comparison& comparison, std::size_t cell) {
  std::string text;
  for (std::size_t i = 0; i < comparison.keys.size(); ++i) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", comparison.keys[i],
                        comparison.cells[cell][i]);
  }
  return text.empty() ? "all runs" : text;
}

}  // namespace berth
