#pragma once
// Reads summary.json back (see summary_json.hpp).

#include <optional>
#include <string_view>

#include "engine/metrics/summary.hpp"

namespace berth {

// What was written: jobs, metrics, users and counts, every number bit by bit.  What the
// file does not hold (instants of the queue) stays empty.  nullopt if the text is not a
// whole summary of format 1.
[[nodiscard]] std::optional<Summary> read_summary(std::string_view text);

}  // namespace berth
