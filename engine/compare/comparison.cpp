#include "engine/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "engine/base/error.hpp"
#include "engine/compare/comparable.hpp"
#include "engine/compare/confidence.hpp"
#include "engine/compare/hit_users.hpp"
#include "engine/machines/metric_list.hpp"
#include "engine/metrics/compensated_sum.hpp"

namespace berth {

namespace {

using Entry = Comparison::Entry;
using Value = Comparison::Value;

constexpr std::array<std::string_view, 6> kUsualMetrics{
    "mean_wait",   "p95_wait", "max_wait", "mean_bounded_slowdown",
    "utilisation", "load"};
constexpr std::array<std::string_view, 7> kWithSuspensions{
    "mean_response",         "mean_lost_time", "p95_response", "max_response",
    "mean_bounded_slowdown", "utilisation",    "load"};
bool beats(double a, double b, Better better) {
  return better == Better::kLower ? a < b : a > b;
}

void mark_best(std::vector<Entry>& entries, Better better) {
  if (better == Better::kNeither) return;
  std::optional<double> best;
  bool differ = false;
  for (const auto& entry : entries) {
    if (!entry.value) continue;
    if (!entry.not_comparable.empty()) return;
    const double own = entry.value->mean;
    differ = differ || (best && *best != own);
    if (!best || beats(own, *best, better)) best = own;
  }
  if (!differ) return;
  for (auto& entry : entries) entry.best = entry.value && entry.value->mean == *best;
}

bool equal(const Summary& a, const Summary& b) {
  const auto same = [](const Metric& one, const Metric& other) {
    return one.name == other.name && one.value == other.value && one.n == other.n;
  };
  return std::equal(a.metrics.begin(), a.metrics.end(), b.metrics.begin(),
                    b.metrics.end(), same);
}

// Without an interval where there is one value, or all are equal.
Value with_interval(std::span<const double> values, double confidence) {
  const auto interval = replication_interval(values, confidence);
  if (!interval) return {values.front(), std::nullopt, false};
  return {interval->mean, interval->half_width, false};
}

// Those of the metric, or none.
std::span<const double> batches_of(const ComparedPolicy& policy,
                                   const std::string& metric) {
  const auto& batches = policy.runs.front()->batches;
  const auto at = batches.find(metric);
  return at == batches.end() ? std::span<const double>() : at->second;
}

Value value_of(const Batched& batched) {
  return {batched.estimate.mean, batched.estimate.half_width, true};
}

// "1 of 3 runs", "all 3 runs"; empty for one run of one.
std::string runs_text(std::size_t some, std::size_t all) {
  if (all == 1) return {};
  return some == all ? fmt::format(" in all {} runs", all)
                     : fmt::format(" in {} of {} runs", some, all);
}

// What a mean wait means where the queue holds jobs all the time, or most of it.
std::string queue_warning(std::span<const ComparedRun* const> runs) {
  std::size_t never = 0;
  std::size_t seldom = 0;
  for (const auto* run : runs) {
    const auto& summary = run->summary;
    never += summary.queue_never_empties ? 1 : 0;
    const bool is_long = summary.longest_queue_stretch > summary.submit_span / 2;
    seldom += !summary.queue_never_empties && is_long ? 1 : 0;
  }
  if (never > 0) return "the queue never empties" + runs_text(never, runs.size());
  if (seldom == 0) return {};
  return "the queue does not empty for most of the time" +
         runs_text(seldom, runs.size());
}

// What a mean over jobs that finished leaves out, where that is above 2 % of the jobs.
std::string rejection_warning(std::span<const ComparedRun* const> runs) {
  std::int64_t rejected = 0;
  std::int64_t submitted = 0;
  for (const auto* run : runs) {
    rejected += run->summary.jobs.rejected();
    submitted += run->summary.jobs.submitted;
  }
  if (rejected <= submitted / 50) return {};
  return fmt::format(
      "{:.1f} % of the jobs were rejected",
      100.0 * static_cast<double>(rejected) / static_cast<double>(submitted));
}

std::string doubts_text(const std::string& one, const std::string& other) {
  return one + (one.empty() || other.empty() ? "" : "; ") + other;
}

void judge(Entry& entry, Better better, double level) {
  if (!entry.p_value || *entry.p_value > level) return;
  if (better == Better::kNeither) {
    entry.verdict = Verdict::kDiffers;
    return;
  }
  const bool is_lower = entry.difference->mean < 0.0;
  const bool is_better = is_lower == (better == Better::kLower);
  entry.verdict = is_better ? Verdict::kBetter : Verdict::kWorse;
}

// Corrects the p-values of all rows that are not exploratory, and judges every entry.
void judge_all(Comparison& comparison) {
  std::vector<Entry*> corrected;
  std::vector<double> p_values;
  for (auto& row : comparison.rows) {
    row.exploratory = !comparison.primary.empty() && row.metric != comparison.primary;
    for (auto& entry : row.entries) {
      if (row.exploratory || !entry.p_value) continue;
      corrected.push_back(&entry);
      p_values.push_back(*entry.p_value);
    }
  }
  const auto by_holm = holm(p_values);
  for (std::size_t i = 0; i < by_holm.size(); ++i) corrected[i]->p_value = by_holm[i];
  comparison.comparisons = by_holm.size();
  for (auto& row : comparison.rows) {
    for (auto& entry : row.entries) {
      judge(entry, row.better, 1.0 - comparison.confidence);
    }
  }
}

// The mean of which a metric is another statistic: "mean_wait" of "median_wait" and
// "long_waits"; empty for means, maxima and metrics of a run.
std::string mean_behind(std::string_view metric) {
  const auto at = metric.find('@');
  const auto of_class =
      at == std::string_view::npos ? std::string_view() : metric.substr(at);
  const auto plain = metric.substr(0, at);
  if (plain == "long_waits") return "mean_wait" + std::string(of_class);
  for (const auto prefix : {"median_", "p95_", "p99_"}) {
    const std::string_view start(prefix);
    if (!plain.starts_with(start)) continue;
    return fmt::format("mean_{}{}", plain.substr(start.size()), of_class);
  }
  return {};
}

std::optional<double> mean_over_runs(const ComparedPolicy& policy,
                                     std::string_view name) {
  CompensatedSum sum;
  for (const auto* run : policy.runs) {
    const auto* metric = run == nullptr ? nullptr : run->summary.find(name);
    if (metric == nullptr || !metric->value) return std::nullopt;
    sum.add(*metric->value);
  }
  return sum.value() / static_cast<double>(policy.runs.size());
}

// A policy that starves some jobs serves the others well: where it is the worst in the
// mean, its median is no best value.
void unmark_starving(Comparison::Row& row, const ComparedCell& cell) {
  const auto name = mean_behind(row.metric);
  if (name.empty()) return;
  std::optional<double> worst;
  for (const auto& policy : cell.policies) {
    const auto mean = mean_over_runs(policy, name);
    if (mean && (!worst || *mean > *worst)) worst = mean;
  }
  for (std::size_t i = 0; i < row.entries.size(); ++i) {
    const auto mean = mean_over_runs(cell.policies[i], name);
    if (mean && *mean == *worst) row.entries[i].best = false;
  }
}

// Over all runs of the cell that have one.
std::optional<double> load_of(const ComparedCell& cell) {
  CompensatedSum sum;
  double count = 0;
  for (const auto& policy : cell.policies) {
    for (const auto* run : policy.runs) {
      const auto* load = run == nullptr ? nullptr : run->summary.find("load");
      if (load == nullptr || !load->value) continue;
      sum.add(*load->value);
      ++count;
    }
  }
  return count == 0 ? std::nullopt : std::optional(sum.value() / count);
}

// One metric in one cell.
class RowMaker {
 public:
  RowMaker(const ComparedCell& cell, const MetricRecord& record,
           const CompareOptions& options)
      : cell_(cell), record_(record), options_(options) {}

