#pragma once
// Spans of time as people write them: "10m", "2h30m", "2 d 13 h".

#include <optional>
#include <string>
#include <string_view>

namespace berth {

// The seconds of "90s", "10m", "2h30m", "5d", "1w" (w, d, h, m, s, each once, in this
// order, with or without spaces; fractions such as "1.5h").  nullopt for anything else,
// a number without a unit among it.
[[nodiscard]] std::optional<double> seconds_from_text(std::string_view text);

// The two largest units, rounded down to them: "2 d 13 h", "3 m 20 s", "12 s"; below a
// minute with a fraction: "0.5 s".
[[nodiscard]] std::string human_time(double seconds);

}  // namespace berth
