#pragma once
// A comparison as text for a terminal, for a paper, for a page, or for a program.
//
// All end with a line end.  Those for people round (see display.hpp), those for
// programs do not.

#include <string>

#include "engine/compare/comparison.hpp"

namespace berth {

// Aligned columns, no colour; "*" marks the best; the notes below.  Control bytes in
// labels are escaped.
[[nodiscard]] std::string as_text(const Comparison& comparison);

// comparison.csv: a row for each metric and policy.  Columns metric,unit,better,policy,
// value,n,best,improvement_percent; better is lower, higher or none.
[[nodiscard]] std::string as_csv(const Comparison& comparison);

[[nodiscard]] std::string as_json(const Comparison& comparison);

// A pipe table, the best in bold; the notes as a list.
[[nodiscard]] std::string as_markdown(const Comparison& comparison);

// A tabular for the package booktabs, the best in bold; the notes as comments.
[[nodiscard]] std::string as_latex(const Comparison& comparison);

}  // namespace berth