  std::vector<Entry> make() const {
    std::vector<Entry> entries;
    for (const auto& policy : cell_.policies) entries.push_back(entry(policy));
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries[i].not_comparable = why_not_comparable(record_, cell_.policies, i);
      if (i > 0) compare(i, entries[i]);
    }
    // The mark of a sweep is its verdict.
    if (options_.layout == Layout::kRun) mark_best(entries, record_.better);
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
    if (record_.by_queue) entry.warning = queue_warning(policy.runs);
    if (!record_.of_submitted) {
      entry.warning = doubts_text(entry.warning, rejection_warning(policy.runs));
    }
    entry.runs = distinct_runs(policy).size();
    for (const auto* run : distinct_runs(policy)) {
      const auto* metric = run->summary.find(record_.name);
      if (metric != nullptr) entry.n += metric->n;
    }
    entry.n_each = n_of_each(distinct_runs(policy));
    const auto values = values_of(policy);
    if (values.empty()) {
      entry.verdict = Verdict::kUndefined;
    } else {
      entry.value = with_interval(values, options_.confidence);
    }
    const auto batches = batches_of(policy, record_.name);
    if (entry.runs == 1 && !batches.empty()) {
      entry.value = value_of(batched(batches, options_.confidence));
    }
    return entry;
  }

