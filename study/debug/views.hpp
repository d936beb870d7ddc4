#pragma once
// What a stopped run looks like, in lines.

#include <string>

#include "engine/sim/simulation.hpp"

namespace berth::study {

// The queue in an order of the policy: "arrival", "default", or its own; at most 40.
// Throws Error{kUsage} for an order that it does not have.
[[nodiscard]] std::string queue_text(const sim::Simulation& simulation,
                                     const std::string& order);
[[nodiscard]] std::string running_text(const sim::Simulation& simulation);
[[nodiscard]] std::string machine_text(const sim::Simulation& simulation);
[[nodiscard]] std::string plans_text(const sim::Simulation& simulation);
[[nodiscard]] std::string book_text(const sim::Simulation& simulation);
[[nodiscard]] std::string job_text(const sim::Simulation& simulation, JobId job);

// "job 7 starts", of one record.
[[nodiscard]] std::string record_text(const sim::Record& record,
                                      const sim::Simulation& simulation);

}  // namespace berth::study
