#include "engine/compare/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/compare/comparable.hpp"
#include "engine/jobs/label.hpp"
#include "engine/machines/metric_list.hpp"
#include "engine/metrics/compensated_sum.hpp"

namespace berth {

namespace {

using Notes = std::vector<std::string>;
using HitUsers = Comparison::HitUsers;

using Policies = std::vector<ComparedPolicy>;

// Of the one run of a policy.
const Summary& summary_of(const ComparedPolicy& policy) {
  return policy.runs.front()->summary;
}

// Jobs that are in no mean, or not as their users meant.
constexpr std::pair<std::string_view, std::int64_t (*)(const Summary&)> kUncounted[] = {
    {"jobs rejected by the machine, as wider than it",
     [](const Summary& it) { return std::int64_t{it.jobs.rejected_by_machine}; }},
    {"jobs rejected by the machine, as too demanding for the empty machine",
     [](const Summary& it) { return std::int64_t{it.jobs.rejected_never_fits}; }},
    {"jobs rejected by the policy",
     [](const Summary& it) { return std::int64_t{it.jobs.rejected_by_policy}; }},
    {"jobs killed at their walltime, in no mean",
     [](const Summary& it) { return std::int64_t{it.jobs.failed}; }},
    {"jobs not finished when nothing could happen any more",
     [](const Summary& it) { return std::int64_t{it.jobs.not_finished}; }},
};

// "3", or "easy 3, fcfs 4" where the policies differ.
template <class Count>
std::string by_policy(const Policies& policies, const Count& count) {
  const auto same = [&](const auto& policy) {
    return count(summary_of(policy)) == count(summary_of(policies.front()));
  };
  if (std::all_of(policies.begin(), policies.end(), same)) {
    return fmt::format("{}", count(summary_of(policies.front())));
  }
  std::string text;
  for (const auto& policy : policies) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", policy.label,
                        count(summary_of(policy)));
  }
  return text;
}

// Nothing, if no policy has any.
template <class Count>
void note_if_any(Notes& notes, const Policies& policies, std::string_view what,
                 const Count& count) {
  const auto any = [&](const auto& policy) { return count(summary_of(policy)) > 0; };
  if (std::none_of(policies.begin(), policies.end(), any)) return;
  notes.push_back(fmt::format("{}: {}", what, by_policy(policies, count)));
}

void note_queues(Notes& notes, const Policies& policies) {
  std::string labels;
  for (const auto& policy : policies) {
    if (!summary_of(policy).queue_never_empties) continue;
    labels += labels.empty() ? policy.label : ", " + policy.label;
  }
  if (labels.empty()) return;
  notes.push_back(
      fmt::format("the queue never empties under {}: the mean wait measures the length "
                  "of the trace",
                  labels));
}

// A queue that empties in the end may have held jobs for most of the trace.
void note_long_queues(Notes& notes, const Policies& policies) {
  for (const auto& policy : policies) {
    const auto& summary = summary_of(policy);
    const auto stretch = summary.longest_queue_stretch;
    if (summary.queue_never_empties || stretch <= summary.submit_span / 2) continue;
    const double part =
        100.0 * static_cast<double>(stretch) / static_cast<double>(summary.submit_span);
    notes.push_back(fmt::format(
        "the queue does not empty for {} under {}, {:.0f} % of the time of submits: "
        "the mean wait depends on the length of the trace",
        human_time(to_seconds(stretch)), policy.label, part));
  }
}

Notes run_notes(const Policies& policies, sim::Overrun rule) {
  Notes notes;
  // A study of cases has no jobs that wait or run.
  const bool has_jobs =
      !policies.empty() && summary_of(policies.front()).find("mean_wait") != nullptr;
  if (!has_jobs) return notes;
  notes.push_back(fmt::format(
      "jobs that exceeded their walltime: {} (overrun = {})",
      by_policy(policies, [](const Summary& it) { return it.jobs.outlived_walltime; }),
      rule == sim::Overrun::kKill ? "kill" : "run_on"));
  note_queues(notes, policies);
  note_long_queues(notes, policies);
  for (const auto& [what, count] : kUncounted) {
    note_if_any(notes, policies, what, count);
  }
  return notes;
}

std::size_t missing(const ComparedPolicy& policy) {
  return static_cast<std::size_t>(
      std::count(policy.runs.begin(), policy.runs.end(), nullptr));
}

const UserSummary* find_user(const ComparedRun& run, std::int32_t user) {
  const auto& users = run.summary.users;
  const auto at = std::lower_bound(users.begin(), users.end(), user,
                                   [](const UserSummary& it, std::int32_t wanted) {
                                     return LabelLess()(it.user, wanted);
                                   });
  return at != users.end() && at->user == user ? &*at : nullptr;
}

