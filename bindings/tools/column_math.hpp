#pragma once
// Arithmetic and comparisons of columns, row by row.
//
// Whole with whole (or masks, as 0 and 1) under + - * stays whole and wraps around as
// integers of Lua do.  Time + time and time - time are exact times, none beyond the
// range of ticks.  All else is of numbers: times in seconds, but for time / time, which
// is the quotient of ticks.  x / 0 is none, and so is what is made with none.
// A comparison with none is false.  Numbers of every kind compare by value, as in Lua.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "bindings/tools/column.hpp"
#include "engine/base/budget.hpp"

namespace berth::bindings {

enum class Arithmetic : std::uint8_t { kAdd, kSubtract, kMultiply, kDivide };
enum class Compare : std::uint8_t {
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual
};

// A column or one value for all rows.  The text outlives it.
using Operand = std::variant<const Column*, std::int64_t, double, std::string_view>;

// Each answers null where values of these kinds have no such operation.
// REQUIRES: one operand is a column; columns have one length.
[[nodiscard]] ColumnPtr calculate(const Operand& left, Arithmetic how,
                                  const Operand& right, Budget& budget);
[[nodiscard]] ColumnPtr compare(const Operand& left, Compare how, const Operand& right,
                                Budget& budget);
// The smaller or the larger of two, none with none.  A column of times and a number of
// seconds give times.
enum class Clamp : std::uint8_t { kAtLeast, kAtMost };
[[nodiscard]] ColumnPtr bounded(const Column& column, Clamp how, const Operand& bound,
                                Budget& budget);

// REQUIRES: masks of one length.
enum class Join : std::uint8_t { kAnd, kOr };
[[nodiscard]] ColumnPtr joined(const Column& left, Join how, const Column& right,
                               Budget& budget);
[[nodiscard]] ColumnPtr negated(const Column& mask, Budget& budget);
// Where a value is there, or is not.
[[nodiscard]] ColumnPtr presence(const Column& column, bool is_there, Budget& budget);

}  // namespace berth::bindings
