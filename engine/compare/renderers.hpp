#pragma once
// A comparison for programs.  Numbers are written in full; all end with a line end.

#include <string>

#include "engine/compare/comparison.hpp"

namespace berth {

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
