#include "engine/base/printable.hpp"

#include <fmt/format.h>

namespace berth {

namespace {

constexpr std::size_t kLongestText = 60;
constexpr std::size_t kLongestName = 200;
constexpr std::string_view kCut = "...";

std::string escaped(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == '\\') return "\\\\";
  if (byte < 0x20 || byte == 0x7f) return fmt::format("\\x{:02x}", byte);
  return std::string(1, c);
}

// A continuation byte of UTF-8: text is not cut before it.
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

std::string escaped(std::string_view text) {
  std::string shown;
  for (const char c : text) shown += escaped(c);
  return shown;
}

std::string printable(std::string_view text) {
  std::string shown;
  std::size_t cut = 0;  // last index for a cut that leaves room for the dots
  for (const char c : text) {
    if (!continues(c) && shown.size() + kCut.size() <= kLongestText) cut = shown.size();
    shown += escaped(c);
    if (shown.size() > kLongestText) return shown.substr(0, cut).append(kCut);
  }
  return shown;
}

std::string printable_name(std::string_view name) {
  std::string shown;
  std::size_t from = name.size();
  while (from > 0) {
    const std::string next = escaped(name[from - 1]);
    if (shown.size() + next.size() + kCut.size() > kLongestName) break;
    shown.insert(0, next);
    --from;
  }
  if (from == 0) return shown;
  while (!shown.empty() && continues(shown.front())) shown.erase(0, 1);
  return shown.insert(0, kCut);
}

}  // namespace berth
