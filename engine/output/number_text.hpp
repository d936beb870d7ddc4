#pragma once
// Numbers as result files write them, in CSV and in JSON alike.

#include <optional>
#include <string>

#include "engine/base/time.hpp"

namespace berth {

// The shortest text that reads back as the same number; empty if there is none.
[[nodiscard]] std::string ratio_text(std::optional<double> ratio);

// The same for a JSON file: null if there is none or it is not finite.
[[nodiscard]] std::string json_number(std::optional<double> ratio);

// Seconds for a JSON file: null for kNever or none.
[[nodiscard]] std::string json_seconds(std::optional<Time> ticks);

}  // namespace berth
