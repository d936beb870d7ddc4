#include "bindings/tools/condition.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "engine/base/real_chars.hpp"

namespace berth::bindings {

namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_numeral(char c) { return c >= '0' && c <= '9'; }
bool is_word_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_numeral(c);
}

constexpr std::array<std::pair<std::string_view, Compare>, 6> kComparisons{
    {{"==", Compare::kEqual},
     {"~=", Compare::kNotEqual},
     {"<=", Compare::kLessEqual},
     {">=", Compare::kGreaterEqual},
     {"<", Compare::kLess},
     {">", Compare::kGreater}}};

std::int64_t wrapped_result(std::int64_t a, char how, std::int64_t b) {
  const auto left = static_cast<std::uint64_t>(a);
  const auto right = static_cast<std::uint64_t>(b);
  const auto result = how == '+'   ? left + right
                      : how == '-' ? left - right
                                   : left * right;
  return static_cast<std::int64_t>(result);
}

double float_result(double a, char how, double b) {
  switch (how) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    default: return a / b;
  }
}

}  // namespace

// A recursive descent over the part of Lua's expressions that masks answer.  What it
// does not know is a failure, after which nothing counts.
class ConditionParser {
 public:
  ConditionParser(std::string_view text, std::span<const std::string> names)
      : text_(text), names_(names) {}

  Condition run() {
    const auto value = disjunction();
    skip_space();
    const bool is_mask = !failed_ && !value && at_ == text_.size();
    return is_mask ? std::move(made_) : Condition();
  }

 private:
  using Term = Condition::Term;
  // nullopt: a mask, whose steps are there.
  using Value = std::optional<Term>;

