#pragma once
// Reasons as sentences and as JSON, the same wherever they are shown.

#include <span>
#include <string>

#include "engine/base/json.hpp"
#include "engine/explain/explained_job.hpp"
#include "engine/jobs/job.hpp"

namespace berth {

// "would delay job 4702 (reserved at 699200): ends 705600, 8 spare".  Jobs by the
// trace's own numbers.
[[nodiscard]] std::string words(const ReasonLine& line, std::span<const Job> jobs);
// Of one pass.
[[nodiscard]] std::string words(const Reason& reason, std::span<const Job> jobs);
// "size <= 12, <= 40 at 690100", "walltime <= 2:13:20 at 691200"; "-": nothing.
[[nodiscard]] std::string remedy_words(const ReasonLine& line);
// "started, beside the reservation of job 4702 (ends in time)".
[[nodiscard]] std::string words(const BeginOfJob& begin, std::span<const Job> jobs);

// Times in seconds; absent: what has no meaning for the reason.
[[nodiscard]] Json reason_json(const Reason& reason, std::span<const Job> jobs);
[[nodiscard]] Json line_json(const ReasonLine& line, std::span<const Job> jobs);

}  // namespace berth
