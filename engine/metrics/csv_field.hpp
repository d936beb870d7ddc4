#pragma once
// Text as one field of a CSV file (RFC 4180).

#include <string>
#include <string_view>

namespace berth {

// In quotes if it holds a comma, a quote or an end of line, quotes doubled; otherwise
// as it is.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace berth
