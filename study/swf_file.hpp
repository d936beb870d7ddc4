#pragma once
// Writes a workload as SWF, plain or gzip.

#include <ostream>
#include <string>

#include "engine/workload/swf_writer.hpp"
#include "engine/workload/workload.hpp"

namespace berth::study {

enum class Packing : std::uint8_t { kPlain, kGzip };

// Throws Error{kOutput} if the stream fails.  The same workload gives the same bytes,
// packed too.
void write_swf_to(std::ostream& out, const Workload& workload,
                  const SwfHeading& heading, Packing packing);

}  // namespace berth::study
