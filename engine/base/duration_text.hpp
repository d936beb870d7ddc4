#pragma once
// Spans of time as people write them: "10m", "2h30m", "2 d 13 h"; dates.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/time.hpp"

namespace berth {

// The seconds of "90s", "10m", "2h30m", "5d", "1w" (w, d, h, m, s, each once, in this
// order, with or without spaces; fractions such as "1.5h").  nullopt for anything else,
// a number without a unit among it.
[[nodiscard]] std::optional<double> seconds_from_text(std::string_view text);

// The two largest units, rounded down to them: "2 d 13 h", "3 m 20 s", "12 s"; below a
// minute with a fraction: "0.5 s".
[[nodiscard]] std::string human_time(double seconds);

// "4:00:00", "1-04:00:00", "0:00:12.5": days, hours, minutes, seconds.
[[nodiscard]] std::string clock_text(Duration time);

// The Unix time, in seconds, of "1996-10-01", "1996-10-01 12:30" or
// "1996-10-01T12:30:05", UTC, of the years 1970 to 9999.  nullopt for anything else.
[[nodiscard]] std::optional<std::int64_t> unix_time_from_date(std::string_view text);

// "1996-10-01T12:30:05", the time left out at midnight.  REQUIRES: a time of those
// years.
[[nodiscard]] std::string date_text(std::int64_t unix_time);

}  // namespace berth
