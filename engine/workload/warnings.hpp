#pragma once
// What a reader or a model did to a workload, in words.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/workload/workload.hpp"

namespace berth {

// One line for each class of `left_out`, then of `repairs`, each by name of the class:
// "2 jobs left out: no processor count (first at line 10)".  Without the name of the
// file and without a count of the warnings: whoever prints several inputs adds both.
[[nodiscard]] std::vector<std::string> warnings(const Workload& workload);

// The jobs that need more than `processors`: they are submitted and the machine rejects
// them.  `first_text` is the whole warning, with the place of the first of them:
// "x.swf:10: job 2 needs 128 processors, the machine has 64 (1 job will be rejected)".
// nullopt if there is none.  All their lines are listed where the workload has lines.
[[nodiscard]] std::optional<Finding> too_wide(const Workload& workload,
                                              std::int32_t processors);

}  // namespace berth
