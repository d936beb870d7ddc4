#pragma once
// Reads a trace in the Standard Workload Format, version 2.2 (Parallel Workloads
// Archive).
//
// Fields (from 1): id 1, submit 2, length 4, size 8 if above 0 else 5, walltime 9 if
// above 0 else the length, memory 10, user 12, group 13, executable 14, queue 15,
// partition 16. Fields 3, 5 to 7 and 11 are kept for analysis, 17 and 18 if asked for.
// Accepts LF and CR LF, a byte order mark, blank lines, and header lines anywhere.
// Submit and run times may have decimals; they are rounded to the tick and not shifted.
//
// left_out     partial_execution    status 2, 3 or 4: a part of a job that was swapped
//                                   out, which has a line of its own for the whole
//              no_submit_time       field 2 is -1
//              no_processor_count   neither field 8 nor field 5 is above 0
//              no_run_time          field 4 is negative
// repairs      unsorted             submit before that of the line above
//              size_from_allocated  field 8 is not above 0, field 5 is
//              no_walltime          field 9 is not above 0
//              preceding_job        field 17 or 18 is above 0, and neither is kept
//              think_time_alone     field 18 is above 0 and 17 is not; they are kept
//              no_machine_size      no MaxProcs or MaxNodes above 0 (count 1, line 0)
//
// Determinism  the jobs do not depend on the order of lines
// Cost         O(n), O(n log n) for unsorted lines; no allocation a line
// Memory       the workload, and 16 bytes for each line left out and, if job numbers do
//              not ascend, for every line

#include <string>

#include "engine/base/budget.hpp"
#include "engine/workload/byte_source.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

struct SwfOptions {
  std::string name;             // the file as the user typed it
  bool strict = false;          // a line that would be left out is an error
  bool keep_lines = false;      // fills Finding::lines
  bool keep_recorded = true;    // fills Workload::recorded
  bool keep_left_out = false;   // fills Workload::not_jobs
  bool keep_preceding = false;  // fills Workload::preceding
};

// Throws Error{kInput} for a malformed line, a number out of range, a job number used
// twice (left-out lines included) and, if strict, a line that would be left out.  The
// text is "file:line:column: field: what is wrong", below 500 bytes, with control bytes
// escaped. A file without jobs gives an empty workload.
[[nodiscard]] Workload read_swf(ByteSource& source, const SwfOptions& options,
                                Budget& budget);

}  // namespace berth
