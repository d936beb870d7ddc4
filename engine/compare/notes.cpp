#include "engine/compare/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.hpp"
#include "engine/metrics/compensated_sum.hpp"

namespace berth {

namespace {

using Notes = std::vector<std::string>;
using HitUsers = Comparison::HitUsers;
using Runs = std::vector<const ComparedRun*>;

using Policies = std::vector<ComparedPolicy>;

// Of the one run of a policy.
const Summary& summary_of(const ComparedPolicy& policy) {
  return policy.runs.front()->summary;
}

// Jobs that are in no mean, or not as their users meant.
constexpr std::pair<std::string_view, std::int64_t (*)(const Summary&)> kUncounted[] = {
    {"jobs rejected by the machine, as wider than it",
     [](const Summary& it) { return std::int64_t{it.jobs.rejected_by_machine}; }},
    {"jobs rejected by the machine, as too demanding for the empty network",
     [](const Summary& it) { return std::int64_t{it.jobs.rejected_never_embeds}; }},
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
        "the queue does not empty for {} s under {}, {:.0f} % of the time of submits: "
        "the mean wait depends on the length of the trace",
        seconds_text(stretch), policy.label, part));
  }
}

Notes run_notes(const Policies& policies, sim::Overrun rule) {
  Notes notes;
  if (policies.empty()) return notes;
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
  const auto at = std::lower_bound(
      users.begin(), users.end(), user,
      [](const UserSummary& it, std::int32_t number) { return it.user < number; });
  return at != users.end() && at->user == user ? &*at : nullptr;
}

// nullopt if the user has no finished job in some run.
std::optional<HitUsers::Change> change_of(std::int32_t user, const Runs& base,
                                          const Runs& other) {
  HitUsers::Change change{user, 0.0, 0};
  CompensatedSum sum;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const auto* before = find_user(*base[i], user);
    const auto* after = find_user(*other[i], user);
    const bool has_both =
        before != nullptr && after != nullptr && before->mean_wait && after->mean_wait;
    if (!has_both) return std::nullopt;
    sum.add(*after->mean_wait - *before->mean_wait);
    change.jobs += after->finished;
  }
  change.wait = sum.value() / static_cast<double>(base.size());
  return change;
}

std::optional<HitUsers> hits(const ComparedPolicy& base, const ComparedPolicy& other) {
  if (missing(base) + missing(other) > 0) return std::nullopt;
  std::optional<HitUsers> found;
  for (const auto& user : base.runs.front()->summary.users) {
    if (user.user < 0) continue;
    const auto change = change_of(user.user, base.runs, other.runs);
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

template <class Batched>
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
  notes.push_back(fmt::format(
      "one run has {:g} % intervals over batch means: jobs in the order of their ends, "
      "the first batch left out as warm-up",
      100.0 * comparison.confidence));
  for (const auto& row : comparison.rows) {
    for (std::size_t i = 0; i < row.entries.size(); ++i) {
      const auto& value = row.entries[i].value;
      if (!value || !value->is_batched) continue;
      const auto& run = *cells[row.cell].policies[i].runs.front();
      note_doubts(notes, run.batches.at(row.metric),
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
  notes.push_back(fmt::format(
      "mean and half-width of the {:g} % interval (Student t) over {} replications; "
      "differences are paired by replication",
      100.0 * comparison.confidence, comparison.replications));
}

void note_tests(Notes& notes, const Comparison& comparison) {
  const auto policies =
      comparison.rows.empty() ? std::size_t{0} : comparison.rows.front().entries.size();
  if (comparison.replications < 2 || policies < 2) return;
  if (policies > 2) {
    notes.push_back(fmt::format(
        "p: of the paired t test, corrected by Holm's method for {} comparisons",
        policies - 1));
  } else {
    notes.emplace_back("p: of the paired t test");
  }
}

void note_common_jobs(Notes& notes, const Comparison& comparison) {
  const auto over_jobs = [](const auto& row) {
    return std::any_of(row.entries.begin(), row.entries.end(),
                       [](const auto& entry) { return entry.common_jobs > 0; });
  };
  if (std::any_of(comparison.rows.begin(), comparison.rows.end(), over_jobs)) {
    notes.emplace_back(
        "a difference of means over jobs is over the jobs finished under both "
        "policies: column common");
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

// The improvements of a policy in these rows, where they are defined.
template <class Rows>
std::vector<double> gains_of(const Rows& rows, std::size_t policy) {
  std::vector<double> gains;
  for (const auto& row : rows) {
    const auto& gain = row.entries[policy].improvement;
    if (gain) gains.push_back(*gain);
  }
  return gains;
}

// Up to and on average over the cells (docs/model.md#assumptions).
void note_improvements(Notes& notes, const Comparison& comparison) {
  const auto cells = comparison.cells.size();
  if (cells < 2) return;
  for (std::size_t first = 0; first < comparison.rows.size(); first += cells) {
    const auto& top = comparison.rows[first];
    for (std::size_t policy = 1; policy < top.entries.size(); ++policy) {
      const auto rows = std::span(comparison.rows).subspan(first, cells);
      const auto gains = gains_of(rows, policy);
      if (gains.size() < cells) continue;
      CompensatedSum sum;
      for (const double gain : gains) sum.add(gain);
      notes.push_back(fmt::format(
          "{}: {} improves on {} by up to {:.1f} %, on average {:.1f} %, over {} "
          "points",
          top.metric, top.entries[policy].policy, top.entries.front().policy,
          *std::max_element(gains.begin(), gains.end()),
          sum.value() / static_cast<double>(cells), cells));
    }
  }
}

template <class Count>
std::int64_t total_of(std::span<const ComparedCell> cells, std::size_t policy,
                      const Count& count) {
  std::int64_t total = 0;
  for (const auto& cell : cells) {
    for (const auto* run : cell.policies[policy].runs) {
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

bool never_empties(const ComparedRun* run) {
  return run != nullptr && run->summary.queue_never_empties;
}

void note_full_queues(Notes& notes, const Comparison& comparison,
                      std::span<const ComparedCell> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (const auto& policy : cells[i].policies) {
      const auto never =
          std::count_if(policy.runs.begin(), policy.runs.end(), never_empties);
      if (never == 0) continue;
      notes.push_back(fmt::format(
          "{}: the queue never empties under {} in {} of {} runs: the mean wait "
          "measures the length of the trace",
          cell_text(comparison, i), policy.label, never, policy.runs.size()));
    }
  }
}

void note_users(Notes& notes, const Comparison& comparison) {
  for (const auto& hit : comparison.users) {
    notes.push_back(fmt::format(
        "{}: mean wait of users under {}: best hit user {} {:+.1f} s ({} jobs), worst "
        "hit user {} {:+.1f} s ({} jobs)",
        cell_text(comparison, hit.cell), hit.policy, hit.best.user, hit.best.wait,
        hit.best.jobs, hit.worst.user, hit.worst.wait, hit.worst.jobs));
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
  note_improvements(notes, comparison);
  note_jobs(notes, cells);
  note_full_queues(notes, comparison, cells);
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
