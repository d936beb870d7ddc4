#pragma once
// Writes a workload in the Standard Workload Format, version 2.2.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

struct SwfHeading {
  std::string computer{};            // empty: no Computer line
  std::vector<std::string> notes{};  // one Note line each
};

// Receives the text in order, in pieces of about 64 KiB; may throw.
using TextSink = std::function<void(std::string_view)>;

// Writes a header (Version, Computer, MaxJobs, MaxRecords, MaxProcs and UnixStartTime
// if known, Note), then a line for each job.  Unknown fields are -1: field 9 without a
// given walltime, fields 3, 5 to 7 and 11 without a record, 17 and 18 always.  Times
// are the shortest exact decimals.  Control bytes of the heading are escaped.
//
// read_swf() of the text gives the same jobs, records, processors and start time,
// without the findings; a job without a record gets one of unknown fields.  Charges
// kUnitsOfSwfLine for each job.
inline constexpr std::int64_t kUnitsOfSwfLine = 8;
void write_swf(const Workload& workload, const SwfHeading& heading,
               const TextSink& sink, Budget& budget);

}  // namespace berth
