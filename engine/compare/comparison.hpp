#pragma once
// Policies against policies on the same jobs: the one comparison of a run, a study and
// a sweep.
//
// A replication is one seed; every policy meets the same jobs and draws in it.  Each
// policy is compared with the first by the differences of the replications.  Means have
// Student t intervals over replications; the p-values of the whole table are corrected
// by Holm's method, or those of the primary metric alone: the other rows are then
// exploratory.  For a metric that is a mean over jobs the difference is over the jobs
// that finished under both.
//
// Replications with equal results count as one run: no interval, unless the run has
// batch means, which replace its mean (the first batch is dropped as warm-up).  A
// policy without a result in every replication of a cell has no value there: a mean
// over some of them would be another quantity.
//
// A single run is one cell with one replication.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/compare/batch_means.hpp"
#include "engine/compare/common_jobs.hpp"
#include "engine/compare/fidelity.hpp"
#include "engine/metrics/metric_record.hpp"
#include "engine/metrics/summary.hpp"

namespace berth {

// 100 (base - changed) / base where lower is better, 100 (changed - base) / base where
// higher is.  nullopt for base 0 or a metric without a direction.
[[nodiscard]] std::optional<double> improvement_percent(double base, double changed,
                                                        Better better);

// One policy in one replication.
struct ComparedRun {
  Summary summary;
  CommonJobs common;  // with the first policy; unused in its own runs
  // On request, for intervals where there is one run.
  BatchedMetrics batches;
  // Where the records of the trace are kept.
  std::optional<Fidelity> fidelity{};
};

struct ComparedPolicy {
  std::string label;
  std::vector<const ComparedRun*> runs;  // by replication; nullptr: no result
  bool has_common = true;                // ComparedRun::common is with the first policy
};

struct ComparedCell {
  std::vector<std::pair<std::string, std::string>> settings;  // key, value
  std::vector<ComparedPolicy> policies;
};

enum class Verdict : std::uint8_t {
  kBase,    // the first policy itself
  kBetter,  // than the first one
  kWorse,
  kDiffers,        // where the metric has no better side
  kNotShown,       // no difference can be shown
  kEqual,          // the same value in every replication
  kOneRun,         // a difference without an interval: one run, or the same everywhere
  kUndefined,      // no value in some replication
  kNotComparable,  // other jobs finished, or waits end at the first of several starts
  kIncomplete,     // no result in some replication
};

// "better", "no difference can be shown", ...
[[nodiscard]] std::string_view text_of(Verdict verdict);

// What the tables and notes of a comparison are about.
enum class Layout : std::uint8_t {
  kRun,    // one run of each policy: a line for each metric, a column for each policy
  kSweep,  // a table for each metric: a line for each cell and policy
};

struct Comparison {
  struct Value {
    double mean = 0.0;
    std::optional<double> half_width;  // nullopt: one run
    bool is_batched = false;           // mean and half-width over batches of one run
  };
  // One policy in a row.
  struct Entry {
    std::string policy;
    std::size_t runs = 0;             // that differ; 1 if all seeds gave the same
    std::int64_t n = 0;               // jobs behind the value, all replications
    std::int64_t n_each = 0;          // in each run, where that is the same; else 0
    std::optional<Value> value;       // nullopt: undefined or incomplete
    std::optional<Value> difference;  // to the first policy; nullopt for itself
    std::optional<double> p_value;    // corrected; nullopt without an interval
    // On the first policy, in per cent of it; nullopt also where not comparable.
    std::optional<double> improvement;
    std::int64_t common_jobs = 0;  // behind the difference; 0: not a mean of jobs
    // Whether it is the best of a row of a run whose values differ and are comparable.
    bool best = false;
    Verdict verdict = Verdict::kBase;
    // What spoils the value: a queue that never empties, many rejected jobs.
    std::string warning{};
    // Why the value is not comparable with the others (engine/compare/comparable.hpp).
    std::string not_comparable{};

    // Both, for one column; empty without any.
    [[nodiscard]] std::string doubts() const;
  };
  struct Row {
    std::string metric;
    std::string unit;
    Better better = Better::kNeither;
    std::size_t cell = 0;
    std::vector<Entry> entries;  // one for each policy
    bool exploratory = false;    // p-values are not corrected
  };
  // The user whose mean wait fell most, and the one whose rose most, against the first
  // policy; over users with finished jobs under both in every replication.
  struct HitUsers {
    struct Change {
      std::int32_t user = -1;
      double wait = 0.0;      // s, mean over replications; negative: waits less
      std::int64_t jobs = 0;  // finished under that policy, all replications
      std::size_t runs = 1;   // of them
    };
    std::size_t cell = 0;
    std::string policy;
    Change best;
    Change worst;
  };

  Layout layout = Layout::kSweep;
  std::vector<std::string> policies;            // labels, at the first cell
  std::vector<std::string> keys;                // of the cells
  std::vector<std::vector<std::string>> cells;  // their values
  std::vector<std::optional<double>> loads;     // offered in each, over its runs
  std::size_t replications = 1;
  std::string basis;  // what the intervals are over: "95 % intervals over 10 seeds"
  double confidence = 0.95;
  std::string primary;          // the metric that decides; empty: none
  std::size_t comparisons = 0;  // for which p-values are corrected
  std::vector<Row> rows;        // metric by metric, then cell by cell
  std::vector<HitUsers> users;
  std::vector<FidelityOf> fidelity;  // of a run, for policies that have it
  // What must be known to read the numbers; added by those who print it.
  std::vector<std::string> notes;
};

// The metrics of the table unless told otherwise.  Where a job was suspended under any
// policy, responses and the lost time stand for waits, which end at the first start.
[[nodiscard]] std::span<const std::string_view> default_metrics(
    std::span<const ComparedCell> cells);

// All metrics that any of the runs has, in the order of metric_records(), then the
// user's own, and those of kinds and of classes of jobs, in the order of the runs.
[[nodiscard]] std::vector<std::string_view> all_metrics(
    std::span<const ComparedCell> cells);

struct CompareOptions {
  Layout layout = Layout::kSweep;
  double confidence = 0.95;
  std::string replications{};       // what they are, for the head
  std::string primary{};            // see Comparison
  std::vector<MetricRecord> own{};  // metrics of the user's own
};

// Rows as named.  REQUIRES: a cell and a replication at least; equally many policies
// and replications in every cell; for Layout::kRun one cell, one replication, and a
// result of each policy; else a policy at least.  An unknown metric throws
// Error{kUsage}.
[[nodiscard]] Comparison compare(std::span<const ComparedCell> cells,
                                 std::span<const std::string_view> metrics,
                                 const CompareOptions& options = {});

// The runs of a policy that differ: all, or the first if all gave the same.  REQUIRES:
// a result in each.
[[nodiscard]] std::span<const ComparedRun* const> distinct_runs(
    const ComparedPolicy& policy);

// "workload.load=0.7, machine.processors=64"; "all runs" without keys.
[[nodiscard]] std::string cell_text(const Comparison& comparison, std::size_t cell);

}  // namespace berth
