#include "engine/base/printable.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace berth {

namespace {

constexpr std::size_t kLongestText = 60;
constexpr std::size_t kLongestName = 200;
constexpr std::string_view kCut = "...";

// A continuation byte of UTF-8: text is not cut before it.
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Length of the UTF-8 character of two bytes or more at the start of `text`; 0: there
// is none, or a control character.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(text[i])) return 0;
  }
  const unsigned char next = byte(1);
  const bool is_control = lead == 0xC2 && next < 0xA0;
  const bool is_overlong =
      (lead == 0xE0 && next < 0xA0) || (lead == 0xF0 && next < 0x90);
  const bool is_beyond =
      (lead == 0xED && next >= 0xA0) || (lead == 0xF4 && next >= 0x90);
  return is_control || is_overlong || is_beyond ? 0 : length;
}

// Moves the first character of `text`, as it is or escaped, to the end of `shown`.
void move_character(std::string_view& text, std::string& shown) {
  const auto byte = static_cast<unsigned char>(text[0]);
  const bool is_ascii = byte >= 0x20 && byte < 0x7F;
  const std::size_t length = is_ascii ? 1 : utf8_length(text);
  if (length == 0) {
    fmt::format_to(std::back_inserter(shown), "\\x{:02x}", byte);
  } else {
    shown += text.substr(0, length);
  }
  text.remove_prefix(length == 0 ? 1 : length);
}

// Characters that show nothing, or a blank: no-break and other spaces, soft hyphens,
// marks of direction and byte order, zero-width characters.
bool is_invisible(std::string_view character) {
  if (character.size() == 2) return character == "\xC2\xA0" || character == "\xC2\xAD";
  if (character.size() != 3) return false;
  const auto last = static_cast<unsigned char>(character[2]);
  if (character.starts_with("\xE2\x80"))
    return last < 0x90 || (last >= 0xA8 && last < 0xB0);
  if (character.starts_with("\xE2\x81")) return last >= 0x9F && last < 0xB0;
  return character == "\xEF\xBB\xBF" || character == "\xE3\x80\x80";
}

void move_escaped(std::string_view& text, std::string& shown) {
  if (text[0] == '\\') shown += '\\';
  const auto length =
      static_cast<unsigned char>(text[0]) < 0x80 ? 0 : utf8_length(text);
  if (length > 0 && is_invisible(text.substr(0, length))) {
    for (const char byte : text.substr(0, length)) {
      fmt::format_to(std::back_inserter(shown), "\\x{:02x}",
                     static_cast<unsigned char>(byte));
    }
    text.remove_prefix(length);
    return;
  }
  move_character(text, shown);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string shown;
  while (!text.empty()) move_escaped(text, shown);
  return shown;
}

std::string printable(std::string_view text) {
  std::string shown;
  std::size_t cut = 0;  // last index for a cut that leaves room for the dots
  while (!text.empty()) {
    if (shown.size() + kCut.size() <= kLongestText) cut = shown.size();
    move_escaped(text, shown);
    if (shown.size() > kLongestText) return shown.substr(0, cut).append(kCut);
  }
  return shown;
}

std::string printable_name(std::string_view name) {
  // What may be shown of a longer name is within its last bytes.
  const bool is_long = name.size() > kLongestName;
  if (is_long) name.remove_prefix(name.size() - kLongestName);
  while (is_long && !name.empty() && continues(name.front())) name.remove_prefix(1);
  std::string shown = escaped(name);
  if (!is_long && shown.size() <= kLongestName) return shown;
  std::size_t drop = 0;
  while (shown.size() - drop + kCut.size() > kLongestName) {
    // One character of the name, however it is shown.
    std::string first;
    move_escaped(name, first);
    drop += first.size();
  }
  return shown.replace(0, drop, kCut);
}

std::string plain_text(std::string_view text, Newlines newlines) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const bool is_kept =
        text[0] == '\t' || (text[0] == '\n' && newlines == Newlines::kKeep);
    if (is_kept) {
      shown += text[0];
      text.remove_prefix(1);
    } else {
      move_character(text, shown);
    }
  }
  return shown;
}

std::string shortened(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  std::size_t end = limit - kCut.size();
  while (end > 0 && continues(text[end])) --end;
  text.resize(end);
  return text.append(kCut);
}

std::string message_text(std::string_view text) {
  const bool is_long = text.size() > kMessageBytes;
  auto shown = plain_text(text.substr(0, kMessageBytes), Newlines::kKeep);
  if (is_long && shown.size() <= kMessageBytes) shown.append(kCut);
  return shortened(std::move(shown), kMessageBytes);
}

}  // namespace berth
