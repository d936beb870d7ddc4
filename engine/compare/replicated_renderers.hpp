#pragma once
// The table of a sweep as text for a terminal, for a paper, for a page, or for a
// program.
//
// All end with a line end.  Those for people round, those for programs do not.

#include <string>

#include "engine/compare/replicated.hpp"

namespace berth {

// A block for each metric; a line for each cell and policy.
[[nodiscard]] std::string as_text(const ReplicatedComparison& comparison);
[[nodiscard]] std::string as_markdown(const ReplicatedComparison& comparison);
[[nodiscard]] std::string as_latex(const ReplicatedComparison& comparison);

// A row for each metric, cell and policy: the keys of the cells, then
// metric,unit,better,policy,runs,n,mean,half_width,difference,difference_half_width,
// p_value,improvement_percent,common_jobs,verdict.
[[nodiscard]] std::string as_csv(const ReplicatedComparison& comparison);
[[nodiscard]] std::string as_json(const ReplicatedComparison& comparison);

}  // namespace berth
