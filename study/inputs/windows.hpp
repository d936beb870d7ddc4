#pragma once
// Windows of a trace as the replications of a sweep: [sweep] windows.

#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// Makes an axis "workload.window" of scenario.windows, if there are any: each window of
// `length` that lies wholly between the first and the last submit and holds a job, a
// `step` from the one before.  Reads the trace.  Throws Error{kInput} without a trace
// and for fewer than two windows.
void resolve_windows(Scenario& scenario, Budget& budget);

// How the replications of the scenario come about, for the head of its table: "10
// seeds, submits shaken by up to 60 s", "14 windows of 30 d".  Empty: one replication.
[[nodiscard]] std::string replications_text(const Scenario& scenario);

// What is wrong with its replications as it stands, one line each: seeds that change
// nothing about the jobs of a trace.
[[nodiscard]] std::vector<std::string> replication_warnings(const Scenario& scenario);

}  // namespace berth::study
