#pragma once
// Several policies over several replications of each cell of a sweep: the one table
// that a sweep prints (spec: metrics.md 4, 7).
//
// A replication is one seed; every policy meets the same jobs and draws in it.  Means
// have Student t intervals over replications.  Each policy is compared with the first
// by the differences of the replications, and the p-values of one metric in one cell
// are corrected by Holm's method.  For a metric that is a mean over jobs the difference
// is taken over the jobs that finished under both.
//
// Replications that all gave the same are one run, without an interval unless it has
// batch means: those replace the mean, the first batch being left out as warm-up.  A
// policy without a result in every replication of a cell has no number there: a mean
// over some of them would be another quantity.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/compare/batched_metrics.hpp"
#include "engine/compare/common_jobs.hpp"
#include "engine/metrics/metric_record.hpp"
#include "engine/metrics/summary.hpp"

namespace berth {

// One policy in one replication.
struct ReplicatedRun {
  Summary summary;
  CommonJobs common;  // with the first policy; unused in its own runs
  // On request, for intervals where there is one run; the differences are to the first
  // policy.
  BatchedMetrics batches;
  BatchedMetrics difference_batches;
};

struct ReplicatedPolicy {
  std::string label;
  std::vector<const ReplicatedRun*> runs;  // by replication; nullptr: no result
};

struct ReplicatedCell {
  std::vector<std::pair<std::string, std::string>> settings;  // key, value
  std::vector<ReplicatedPolicy> policies;
};

enum class Verdict : std::uint8_t {
  kBase,    // the first policy itself
  kBetter,  // than the first one
  kWorse,
  kDiffers,     // where the metric has no better side
  kNotShown,    // no difference can be shown
  kEqual,       // the same value in every replication
  kOneRun,      // a difference without an interval: one run, or the same everywhere
  kUndefined,   // no value in some replication
  kIncomplete,  // no result in some replication
};

// "better", "no difference can be shown", ...
[[nodiscard]] std::string_view text_of(Verdict verdict);

struct ReplicatedComparison {
  struct Value {
    double mean = 0.0;
    std::optional<double> half_width;  // nullopt: one run
    bool is_batched = false;           // mean and half-width over batches of one run
  };
  // One policy in a row.
  struct Entry {
    std::string policy;
    std::size_t runs = 0;               // that differ; 1 if all seeds gave the same
    std::int64_t n = 0;                 // jobs behind the value, all replications
    std::optional<Value> value;         // nullopt: undefined or incomplete
    std::optional<Value> difference;    // to the first policy; nullopt for itself
    std::optional<double> p_value;      // corrected; nullopt without an interval
    std::optional<double> improvement;  // on the first policy, in per cent of it
    std::int64_t common_jobs = 0;       // behind the difference; 0: not a mean of jobs
    Verdict verdict = Verdict::kBase;
  };
  struct Row {
    std::string metric;
    std::string unit;
    Better better = Better::kNeither;
    std::size_t cell = 0;
    std::vector<Entry> entries;  // one for each policy
  };
  // The user whose mean wait fell most, and the one whose rose most, against the first
  // policy; over users with finished jobs under both in every replication.
  struct HitUsers {
    struct Change {
      std::int32_t user = -1;
      double wait = 0.0;      // s, mean over replications; negative: waits less
      std::int64_t jobs = 0;  // finished under that policy, all replications
    };
    std::size_t cell = 0;
    std::string policy;
    Change best;
    Change worst;
  };

  std::vector<std::string> keys;                // of the cells
  std::vector<std::vector<std::string>> cells;  // their values
  std::size_t replications = 1;
  double confidence = 0.95;
  std::vector<Row> rows;  // metric by metric, then cell by cell
  std::vector<HitUsers> users;
  std::vector<std::string> notes;  // what must be known to read the numbers
};

// What a sweep prints unless told otherwise.
[[nodiscard]] std::span<const std::string_view> sweep_metrics();

// All metrics that any of the runs has, in the order of metric_records().
[[nodiscard]] std::vector<std::string_view> all_metrics(
    std::span<const ReplicatedCell> cells);

// REQUIRES: a cell, a policy and a replication at least, equally many policies and
// replications everywhere.  An unknown metric throws Error{kUsage}.
[[nodiscard]] ReplicatedComparison compare_replicated(
    std::span<const ReplicatedCell> cells, std::span<const std::string_view> metrics,
    double confidence = 0.95);

// "workload.load=0.7, machine.processors=64"; "all runs" without keys.
[[nodiscard]] std::string cell_text(const ReplicatedComparison& comparison,
                                    std::size_t cell);

}  // namespace berth
