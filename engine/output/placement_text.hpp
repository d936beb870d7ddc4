#pragma once
// Where a job sat, as result files write it.

#include <string>

#include "engine/base/placement.hpp"

namespace berth {

// Processors from 0, as "0-3 8"; of tasks on hosts the host of each, in order, as
// "1 0 1"; empty for nullptr.
[[nodiscard]] std::string placement_text(const Placement* placement);

// kbit/s as Mb/s.
[[nodiscard]] std::string mbits_text(std::int64_t kbits);
// Two fields of a CSV line: where the virtual switch sits, and Mb/s on all links
// together, as "edge 0,120".
[[nodiscard]] std::string network_text(const VirtualCluster& cluster);

}  // namespace berth
