#pragma once
// Writes a workload as SWF, plain or gzip.

#include "engine/output/sink.hpp"
#include "engine/workload/swf_writer.hpp"
#include "engine/workload/workload.hpp"

namespace berth::study {

enum class Compression : std::uint8_t { kPlain, kGzip };

// The same workload gives the same bytes, compressed too.  Throws what the sink throws.
void write_swf_to(Sink& sink, const Workload& workload, const SwfHeading& heading,
                  Compression compression, Budget& budget);

}  // namespace berth::study
