#pragma once
// How the text of a file is encoded: UTF-8, with or without a byte order mark.

#include <cstddef>
#include <string>
#include <string_view>

namespace berth {

// Bytes to pass over at the beginning of a text: those of a byte order mark, or 0.
// `begin`: its first bytes, at least four if it has so many.  Throws Error{kInput} that
// names the file for UTF-16 and UTF-32, which editors and spreadsheets may write.
[[nodiscard]] std::size_t byte_order_mark(std::string_view begin,
                                          const std::string& name);

}  // namespace berth
