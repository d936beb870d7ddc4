#pragma once
// Whether the jobs of a run fit into memory, asked before they are made.

#include <cstdint>

namespace berth::study {

// Bytes of memory that this process may use: the least of its limits (ulimit -v and
// -d), of the limit of its control group, and of the memory of the computer.
[[nodiscard]] std::int64_t usable_memory();

// Throws Error{kUsage}, which says how many jobs fit, if a run over this many jobs does
// not fit into `bytes` of memory.  What else a run needs, as the levels of a timeline,
// is not counted.
void check_room_for_jobs(std::int64_t jobs, std::int64_t bytes = usable_memory());

}  // namespace berth::study