  // 0 if they differ.
  [[nodiscard]] std::int64_t n_of_each(std::span<const ComparedRun* const> runs) const {
    std::optional<std::int64_t> each;
    for (const auto* run : runs) {
      const auto* metric = run->summary.find(record_.name);
      const std::int64_t own = metric == nullptr ? 0 : metric->n;
      if (each && *each != own) return 0;
      each = own;
    }
    return each.value_or(0);
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
    const auto distinct = distinct_runs(policy).size();
    for (const auto* run : policy.runs) {
      const auto means = run->common.means.find(record_.name);
      if (!policy.has_common || means == run->common.means.end()) {
        return {values_of(cell_.policies.front()), values_of(policy), 0};
      }
      pairs.base.push_back(means->second.base);
      pairs.other.push_back(means->second.other);
      if (pairs.base.size() <= distinct) pairs.jobs += run->common.n;
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
    compare_batches(batches_of(base, record_.name),
                    batches_of(cell_.policies[i], record_.name), entry);
    if (comparable(record_, base, cell_.policies[i])) return;
    entry.improvement.reset();
    entry.p_value.reset();
    entry.verdict = Verdict::kNotComparable;
  }

  // Batch k has the same jobs under both.
  void compare_batches(std::span<const double> before, std::span<const double> after,
                       Entry& entry) const {
    const bool is_one_run =
        entry.runs == 1 && distinct_runs(cell_.policies.front()).size() == 1;
    if (!is_one_run || before.empty() || before.size() != after.size()) return;
    std::vector<double> differences;
    for (std::size_t i = 0; i < before.size(); ++i) {
      differences.push_back(after[i] - before[i]);
    }
    const auto means = batched(differences, options_.confidence);
    entry.difference = value_of(means);
    entry.p_value = two_sided_p(means.estimate);
    entry.verdict = Verdict::kNotShown;
  }

  void difference(const Pairs& pairs, Entry& entry) const {
    std::vector<double> differences;
    for (std::size_t i = 0; i < pairs.base.size(); ++i) {
      differences.push_back(pairs.other[i] - pairs.base[i]);
    }
    entry.difference = with_interval(differences, options_.confidence);
    if (entry.difference->half_width) {
      entry.p_value = two_sided_p(*t_interval(differences, options_.confidence));
      entry.verdict = Verdict::kNotShown;
    } else {
      const bool none = entry.difference->mean == 0.0;
      const bool many = entry.runs > 1;
      entry.verdict = none && many ? Verdict::kEqual : Verdict::kOneRun;
    }
  }

  const ComparedCell& cell_;
  const MetricRecord& record_;
  const CompareOptions& options_;
};

}  // namespace

std::string_view text_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBase: return "base";
    case Verdict::kBetter: return "better";
    case Verdict::kWorse: return "worse";
    case Verdict::kDiffers: return "differs";
    case Verdict::kNotShown: return "no difference shown";
    case Verdict::kEqual: return "equal";
    case Verdict::kOneRun: return "no interval";
    case Verdict::kUndefined: return "undefined";
    case Verdict::kNotComparable: return "not comparable";
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

bool is_listed(std::string_view plain, const std::vector<MetricRecord>& own) {
  const auto has = [plain](const auto& record) { return record.name == plain; };
  const auto all = metric_records();
  return family_of(all, plain) != nullptr || std::any_of(all.begin(), all.end(), has) ||
         std::any_of(own.begin(), own.end(), has);
}

// That of a list, or of the user's own; of a metric that neither has, as in results of
// another folder, what a run says of it.
MetricRecord record_of(std::string_view name, std::span<const ComparedCell> cells,
                       const std::vector<MetricRecord>& own) {
  const auto plain = name.substr(0, name.find('@'));
  if (is_listed(plain, own)) return metric_record(name, own);
  for (const auto& cell : cells) {
    for (const auto& policy : cell.policies) {
      const auto* run = policy.runs.front();
      const auto* found = run == nullptr ? nullptr : run->summary.find(plain);
      if (found == nullptr) continue;
      return {std::string(name), found->unit, {}, {}, Better::kNeither};
    }
  }
  return metric_record(name, own);
}

// Those that are not in the list, in the order in which the runs have them.
void add_further_metrics(std::span<const ComparedCell> cells,
                         std::vector<std::string_view>& names) {
  std::set<std::string_view> seen(names.begin(), names.end());
  const auto add_all = [&](const ComparedRun* run) {
    if (run == nullptr) return;
    for (const auto& metric : run->summary.metrics) {
      if (seen.insert(metric.name).second) names.push_back(metric.name);
    }
  };
  for (const auto& cell : cells) {
    for (const auto& policy : cell.policies) {
      std::for_each(policy.runs.begin(), policy.runs.end(), add_all);
    }
  }
}

// What the intervals are over; why there are none.
std::string basis_of(const Comparison& comparison, const std::string& replications) {
  bool has_runs = false;
  bool has_batches = false;
  bool has_gaps = false;
  for (const auto& row : comparison.rows) {
    for (const auto& entry : row.entries) {
      if (entry.verdict == Verdict::kIncomplete) has_gaps = true;
      if (!entry.value || !entry.value->half_width) continue;
      (entry.value->is_batched ? has_batches : has_runs) = true;
    }
  }
  const double percent = 100.0 * comparison.confidence;
  if (has_batches)
    return fmt::format("{:g} % intervals over batches of one run", percent);
  const auto count = comparison.replications;
  if (!has_runs && has_gaps) {
    return fmt::format("not all of {} replications have a result: no intervals", count);
  }
  if (!has_runs) {
    return count < 2 ? "one run: no intervals"
                     : fmt::format(
                           "one run, for all {} replications gave the same: no "
                           "intervals",
                           count);
  }
  return fmt::format(
      "{:g} % intervals over {}", percent,
      replications.empty() ? fmt::format("{} replications", count) : replications);
}

Comparison heading_of(std::span<const ComparedCell> cells,
                      const CompareOptions& options) {
  const auto& first = cells.front();
  Comparison comparison;
  comparison.layout = options.layout;
  comparison.confidence = options.confidence;
  comparison.primary = options.primary;
  for (const auto& policy : first.policies) comparison.policies.push_back(policy.label);
  if (!first.policies.empty()) {
    comparison.replications = first.policies.front().runs.size();
  }
  for (const auto& [key, value] : first.settings) comparison.keys.push_back(key);
  for (const auto& cell : cells) {
    comparison.loads.push_back(load_of(cell));
    comparison.cells.emplace_back();
    for (const auto& [key, value] : cell.settings) {
      comparison.cells.back().push_back(value);
    }
  }
  return comparison;
}

}  // namespace

