#include "engine/base/column_formula.hpp"

#include <fmt/format.h>

#include <utility>

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

// Takes what stands in front of the next " * ", " / " or " - " off the text, and the
// sign, 0 at the end.  A name may have these characters without blanks around them.
struct FormulaPart {
  std::string_view text;
  char sign;
};

FormulaPart take_part(std::string_view& left) {
  std::size_t at = 0;
  const auto is_sign = [&] {
    return left[at] == ' ' && left[at + 2] == ' ' &&
           std::string_view("*/-").find(left[at + 1]) != std::string_view::npos;
  };
  while (at + 2 < left.size() && !is_sign()) ++at;
  if (at + 2 >= left.size()) return {without_blanks(std::exchange(left, {})), 0};
  const FormulaPart part{without_blanks(left.substr(0, at)), left[at + 1]};
  left.remove_prefix(at + 3);
  return part;
}

bool is_column_name(std::string_view text) {
  return !text.empty() && text.find(' ') == std::string_view::npos;
}

// Adds what stands behind a sign; false: it may not stand there.
bool add_part(ColumnFormula& to, char sign, std::string_view text) {
  const bool is_scaled = to.times != 1 || to.over != 1;
  const bool has_two = !to.minus.empty() || !to.product.empty();
  const auto number = parse_real(text);
  const bool is_number = number.fault == NumberFault::kNone;
  if (is_scaled || !to.minus.empty()) return false;
  if (is_number && sign != '-') {
    (sign == '*' ? to.times : to.over) = number.value;
    return number.value > 0;
  }
  if (has_two || sign == '/' || text.empty()) return false;
  (sign == '-' ? to.minus : to.product) = text;
  return true;
}

}  // namespace

ColumnFormula formula_from(std::string_view text) {
  auto left = text;
  auto [first, sign] = take_part(left);
  // A column alone may not have blanks in its name, which the header could not tell.
  bool is_right = sign == 0 ? is_column_name(first) : !first.empty();
  ColumnFormula made{std::string(first)};
  // Bounded: a third part is refused.
  while (sign != 0 && is_right) {
    const auto part = take_part(left);
    is_right = add_part(made, sign, part.text);
    sign = part.sign;
  }
  if (is_right) return made;
  throw Error(ErrorCode::kInput,
              fmt::format("'{}' is no column, nor a column or the product of two, * or "
                          "/ a number, nor the difference of two columns",
                          printable(text)));
}

}  // namespace berth
