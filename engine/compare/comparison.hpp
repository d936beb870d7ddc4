#pragma once
// Several policies on the same jobs, metric by metric: the table that a run prints.
//
// The first policy is the base of improvements.  The best of a row is marked where at
// least two values differ; equal best values are all marked.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/metrics/metric_record.hpp"
#include "engine/metrics/summary.hpp"
#include "engine/sim/machine.hpp"

namespace berth {

struct LabelledSummary {
  std::string label;  // of the policy, unique
  Summary summary;
};

struct Comparison {
  struct Cell {
    std::optional<double> value;  // nullopt: undefined
    std::int64_t n = 0;           // jobs behind it
    bool best = false;
    std::optional<double> improvement;  // on the first policy, in per cent
  };
  struct Row {
    std::string metric;
    std::string unit;
    Better better = Better::kNeither;
    std::vector<Cell> cells;  // one for each label
  };
  std::vector<std::string> labels;
  std::vector<Row> rows;
  std::vector<std::string> notes;  // what must be known to read the numbers
};

// What `run` prints unless told otherwise.
[[nodiscard]] std::span<const std::string_view> default_metrics();

// All metrics that any of the summaries has, in the order of metric_records().
[[nodiscard]] std::vector<std::string_view> all_metrics(
    std::span<const LabelledSummary> runs);

// Rows as named, columns as given.  `rule` is what happened to jobs that outlived their
// walltime.  An unknown metric throws Error{kUsage}.
[[nodiscard]] Comparison compare(std::span<const LabelledSummary> runs,
                                 std::span<const std::string_view> metrics,
                                 sim::Overrun rule);

}  // namespace berth