// nullopt if the user has no finished job in some run.
std::optional<HitUsers::Change> change_of(std::int32_t user,
                                          const ComparedPolicy& base_policy,
                                          const ComparedPolicy& other_policy) {
  const auto distinct = distinct_runs(other_policy).size();
  HitUsers::Change change{user, 0.0, 0, distinct};
  CompensatedSum sum;
  const auto& base = base_policy.runs;
  const auto& other = other_policy.runs;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const auto* before = find_user(*base[i], user);
    const auto* after = find_user(*other[i], user);
    const bool has_both =
        before != nullptr && after != nullptr && before->mean_wait && after->mean_wait;
    if (!has_both) return std::nullopt;
    sum.add(*after->mean_wait - *before->mean_wait);
    if (i < distinct) change.jobs += after->finished;
  }
  change.wait = sum.value() / static_cast<double>(base.size());
  return change;
}

std::optional<HitUsers> hits(const ComparedPolicy& base, const ComparedPolicy& other) {
  if (missing(base) + missing(other) > 0) return std::nullopt;
  if (!comparable(metric_record("mean_wait"), base, other)) return std::nullopt;
  std::optional<HitUsers> found;
  for (const auto& user : base.runs.front()->summary.users) {
    if (user.user < 0) continue;
    const auto change = change_of(user.user, base, other);
    if (!change) continue;
    if (!found) found = {0, other.label, *change, *change};
    if (change->wait < found->best.wait) found->best = *change;
    if (change->wait > found->worst.wait) found->worst = *change;
  }
  // One user has no other to be compared with.
  if (found && found->best.user == found->worst.user) return std::nullopt;
  return found;
}

bool has_batches(const Comparison& comparison) {
  const auto batched = [](const auto& entry) {
    return entry.value && entry.value->is_batched;
  };
  return std::any_of(
      comparison.rows.begin(), comparison.rows.end(), [&](const auto& row) {
        return std::any_of(row.entries.begin(), row.entries.end(), batched);
      });
}

void note_doubts(Notes& notes, const Batched& batched, const std::string& name) {
  if (batched.too_wide()) {
    notes.push_back(name + ": the half-width exceeds 5 % of the mean");
  }
  if (batched.too_correlated()) {
    notes.push_back(
        fmt::format("{}: neighbouring batches correlate ({:.2f}): they are too short",
                    name, batched.lag_1_correlation));
  }
}

void note_batches(Notes& notes, const Comparison& comparison,
                  std::span<const ComparedCell> cells) {
  if (!has_batches(comparison)) return;
  notes.push_back(
      fmt::format("one run has {:g} % intervals over batch means: jobs in the order of "
                  "their submits, "
                  "the first batch left out as warm-up",
                  100.0 * comparison.confidence));
  for (const auto& row : comparison.rows) {
    for (std::size_t i = 0; i < row.entries.size(); ++i) {
      const auto& value = row.entries[i].value;
      if (!value || !value->is_batched) continue;
      const auto& run = *cells[row.cell].policies[i].runs.front();
      note_doubts(notes, batched(run.batches.at(row.metric), comparison.confidence),
                  fmt::format("{}: {} under {}", cell_text(comparison, row.cell),
                              row.metric, row.entries[i].policy));
    }
  }
}

void note_method(Notes& notes, const Comparison& comparison) {
  if (comparison.replications < 2) {
    if (has_batches(comparison)) return;
    notes.emplace_back(
        "one replication: no intervals; vary the seed, or set run.batches");
    return;
  }
  const auto has_interval = [](const Comparison::Row& row) {
    return std::any_of(row.entries.begin(), row.entries.end(), [](const auto& entry) {
      return entry.value && entry.value->half_width;
    });
  };
  if (std::none_of(comparison.rows.begin(), comparison.rows.end(), has_interval))
    return;
  notes.push_back(fmt::format(
      "mean and half-width of the {:g} % interval (Student t) over {} replications; "
      "differences are paired by replication",
      100.0 * comparison.confidence, comparison.replications));
}

void note_tests(Notes& notes, const Comparison& comparison) {
  std::size_t tests = 0;
  for (const auto& row : comparison.rows) {
    for (const auto& entry : row.entries) tests += entry.p_value ? 1 : 0;
  }
  if (tests == 0) return;
  const auto corrected = comparison.comparisons;
  if (comparison.primary.empty()) {
    notes.push_back(fmt::format(
        "p: of the paired t test, corrected by Holm's method for the {} comparisons of "
        "this table; run.primary names one metric that decides",
        corrected));
    return;
  }
  notes.push_back(fmt::format(
      "p: of the paired t test, corrected by Holm's method for the {} comparisons of "
      "{}; the other {} are exploratory: not corrected",
      corrected, comparison.primary, tests - corrected));
}

