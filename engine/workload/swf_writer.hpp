#pragma once
// Writes a workload in the Standard Workload Format, version 2.2.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/workload/workload.hpp"

namespace berth {

struct SwfHeading {
  std::string computer{};            // empty: no Computer line
  std::vector<std::string> notes{};  // one Note line each
};

// Takes the text in pieces of some 64 KiB, in order; may throw.
using TextSink = std::function<void(std::string_view)>;

// Header (Version, Computer, MaxJobs, MaxRecords, MaxProcs and UnixStartTime where
// known, Note), then one line for each job in the order of the workload.  What is not
// known is -1: field 9 where no walltime was given, fields 3, 5 to 7 and 11 where
// nothing was recorded; 17 and 18 always.  Times are as short as exact.
//
// Reading the text gives the same jobs, records, processors and start; what was left
// out or repaired before is gone, and a job without a record has one in which nothing
// is known. Control bytes of the heading are escaped.
void write_swf(const Workload& workload, const SwfHeading& heading,
               const TextSink& sink);

}  // namespace berth
