#pragma once
// Reads a trace in the Standard Workload Format, version 2.2 (Parallel Workloads
// Archive).
//
// Columns (from 1): id 1, submit 2, length 4, size 8 if above 0 else 5, walltime 9 if
// above 0 else the length, memory 10, user 12, group 13, executable 14, queue 15,
// partition 16. Fields 3, 5 to 7 and 11 are kept for analysis; 17 and 18 are ignored.
// LF and CR LF, a byte order mark, blank lines and header lines anywhere are accepted.
// Nothing is shifted; submit and run times may have decimals and are rounded to the
// tick.
//
// left_out     no_processor_count   neither field 8 nor field 5 is above 0
//              no_run_time          field 4 is negative
// repairs      unsorted             a line submits before the line above it
//              size_from_allocated  field 8 is not above 0, field 5 is
//              no_walltime          field 9 is not above 0
//              preceding_job        field 17 or 18 is above 0
//              no_machine_size      no MaxProcs or MaxNodes above 0 (count 1, line 0)
//
// Determinism  File order never matters to the jobs; the same bytes give the same
// message.
// Cost         O(n), O(n log n) where lines are not in order; no allocation for a line.
// Memory       That of the workload; 16 bytes for a line that is left out, and for
// every
//              line where the numbers of the jobs do not ascend, as for the jobs.

#include <string>

#include "engine/workload/byte_source.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

struct SwfOptions {
  std::string name;           // the file as the user typed it
  bool strict = false;        // an error where a job would be left out
  bool keep_lines = false;    // every line of every finding, not only the first
  bool keep_recorded = true;  // Workload::recorded
};

// Throws Error{kInput} for a line that is no job line, for numbers that cannot be, for
// a job number used twice (whichever lines are left out) and, when strict, for a job
// that would be left out.  The text is "file:line:column: field: what is wrong", below
// 500 bytes, control bytes escaped.  A file without jobs is an empty workload.
[[nodiscard]] Workload read_swf(ByteSource& source, const SwfOptions& options);

}  // namespace berth
