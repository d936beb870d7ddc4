#include "engine/base/text_encoding.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth {

std::size_t byte_order_mark(std::string_view begin, const std::string& name) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (begin.starts_with(kMark)) return kMark.size();
  const auto two = begin.substr(0, 2);
  const bool has_mark = two == "\xff\xfe" || two == "\xfe\xff";
  // Text whose first letter is of ASCII, without a mark.
  const bool has_zero = two.size() == 2 && (two[0] == '\0') != (two[1] == '\0');
  const bool is_wide =
      begin.size() >= 4 && begin.substr(0, 3) == std::string_view("\0\0\xfe", 3);
  if (!has_mark && !has_zero && !is_wide) return 0;
  throw Error(ErrorCode::kInput,
              fmt::format("{}:1: the text is UTF-16, of two bytes a letter; save it as "
                          "UTF-8",
                          printable_name(name)));
}

}  // namespace berth
