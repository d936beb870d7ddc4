#pragma once
// A comparison as text for a terminal, a paper, a page or a program.
//
// All end with a line end.  Those for people round (decimals by the largest number of a
// line or table), those for programs do not.

#include <string>

#include "engine/compare/comparison.hpp"

namespace berth {

// Aligned columns, no colour; the notes below.  Control bytes in labels are escaped. In
// a run "*" marks the best; a sweep has one table for each metric.
[[nodiscard]] std::string as_text(const Comparison& comparison);

// Pipe tables, the best of a run in bold; the notes as a list.
[[nodiscard]] std::string as_markdown(const Comparison& comparison);

// Tabulars for the package booktabs, the best of a run in bold; the notes as comments.
[[nodiscard]] std::string as_latex(const Comparison& comparison);

// comparison.csv: a line for each metric and policy, in a sweep also for each cell,
// whose settings are the first columns.  Then of a run
// metric,unit,better,policy,value,n,best, improvement_percent; of a sweep
// metric,unit,better,policy,runs,n,mean,half_width,
// difference,difference_half_width,p_value,improvement_percent,common_jobs,verdict.
// `better` is lower, higher or none.
[[nodiscard]] std::string as_csv(const Comparison& comparison);

[[nodiscard]] std::string as_json(const Comparison& comparison);

}  // namespace berth
