#include "engine/base/column_formula.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"

namespace berth {

namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

ColumnFormula formula_from(std::string_view text) {
  // A name may have these characters, but not with a blank on either side.
  for (const std::string_view sign : {" * ", " / ", " - "}) {
    const auto at = text.find(sign);
    if (at == std::string_view::npos) continue;
    ColumnFormula made{std::string(without_blanks(text.substr(0, at)))};
    const auto behind = without_blanks(text.substr(at + sign.size()));
    if (sign == " - ") {
      made.minus = behind;
      if (!made.column.empty() && !behind.empty()) return made;
      break;
    }
    const auto number = parse_real(behind);
    const bool is_right =
        number.fault == NumberFault::kNone && number.value > 0 && !made.column.empty();
    if (!is_right) break;
    (sign == " * " ? made.times : made.over) = number.value;
    return made;
  }
  const auto name = without_blanks(text);
  const bool is_name = !name.empty() && name.find(' ') == std::string_view::npos;
  if (is_name) return {std::string(name)};
  throw Error(ErrorCode::kInput,
              fmt::format("'{}' is no column, nor a column * or / a number, nor the "
                          "difference of two columns",
                          printable(text)));
}

}  // namespace berth
