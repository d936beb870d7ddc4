#pragma once
// Fields of CSV files (RFC 4180).

#include <string>
#include <string_view>

namespace berth {

// The text, in quotes with inner quotes doubled if it holds a comma, a quote or an end
// of line.
[[nodiscard]] inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

}  // namespace berth
