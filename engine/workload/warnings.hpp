#pragma once
// Warnings about a workload, as text.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// One line for each class of `left_out`, then of `repairs`, each sorted by class:
// "2 jobs left out: no processor count (first at line 10)".  The file name is not part
// of the line.
[[nodiscard]] std::vector<std::string> warnings(const Workload& workload);

// The jobs wider than `processors`, which the machine will reject; nullopt if there are
// none.  `first_text` is the complete warning: "x.swf:10: job 2 needs 128 processors,
// the machine has 64 (1 job will be rejected)".  `lines` are all their lines, if known.
[[nodiscard]] std::optional<Finding> too_wide(const Workload& workload,
                                              std::int32_t processors, Budget& budget);

}  // namespace berth