  Value fail() {
    failed_ = true;
    at_ = text_.size();
    return std::nullopt;
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  [[nodiscard]] char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(std::string_view mark) {
    skip_space();
    if (!text_.substr(at_).starts_with(mark)) return false;
    at_ += mark.size();
    return true;
  }
  std::string_view take_word() {
    skip_space();
    const auto from = at_;
    while (at_ < text_.size() && is_word_part(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }
  bool take_keyword(std::string_view word) {
    const auto from = at_;
    if (take_word() == word) return true;
    at_ = from;
    return false;
  }

  Value joined_by(std::string_view word, Join how, Value (ConditionParser::*part)()) {
    auto left = (this->*part)();
    while (!failed_ && take_keyword(word)) {
      const auto right = (this->*part)();
      if (left || right) return fail();
      made_.steps_.emplace_back(how);
    }
    return left;
  }
  Value disjunction() {
    return joined_by("or", Join::kOr, &ConditionParser::conjunction);
  }
  Value conjunction() {
    return joined_by("and", Join::kAnd, &ConditionParser::comparison);
  }

  Value comparison() {
    auto left = sum();
    for (const auto& each : kComparisons) {
      if (!take(each.first)) continue;
      auto right = sum();
      if (failed_ || !left || !right || !is_comparable(*left, each.second, *right)) {
        return fail();
      }
      made_.steps_.emplace_back(
          Condition::Comparison{*std::move(left), each.second, *std::move(right)});
      return std::nullopt;
    }
    return left;
  }

  static bool is_comparable(const Term& left, Compare how, const Term& right) {
    const bool has_nil = left.index() == 0 || right.index() == 0;
    const bool is_order = how != Compare::kEqual && how != Compare::kNotEqual;
    const auto is_field = [](const Term& term) {
      return std::holds_alternative<Condition::Field>(term);
    };
    return (is_field(left) || is_field(right)) && !(has_nil && is_order);
  }

  Value sum() { return calculated("+-", &ConditionParser::product); }
  Value product() { return calculated("*/", &ConditionParser::unary); }
  Value calculated(std::string_view marks, Value (ConditionParser::*part)()) {
    auto left = (this->*part)();
    while (!failed_ && marks.find(peek()) != std::string_view::npos) {
      const char how = text_[at_++];
      const bool is_other = peek() == how;  // a comment, or another operator
      const auto right = is_other ? fail() : (this->*part)();
      left = result(left, how, right);
    }
    return left;
  }

  Value result(const Value& left, char how, const Value& right) {
    if (failed_ || !left || !right) return fail();
    const auto* a = std::get_if<std::int64_t>(&*left);
    const auto* b = std::get_if<std::int64_t>(&*right);
    if (a != nullptr && b != nullptr && how != '/') return wrapped_result(*a, how, *b);
    const auto x = as_float(*left);
    const auto y = as_float(*right);
    if (!x || !y) return fail();
    return float_result(*x, how, *y);
  }
  static std::optional<double> as_float(const Term& term) {
    if (const auto* whole = std::get_if<std::int64_t>(&term)) {
      return static_cast<double>(*whole);
    }
    const auto* number = std::get_if<double>(&term);
    return number == nullptr ? std::nullopt : std::optional(*number);
  }

  Value unary() {
    if (++depth_ > Condition::kDeepest) return fail();
    auto value = signed_value();
    --depth_;
    return value;
  }
  Value signed_value() {
    if (take_keyword("not")) {
      if (unary() || failed_) return fail();
      made_.steps_.emplace_back(Condition::Not{});
      return std::nullopt;
    }
    if (peek() != '-') return primary();
    ++at_;
    return peek() == '-' ? fail() : result(Term(std::int64_t{-1}), '*', unary());
  }

  Value primary() {
    const char c = peek();
    if (take("(")) {
      auto value = disjunction();
      return take(")") ? value : fail();
    }
    if (c == '"' || c == '\'') return text();
    if (is_numeral(c)) return number();
    const auto word = take_word();
    if (word == "nil") return Term();
    return word == "job" && take(".") ? field(take_word()) : fail();
  }

  Value text() {
    const char quote = text_[at_++];
    const auto end = text_.find(quote, at_);
    if (end == std::string_view::npos) return fail();
    const auto inside = text_.substr(at_, end - at_);
    if (inside.find_first_of("\\\n\r") != std::string_view::npos) return fail();
    at_ = end + 1;
    return Term(std::string(inside));
  }

  static std::from_chars_result read(const char* first, const char* last,
                                     std::int64_t& number) {
    return std::from_chars(first, last, number);
  }
  static std::from_chars_result read(const char* first, const char* last,
                                     double& number) {
    return real_from_chars(first, last, number);
  }

  // A word or a point behind it makes it another numeral, or none.
  template <class Number>
  std::optional<Number> numeral() {
    Number number = 0;
    const auto* end = text_.data() + text_.size();
    const auto [stop, code] = read(text_.data() + at_, end, number);
    const bool is_whole =
        code == std::errc() && (stop == end || (!is_word_part(*stop) && *stop != '.'));
    if (!is_whole) return std::nullopt;
    at_ = static_cast<std::size_t>(stop - text_.data());
    return number;
  }
  Value number() {
    if (const auto whole = numeral<std::int64_t>()) return Term(*whole);
    const auto digits = text_.substr(at_);
    const auto length = std::min(digits.find_first_not_of("0123456789"), digits.size());
    const bool is_float =
        length < digits.size() &&
        (digits[length] == '.' || digits[length] == 'e' || digits[length] == 'E');
    const auto real = is_float ? numeral<double>() : std::nullopt;
    return real ? Value(Term(*real)) : fail();
  }

  Value field(std::string_view name) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) return fail();
    auto& fields = made_.fields_;
    const auto known = std::find(fields.begin(), fields.end(), name);
    const auto place = static_cast<std::size_t>(known - fields.begin());
    if (known == fields.end()) fields.emplace_back(name);
    return Term(Condition::Field{place});
  }

  std::string_view text_;
  std::span<const std::string> names_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
  Condition made_;
};

Condition Condition::parse(std::string_view text, std::span<const std::string> names) {
  return ConditionParser(text, names).run();
}

std::string Condition::chunk(std::string_view text) {
  return "local job = ...; return " + std::string(text);
}

ColumnPtr Condition::compared(const Comparison& each,
                              std::span<const Column* const> columns, Budget& budget) {
  const auto column_of = [&](const Term& term) {
    const auto* field = std::get_if<Field>(&term);
    return field == nullptr ? nullptr : columns[field->number];
  };
  const auto operand_of = [&](const Term& term) -> Operand {
    if (const auto* column = column_of(term)) return column;
    if (const auto* whole = std::get_if<std::int64_t>(&term)) return *whole;
    if (const auto* number = std::get_if<double>(&term)) return *number;
    return std::string_view(std::get<std::string>(term));
  };
  const bool is_unequal = each.how == Compare::kNotEqual;
  for (const auto* term : {&each.left, &each.right}) {
    const auto* column = column_of(*term);
    if (column != nullptr && column->kind() == Values::kMask) return nullptr;
    if (term->index() != 0) continue;
    const auto& other = term == &each.left ? each.right : each.left;
    return presence(*column_of(other), is_unequal, budget);
  }
  const auto how = is_unequal ? Compare::kEqual : each.how;
  auto mask = compare(operand_of(each.left), how, operand_of(each.right), budget);
  if (mask == nullptr || how != Compare::kEqual) return mask;
  // As in Lua none is equal to none, and to nothing else.
  const auto* left = column_of(each.left);
  const auto* right = column_of(each.right);
  if (left != nullptr && right != nullptr) {
    const auto both = joined(*presence(*left, false, budget), Join::kAnd,
                             *presence(*right, false, budget), budget);
    mask = joined(*mask, Join::kOr, *both, budget);
  }
  return is_unequal ? negated(*mask, budget) : mask;
}

ColumnPtr Condition::mask(std::span<const Column* const> columns,
                          Budget& budget) const {
  std::vector<ColumnPtr> masks;
  for (const auto& step : steps_) {
    if (const auto* comparison = std::get_if<Comparison>(&step)) {
      masks.push_back(compared(*comparison, columns, budget));
      if (masks.back() == nullptr) return nullptr;
      continue;
    }
    const auto right = std::move(masks.back());
    masks.pop_back();
    if (const auto* how = std::get_if<Join>(&step)) {
      masks.back() = joined(*masks.back(), *how, *right, budget);
    } else {
      masks.push_back(negated(*right, budget));
    }
  }
  return masks.back();
}

}  // namespace berth::bindings
