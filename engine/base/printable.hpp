#pragma once
// Text from input files for messages: shortened, with control bytes escaped.

#include <string>
#include <string_view>

namespace berth {

// `text` with control bytes and backslashes escaped ("\x00", "\\").
[[nodiscard]] std::string escaped(std::string_view text);

// escaped(text), cut to 60 bytes with "..." at the end.
[[nodiscard]] std::string printable(std::string_view text);

// escaped(name) for file names, cut to 200 bytes with "..." in front of its end.
[[nodiscard]] std::string printable_name(std::string_view name);

}  // namespace berth
