#pragma once
// What is in a trace, in words and numbers.

#include <string>

#include "engine/base/budget.hpp"
#include "engine/base/json.hpp"
#include "engine/workload/workload.hpp"

namespace berth::study {

// Jobs, span, sizes, lengths, walltimes, users and offered load, one line each, then
// the classes of what was left out and repaired.  `processors` 0: the size of the
// machine is not known, and neither is the load.
[[nodiscard]] std::string trace_report(const Workload& workload,
                                       std::int32_t processors, Budget& budget);

// The same for programs.
[[nodiscard]] Json trace_json(const Workload& workload, std::int32_t processors,
                              Budget& budget);

// Every line of one class, "name: line 12", one each.  Throws Error{kUsage} with the
// classes there are if the workload has no such class.
// REQUIRES: the workload was read with its lines kept.
[[nodiscard]] std::string class_listing(const Workload& workload,
                                        const std::string& name,
                                        std::int32_t processors, Budget& budget);

}  // namespace berth::study
