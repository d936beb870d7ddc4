#pragma once
// A comparison as text for a terminal, a paper, a page or a program.
//
// All end with a line end.  Those for people round (decimals by the largest number of a
// line or table), those for programs do not.

#include <cstddef>
#include <string>

#include "engine/compare/comparison.hpp"

namespace berth {

// How a terminal is written to.
struct TextStyle {
  std::size_t width = 80;  // columns of a line; wider tables are transposed or folded
  bool colour = false;     // escape sequences for the best value and for verdicts
};

// Aligned columns, times also in days and hours; the notes below.  Control bytes in
// labels are escaped.  In a run "*" marks the best, "!" a value that the queue spoils,
// and a value that is not comparable has the reason below; a sweep has one table for
// each metric.
[[nodiscard]] std::string as_text(const Comparison& comparison,
                                  const TextStyle& style = {});

// Pipe tables, the best of a run in bold; the notes as a list.
[[nodiscard]] std::string as_markdown(const Comparison& comparison);

// Tabulars for the package booktabs, the best of a run in bold; the notes as comments.
[[nodiscard]] std::string as_latex(const Comparison& comparison);

// comparison.csv: a line for each metric and policy, in a sweep also for each cell,
// whose settings are the first columns.  Then of a run
// metric,unit,better,policy,value,n,best,improvement_percent,warning; of a sweep
// metric,unit,better,policy,runs,n,mean,half_width,
// difference,difference_half_width,p_value,improvement_percent,common_jobs,verdict,
// exploratory,comparisons,load,warning.
// `better` is lower, higher or none; `warning` says what spoils the value, and why it
// is not comparable ("other jobs: 42 of 500"), with "; " between; p-values are
// corrected for `comparisons` (not those of exploratory rows).
[[nodiscard]] std::string as_csv(const Comparison& comparison);

[[nodiscard]] std::string as_json(const Comparison& comparison);

}  // namespace berth
