#pragma once
// Several traces as one workload (docs/model.md#mix).

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// Each trace begins at 0 and is stretched to its load of the machine; all are cut where
// the one that ends first ends, and merged by (submit, id).  Numbers of jobs and users
// of a later trace are shifted behind the largest of those before it.  Name and
// findings are those of all, lines are not kept.  Throws Error{kInput} as reach_load()
// does, and for numbers out of range.
// REQUIRES: traces with a job each, and a load above 0 for each; with records all or
// none.
[[nodiscard]] Workload mix(std::vector<Workload> traces, std::span<const double> loads,
                           std::int32_t processors, Budget& budget,
                           std::optional<std::int32_t> widest = {});

}  // namespace berth