void note_common_jobs(Notes& notes, const Comparison& comparison) {
  const auto over_jobs = [](const auto& row) {
    return std::any_of(row.entries.begin(), row.entries.end(),
                       [](const auto& entry) { return entry.common_jobs > 0; });
  };
  if (std::any_of(comparison.rows.begin(), comparison.rows.end(), over_jobs)) {
    notes.emplace_back(
        "a difference of means over jobs is over the jobs finished under both "
        "policies");
  }
}

void note_single_runs(Notes& notes, const Comparison& comparison) {
  if (comparison.replications < 2 || comparison.rows.empty()) return;
  const auto& metric = comparison.rows.front().metric;
  for (const auto& row : comparison.rows) {
    if (row.metric != metric) return;
    for (const auto& entry : row.entries) {
      if (entry.runs != 1) continue;
      notes.push_back(fmt::format("{}: all {} seeds gave the same under {}: one run",
                                  cell_text(comparison, row.cell),
                                  comparison.replications, entry.policy));
    }
  }
}

void note_missing(Notes& notes, const Comparison& comparison,
                  std::span<const ComparedCell> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (const auto& policy : cells[i].policies) {
      const auto without = missing(policy);
      if (without == 0) continue;
      notes.push_back(fmt::format(
          "{}: no result of {} in {} of {} replications: no mean",
          cell_text(comparison, i), policy.label, without, policy.runs.size()));
    }
  }
}

// What the points of a sweep are called: "loads" where the load alone varies.
std::string points_word(const Comparison& comparison, std::size_t count) {
  if (comparison.keys.size() != 1) return count == 1 ? "point" : "points";
  const auto& key = comparison.keys.front();
  auto word = key.substr(key.rfind('.') + 1);
  if (count != 1 && !word.ends_with('s')) word += 's';
  return word;
}

// " (by 12.3 %)", " (by 5.0 to 12.3 %)"; empty where it is not defined.
std::string size_text(std::span<const double> percents) {
  if (percents.empty()) return {};
  const auto [least, most] = std::minmax_element(percents.begin(), percents.end());
  if (percents.size() == 1) return fmt::format(" (by {:.1f} %)", *least);
  return fmt::format(" (by {:.1f} to {:.1f} %)", *least, *most);
}

constexpr Verdict kSaid[] = {
    Verdict::kBetter,    Verdict::kWorse,         Verdict::kDiffers,
    Verdict::kNotShown,  Verdict::kEqual,         Verdict::kOneRun,
    Verdict::kUndefined, Verdict::kNotComparable, Verdict::kIncomplete};

// How much better or worse, where that is the verdict.
std::vector<double> shown_percents(std::span<const Comparison::Row> rows,
                                   std::size_t policy, Verdict verdict) {
  std::vector<double> percents;
  if (verdict != Verdict::kBetter && verdict != Verdict::kWorse) return percents;
  for (const auto& row : rows) {
    const auto& entry = row.entries[policy];
    if (entry.verdict == verdict && entry.improvement) {
      percents.push_back(std::abs(*entry.improvement));
    }
  }
  return percents;
}

// "worse at 1 of 3 loads (by 5.0 %), no difference shown at 2"
std::string verdicts_text(const Comparison& comparison,
                          std::span<const Comparison::Row> rows, std::size_t policy) {
  std::string text;
  for (const auto verdict : kSaid) {
    const auto count = std::count_if(rows.begin(), rows.end(), [&](const auto& row) {
      return row.entries[policy].verdict == verdict;
    });
    if (count == 0) continue;
    text +=
        fmt::format("{}{} at {}", text.empty() ? "" : ", ", text_of(verdict), count);
    if (text.find(" of ") == std::string::npos) {
      text +=
          fmt::format(" of {} {}", rows.size(), points_word(comparison, rows.size()));
    }
    text += size_text(shown_percents(rows, policy, verdict));
  }
  return text;
}

// What is shown of each policy over the cells, and no more.
void note_verdicts(Notes& notes, const Comparison& comparison) {
  const auto cells = comparison.cells.size();
  if (cells < 2) return;
  for (std::size_t first = 0; first < comparison.rows.size(); first += cells) {
    const auto rows = std::span(comparison.rows).subspan(first, cells);
    const auto& top = rows.front();
    if (top.better == Better::kNeither) continue;
    for (std::size_t policy = 1; policy < top.entries.size(); ++policy) {
      notes.push_back(fmt::format(
          "{}: {} against {}: {}{}", top.metric, top.entries[policy].policy,
          top.entries.front().policy, verdicts_text(comparison, rows, policy),
          top.exploratory ? " (exploratory)" : ""));
    }
  }
}

