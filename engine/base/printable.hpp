#pragma once
// Text from outside for messages: escaped and bounded.
//
// A byte that is no printable ASCII, no part of a UTF-8 character, or part of a control
// character (C0, DEL, C1) is shown as "\x1b".

#include <cstdint>
#include <string>
#include <string_view>

namespace berth {

inline constexpr std::size_t kMessageBytes = std::size_t{16} << 10U;

// `text` escaped, backslashes doubled: different texts stay different.
[[nodiscard]] std::string escaped(std::string_view text);

// escaped(text), cut to 60 bytes with "..." at the end.
[[nodiscard]] std::string printable(std::string_view text);

// escaped(name) for file names, cut to 200 bytes with "..." in front of its end.
[[nodiscard]] std::string printable_name(std::string_view name);

// `text` with tabs and backslashes as they are, newlines too if asked; the rest
// escaped.  What was escaped before stays the same.
enum class Newlines : std::uint8_t { kKeep, kEscape };
[[nodiscard]] std::string plain_text(std::string_view text, Newlines newlines);

// At most `limit` bytes, ending in "..." if cut; no character is cut.
[[nodiscard]] std::string shortened(std::string text, std::size_t limit);

// A message of one or more lines as it leaves the program: plain_text with newlines,
// at most 16 KiB.
[[nodiscard]] std::string message_text(std::string_view text);

}  // namespace berth
