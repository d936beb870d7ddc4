#pragma once
// Text from outside, made fit for a message: short, and no control byte in it.

#include <string>
#include <string_view>

namespace berth {

// `text` with control bytes and the backslash escaped ("\x00", "\\"), whole.
[[nodiscard]] std::string escaped(std::string_view text);

// The same, at most 60 bytes: of a longer text its beginning and "...".
[[nodiscard]] std::string printable(std::string_view text);

// The same for the name of a file, at most 200 bytes: of a longer one its end, which
// tells more, behind "...".
[[nodiscard]] std::string printable_name(std::string_view name);

}  // namespace berth
