#pragma once
// Numbers as people read them, for the sentences and tables of a page.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth::report {

// Two neighbouring units, the second rounded and left out where it is 0, or behind 100
// and more of the first: "1 h 54 min", "9 min 22 s", "2,260 d"; "0" below half a
// second.
[[nodiscard]] std::string span_words(double seconds);

// A value in the unit of its metric: "1 h 54 min" for s, "69.9 %" for a fraction, else
// four significant digits, whole from 1,000 on, with separators: "14,805".  The minus
// is U+2212.
[[nodiscard]] std::string value_words(double value, std::string_view unit);

// The same with its sign, "+9 min 22 s"; a fraction's is in points.
[[nodiscard]] std::string difference_words(double value, std::string_view unit);

// "mean wait", "95 % wait", "in use"; of other metrics the name with spaces.
[[nodiscard]] std::string metric_words(std::string_view name);

// "12 Mar 1997", UTC.
[[nodiscard]] std::string day_words(std::int64_t unix_time);

// "1 job", "28,475 jobs".
[[nodiscard]] std::string count_words(std::int64_t count, std::string_view word);

}  // namespace berth::report