template <class Count>
std::int64_t total_of(std::span<const ComparedCell> cells, std::size_t policy,
                      const Count& count) {
  std::int64_t total = 0;
  for (const auto& cell : cells) {
    const auto& runs = cell.policies[policy];
    const bool is_complete = missing(runs) == 0;
    const auto counted = is_complete ? distinct_runs(runs) : std::span(runs.runs);
    for (const auto* run : counted) {
      if (run != nullptr) total += count(run->summary);
    }
  }
  return total;
}

template <class Count>
void note_counts(Notes& notes, std::span<const ComparedCell> cells,
                 std::string_view what, const Count& count) {
  std::string text;
  const auto policies = cells.front().policies.size();
  for (std::size_t i = 0; i < policies; ++i) {
    const auto total = total_of(cells, i, count);
    if (total == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        cells.front().policies[i].label, total);
  }
  if (!text.empty()) notes.push_back(fmt::format("{}, over all runs: {}", what, text));
}

void note_jobs(Notes& notes, std::span<const ComparedCell> cells) {
  note_counts(notes, cells, "jobs that exceeded their walltime",
              [](const Summary& it) { return it.jobs.outlived_walltime; });
  for (const auto& [what, count] : kUncounted) note_counts(notes, cells, what, count);
}

// One line for each policy; the values are marked.
void note_full_queues(Notes& notes, const Comparison& comparison) {
  if (comparison.rows.empty()) return;
  for (std::size_t i = 0; i < comparison.rows.front().entries.size(); ++i) {
    std::set<std::size_t> cells;
    const Comparison::Entry* first = nullptr;
    for (const auto& row : comparison.rows) {
      const auto& entry = row.entries[i];
      if (entry.warning.empty()) continue;
      if (first == nullptr) first = &entry;
      cells.insert(row.cell);
    }
    if (first == nullptr) continue;
    const auto all = comparison.cells.size();
    notes.push_back(
        all == 1 ? fmt::format("{} under {}: its waits measure the length of the trace",
                               first->warning, first->policy)
                 : fmt::format(
                       "under {} the queue never empties, or holds jobs for most "
                       "of the time, at {} of {} {}: waits there measure the "
                       "length of the trace",
                       first->policy, cells.size(), all, points_word(comparison, all)));
  }
}

std::string change_text(const HitUsers::Change& change, std::string_view verb) {
  return fmt::format("user {} {} most: {:+.1f} s ({} job{}{})",
                     label_number(change.user), verb, change.wait, change.jobs,
                     change.jobs == 1 ? "" : "s",
                     change.runs > 1 ? fmt::format(" in {} runs", change.runs) : "");
}

void note_users(Notes& notes, const Comparison& comparison) {
  for (const auto& hit : comparison.users) {
    notes.push_back(fmt::format(
        "{}: mean wait of users under {}: {}, {}", cell_text(comparison, hit.cell),
        hit.policy, hit.best.wait < 0 ? change_text(hit.best, "gained") : "none gained",
        hit.worst.wait > 0 ? change_text(hit.worst, "lost") : "none lost"));
  }
}

std::vector<HitUsers> hit_users(std::span<const ComparedCell> cells) {
  std::vector<HitUsers> all;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto& policies = cells[i].policies;
    for (std::size_t other = 1; other < policies.size(); ++other) {
      auto found = hits(policies.front(), policies[other]);
      if (!found) continue;
      found->cell = i;
      all.push_back(std::move(*found));
    }
  }
  return all;
}

Notes sweep_notes(const Comparison& comparison, std::span<const ComparedCell> cells) {
  Notes notes;
  note_method(notes, comparison);
  note_batches(notes, comparison, cells);
  note_tests(notes, comparison);
  note_common_jobs(notes, comparison);
  note_single_runs(notes, comparison);
  note_missing(notes, comparison, cells);
  note_verdicts(notes, comparison);
  note_jobs(notes, cells);
  note_full_queues(notes, comparison);
  note_users(notes, comparison);
  return notes;
}

}  // namespace

void add_notes(Comparison& comparison, std::span<const ComparedCell> cells,
               sim::Overrun rule) {
  if (comparison.layout == Layout::kRun) {
    comparison.notes = run_notes(cells.front().policies, rule);
  } else {
    comparison.users = hit_users(cells);
    comparison.notes = sweep_notes(comparison, cells);
  }
}

}  // namespace berth
