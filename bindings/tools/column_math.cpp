#include "bindings/tools/column_math.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "engine/base/error.hpp"

namespace berth::bindings {

namespace {

const Column* operand_column(const Operand& operand) {
  const auto* column = std::get_if<const Column*>(&operand);
  return column == nullptr ? nullptr : *column;
}

Values operand_kind(const Operand& operand) {
  if (const auto* column = operand_column(operand)) return column->kind();
  if (std::holds_alternative<std::int64_t>(operand)) return Values::kWhole;
  return std::holds_alternative<double>(operand) ? Values::kNumber : Values::kText;
}

bool is_whole(Values kind) { return kind == Values::kWhole || kind == Values::kMask; }

std::size_t rows_of_pair(const Operand& left, const Operand& right) {
  const auto* column = operand_column(left);
  return (column != nullptr ? column : operand_column(right))->rows();
}

// A double holds each value.
bool is_exact(const Operand& operand) {
  if (const auto* whole = std::get_if<std::int64_t>(&operand)) {
    constexpr std::int64_t kMost = std::int64_t{1} << 53U;
    return -kMost <= *whole && *whole <= kMost;
  }
  return operand_kind(operand) != Values::kWhole;
}

template <class T>
T in_seconds(std::int64_t ticks) {
  if constexpr (std::is_same_v<T, std::int64_t>) return ticks;
  return ticks == kNever ? static_cast<T>(std::nan("")) : T(to_seconds(ticks));
}

template <class T>
void load_column(const Column& column, std::size_t first, std::size_t last, T* out) {
  const auto copy = [&](const auto& values, const auto& converted) {
    std::transform(values.begin() + first, values.begin() + last, out, converted);
  };
  const auto as_it_is = [](auto value) { return static_cast<T>(value); };
  switch (column.kind()) {
    case Values::kTime: return copy(column.whole(), in_seconds<T>);
    case Values::kWhole: return copy(column.whole(), as_it_is);
    case Values::kMask: return copy(column.mask(), as_it_is);
    default: return copy(column.numbers(), as_it_is);
  }
}

// Values as a script sees them, NaN for none; as whole numbers, times in ticks.
template <class T>
using Piece = std::array<T, kPiece>;
template <class T>
void load(const Operand& operand, std::size_t first, std::size_t last, Piece<T>& out) {
  if (const auto* column = operand_column(operand)) {
    return load_column(*column, first, last, out.data());
  }
  const auto* whole = std::get_if<std::int64_t>(&operand);
  const T value = whole != nullptr ? static_cast<T>(*whole)
                                   : static_cast<T>(std::get<double>(operand));
  std::fill_n(out.begin(), last - first, value);
}

template <class T, class Out, class Work>
std::vector<Out> row_by_row(const Operand& left, const Operand& right, Budget& budget,
                            const Work& work) {
  std::vector<Out> made(rows_of_pair(left, right));
  Piece<T> ours;
  Piece<T> theirs;
  in_pieces(made.size(), 3 * sizeof(double), budget,
            [&](std::size_t first, std::size_t last) {
              load(left, first, last, ours);
              load(right, first, last, theirs);
              for (std::size_t i = first; i < last; ++i)
                made[i] = work(ours[i - first], theirs[i - first]);
            });
  return made;
}

// Lua's integers wrap around.
std::int64_t wrapped(std::int64_t a, Arithmetic how, std::int64_t b) {
  const auto left = static_cast<std::uint64_t>(a);
  const auto right = static_cast<std::uint64_t>(b);
  if (how == Arithmetic::kAdd) return static_cast<std::int64_t>(left + right);
  if (how == Arithmetic::kSubtract) return static_cast<std::int64_t>(left - right);
  return static_cast<std::int64_t>(left * right);
}

Time tick_sum(Time a, Arithmetic how, Time b) {
  if (a == kNever || b == kNever) return kNever;
  Time result = 0;
  const bool is_beyond = how == Arithmetic::kAdd
                             ? __builtin_add_overflow(a, b, &result)
                             : __builtin_sub_overflow(a, b, &result);
  return is_beyond ? kNever : result;
}

double number_of(double a, Arithmetic how, double b) {
  switch (how) {
    case Arithmetic::kAdd: return a + b;
    case Arithmetic::kSubtract: return a - b;
    case Arithmetic::kMultiply: return a * b;
    default: return b == 0 ? std::nan("") : a / b;
  }
}

double tick_ratio(Time a, Time b) {
  if (a == kNever || b == kNever || b == 0) return std::nan("");
  return static_cast<double>(a) / static_cast<double>(b);
}

template <class T>
bool is_value(T value) {
  return value == value;  // NaN is not
}
template <>
bool is_value(Time ticks) {
  return ticks != kNever;
}

// Calls work with the comparison as a function.
template <class Work>
auto with_comparison(Compare how, const Work& work) {
  switch (how) {
    case Compare::kLess: return work(std::less<>());
    case Compare::kLessEqual: return work(std::less_equal<>());
    case Compare::kGreater: return work(std::greater<>());
    case Compare::kGreaterEqual: return work(std::greater_equal<>());
    case Compare::kEqual: return work(std::equal_to<>());
    default: return work(std::not_equal_to<>());
  }
}

template <class T>
ColumnPtr compared(const Operand& left, Compare how, const Operand& right,
                   Budget& budget) {
  const bool has_none = !is_whole(operand_kind(left)) || !is_whole(operand_kind(right));
  return with_comparison(how, [&](auto holds) {
    const auto with_none = [&](T a, T b) {
      return std::uint8_t(is_value(a) && is_value(b) && holds(a, b));
    };
    const auto always = [&](T a, T b) { return std::uint8_t(holds(a, b)); };
    return Column::of_mask(
        has_none ? row_by_row<T, std::uint8_t>(left, right, budget, with_none)
                 : row_by_row<T, std::uint8_t>(left, right, budget, always));
  });
}

Compare turned(Compare how) {
  switch (how) {
    case Compare::kLess: return Compare::kGreater;
    case Compare::kLessEqual: return Compare::kGreaterEqual;
    case Compare::kGreater: return Compare::kLess;
    case Compare::kGreaterEqual: return Compare::kLessEqual;
    default: return how;
  }
}

template <class Work>
ColumnPtr mask_by_row(std::size_t rows, Budget& budget, const Work& holds) {
  std::vector<std::uint8_t> mask(rows);
  in_pieces(rows, 2 * sizeof(double), budget, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row)
      mask[row] = static_cast<std::uint8_t>(holds(row));
  });
  return Column::of_mask(std::move(mask));
}