std::string Comparison::Entry::doubts() const {
  return doubts_text(warning, not_comparable);
}

std::optional<double> improvement_percent(double base, double changed, Better better) {
  if (base == 0.0 || better == Better::kNeither) return std::nullopt;
  const double gain = better == Better::kLower ? base - changed : changed - base;
  return 100.0 * gain / base;
}

std::span<const std::string_view> default_metrics(std::span<const ComparedCell> cells) {
  const bool any = std::any_of(cells.begin(), cells.end(), [](const auto& cell) {
    return std::any_of(cell.policies.begin(), cell.policies.end(), has_suspensions);
  });
  if (any) return kWithSuspensions;
  return kUsualMetrics;
}

std::span<const ComparedRun* const> distinct_runs(const ComparedPolicy& policy) {
  const std::span<const ComparedRun* const> runs(policy.runs);
  const auto& first = runs.front()->summary;
  const bool one = std::all_of(runs.begin(), runs.end(), [&](const auto* run) {
    return equal(run->summary, first);
  });
  return one ? runs.first(1) : runs;
}

std::vector<std::string_view> all_metrics(std::span<const ComparedCell> cells) {
  std::vector<std::string_view> names;
  for (const auto& record : metric_records()) {
    const bool is_known =
        std::any_of(cells.begin(), cells.end(),
                    [&](const ComparedCell& cell) { return knows(cell, record.name); });
    if (is_known) names.push_back(record.name);
  }
  add_further_metrics(cells, names);
  return names;
}

Comparison compare(std::span<const ComparedCell> cells,
                   std::span<const std::string_view> metrics,
                   const CompareOptions& options) {
  BERTH_ASSERT(!cells.empty());
  auto comparison = heading_of(cells, options);
  if (!options.primary.empty()) (void)metric_record(options.primary, options.own);
  for (const auto& name : metrics) {
    const auto record = record_of(name, cells, options.own);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      comparison.rows.push_back({record.name, record.unit, record.better, i,
                                 RowMaker(cells[i], record, options).make(), false});
      unmark_starving(comparison.rows.back(), cells[i]);
    }
  }
  if (options.layout == Layout::kRun) {
    for (const auto& policy : cells.front().policies) {
      const auto& fidelity = policy.runs.front()->fidelity;
      if (fidelity) comparison.fidelity.emplace_back(policy.label, *fidelity);
    }
  }
  judge_all(comparison);
  comparison.basis = basis_of(comparison, options.replications);
  if (options.layout == Layout::kSweep) comparison.users = hit_users(cells);
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
