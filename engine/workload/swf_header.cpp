#include "engine/workload/swf_header.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth {

namespace {

struct Entry {
  std::string_view key;
  std::string_view value;
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<Entry> entry_of(std::string_view text) {
  const auto semicolon = text.find(';');
  const auto colon = text.find(':');
  if (semicolon == text.npos || colon == text.npos || colon < semicolon) return {};
  return Entry{trimmed(text.substr(semicolon + 1, colon - semicolon - 1)),
               trimmed(text.substr(colon + 1))};
}

// nullopt without a leading number; throws when it is above `most`.
std::optional<std::int64_t> leading_whole(const Entry& entry, std::int64_t most,
                                          const std::string& place) {
  std::int64_t value = 0;
  const std::string_view text = entry.value;
  const auto code = std::from_chars(text.data(), text.data() + text.size(), value).ec;
  if (code == std::errc::invalid_argument) return std::nullopt;
  if (code == std::errc{} && value <= most) return value;
  throw Error(ErrorCode::kInput, fmt::format("{}{}: {} is out of range", place,
                                             entry.key, printable(text)));
}

}  // namespace

void SwfHeader::read_line(std::string_view text, const SwfPlace& place) {
  const auto entry = entry_of(text);
  if (!entry) return;
  const auto keep = [&](std::optional<std::int64_t>& kept, std::int64_t most) {
    const int column = static_cast<int>(entry->value.data() - text.data()) + 1;
    if (!kept) kept = leading_whole(*entry, most, place_text(place, column));
  };
  constexpr std::int64_t kMostProcessors = std::numeric_limits<std::int32_t>::max();
  constexpr auto kLatest = static_cast<std::int64_t>(kMaxSeconds);
  if (entry->key == "MaxProcs") keep(max_procs_, kMostProcessors);
  if (entry->key == "MaxNodes") keep(max_nodes_, kMostProcessors);
  if (entry->key == "UnixStartTime") keep(unix_start_, kLatest);
}

std::optional<std::int32_t> SwfHeader::processors() const {
  for (const auto& size : {max_procs_, max_nodes_}) {
    if (size && *size > 0) return static_cast<std::int32_t>(*size);
  }
  return std::nullopt;
}

}  // namespace berth
