#pragma once
// How many files this process may open (RLIMIT_NOFILE), as far as work goes by it.

#include <cstddef>

namespace berth::study {

// How many of so many workers have the files they need at one time: where the limit is
// too low it is raised as far as the system lets it, then fewer work, at least one.
[[nodiscard]] std::size_t workers_by_files(std::size_t wanted);

// Before results are written.  Throws Error{kOutput} where the limit leaves too few
// files for the results of one run, after it was raised as far as the system lets it.
void require_files_of_run();

}  // namespace berth::study
