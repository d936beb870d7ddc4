#include "engine/base/csv_text.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

#include "engine/base/real_chars.hpp"

namespace berth {

namespace {

constexpr std::string_view kComputed = "=+-@\t\r";

bool is_number(std::string_view text) {
  double value = 0;
  const auto* end = text.data() + text.size();
  const auto [at, code] = real_from_chars(text.data(), end, value);
  return code == std::errc() && at == end && std::isfinite(value);
}

// Whether a computed beginning stands behind any number of apostrophes.
bool is_computed(std::string_view text) {
  const auto at = text.find_first_not_of('\'');
  return at != std::string_view::npos &&
         kComputed.find(text[at]) != std::string_view::npos;
}

}  // namespace

std::string csv_text(std::string_view text) {
  std::string cell = is_computed(text) && !is_number(text) ? "'" : "";
  cell += text;
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return cell;
  std::string quoted = "\"";
  for (const char letter : cell) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

std::string_view read_csv_text(std::string_view cell) {
  if (cell.starts_with('\'') && is_computed(cell)) cell.remove_prefix(1);
  return cell;
}

}  // namespace berth