std::optional<std::string_view> text_at(const Operand& operand, std::size_t row) {
  const auto* column = operand_column(operand);
  if (column == nullptr) return std::get<std::string_view>(operand);
  if (!column->is_there(row)) return std::nullopt;
  return (*column->dictionary())[column->codes()[row]];
}

// Each text of the dictionary is compared once.
ColumnPtr compared_with_text(const Column& texts, Compare how, std::string_view text,
                             Budget& budget) {
  const auto& dictionary = *texts.dictionary();
  budget.charge_each(dictionary.size());
  std::vector<std::uint8_t> answers(dictionary.size());
  with_comparison(how, [&](auto holds) {
    std::transform(dictionary.begin(), dictionary.end(), answers.begin(),
                   [&](const auto& each) { return holds(each, text); });
  });
  return mask_by_row(texts.rows(), budget, [&](std::size_t row) {
    return texts.is_there(row) && answers[texts.codes()[row]] != 0;
  });
}

ColumnPtr compared_texts(const Operand& left, Compare how, const Operand& right,
                         Budget& budget) {
  if (const auto* text = std::get_if<std::string_view>(&right)) {
    return compared_with_text(*operand_column(left), how, *text, budget);
  }
  if (const auto* text = std::get_if<std::string_view>(&left)) {
    return compared_with_text(*operand_column(right), turned(how), *text, budget);
  }
  return with_comparison(how, [&](auto holds) {
    return mask_by_row(rows_of_pair(left, right), budget, [&](std::size_t row) {
      const auto ours = text_at(left, row);
      const auto theirs = text_at(right, row);
      return ours && theirs && holds(*ours, *theirs);
    });
  });
}

// The bound in ticks, of a column of times; nullopt: they are no times.
std::optional<Operand> bound_in_ticks(const Operand& bound) {
  if (operand_kind(bound) == Values::kTime) return bound;
  if (operand_column(bound) != nullptr) return std::nullopt;
  const auto* whole = std::get_if<std::int64_t>(&bound);
  const auto ticks = ticks_from_seconds(whole != nullptr ? static_cast<double>(*whole)
                                                         : std::get<double>(bound));
  if (!ticks) return std::nullopt;
  return *ticks;
}

template <class T>
std::vector<T> bounds(const Operand& column, Clamp how, const Operand& bound,
                      Budget& budget, std::optional<T> none = {}) {
  return row_by_row<T, T>(column, bound, budget, [&](T a, T b) {
    if (none && (!is_value(a) || !is_value(b))) return *none;
    return how == Clamp::kAtLeast ? std::max(a, b) : std::min(a, b);
  });
}

}  // namespace

ColumnPtr calculate(const Operand& left, Arithmetic how, const Operand& right,
                    Budget& budget) {
  const auto ours = operand_kind(left);
  const auto theirs = operand_kind(right);
  const bool divides = how == Arithmetic::kDivide;
  if (ours == Values::kText || theirs == Values::kText) return nullptr;
  if (is_whole(ours) && is_whole(theirs) && !divides) {
    return Column::of_whole(row_by_row<std::int64_t, std::int64_t>(
        left, right, budget, [&](auto a, auto b) { return wrapped(a, how, b); }));
  }
  const bool are_times = ours == Values::kTime && theirs == Values::kTime;
  if (are_times && divides) {
    return Column::of_numbers(
        row_by_row<Time, double>(left, right, budget, tick_ratio));
  }
  if (are_times && how != Arithmetic::kMultiply) {
    return Column::of_times(row_by_row<Time, Time>(
        left, right, budget, [&](auto a, auto b) { return tick_sum(a, how, b); }));
  }
  return Column::of_numbers(row_by_row<double, double>(
      left, right, budget, [&](auto a, auto b) { return number_of(a, how, b); }));
}

ColumnPtr compare(const Operand& left, Compare how, const Operand& right,
                  Budget& budget) {
  const auto ours = operand_kind(left);
  const auto theirs = operand_kind(right);
  if (ours == Values::kText && theirs == Values::kText) {
    return compared_texts(left, how, right, budget);
  }
  if (ours == Values::kText || theirs == Values::kText) return nullptr;
  const bool are_times = ours == Values::kTime && theirs == Values::kTime;
  if (are_times || (is_whole(ours) && is_whole(theirs))) {
    return compared<std::int64_t>(left, how, right, budget);
  }
  if (is_exact(left) && is_exact(right)) {
    return compared<double>(left, how, right, budget);
  }
  return compared<long double>(left, how, right, budget);
}

ColumnPtr bounded(const Column& column, Clamp how, const Operand& bound,
                  Budget& budget) {
  const auto kind = column.kind();
  if (kind == Values::kText || operand_kind(bound) == Values::kText) return nullptr;
  if (is_whole(kind) && is_whole(operand_kind(bound))) {
    return Column::of_whole(bounds<std::int64_t>(&column, how, bound, budget));
  }
  if (kind == Values::kTime) {
    if (const auto ticks = bound_in_ticks(bound)) {
      return Column::of_times(bounds<Time>(&column, how, *ticks, budget, {kNever}));
    }
  }
  return Column::of_numbers(
      bounds<double>(&column, how, bound, budget, {std::nan("")}));
}

ColumnPtr joined(const Column& left, Join how, const Column& right, Budget& budget) {
  const auto ours = left.mask();
  const auto theirs = right.mask();
  return mask_by_row(ours.size(), budget, [&](std::size_t row) {
    return how == Join::kAnd ? ours[row] & theirs[row] : ours[row] | theirs[row];
  });
}

ColumnPtr negated(const Column& mask, Budget& budget) {
  const auto values = mask.mask();
  return mask_by_row(values.size(), budget,
                     [&](std::size_t row) { return values[row] ^ 1; });
}

ColumnPtr presence(const Column& column, bool is_there, Budget& budget) {
  return mask_by_row(column.rows(), budget,
                     [&](std::size_t row) { return column.is_there(row) == is_there; });
}

}  // namespace berth::bindings
