#pragma once
// Numbers and labels as a person reads them in a table.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/compare/comparison.hpp"

namespace berth {

// Decimals for a row, by its largest number: none if all are whole or it has no value,
// 1 from 1000 on, 2 from 100 on, 3 from 1 on; below that four digits that count.
[[nodiscard]] int decimals_for(std::span<const Comparison::Cell> cells);

// With this many decimals; "-" for nothing.
[[nodiscard]] std::string display(std::optional<double> value, int decimals);

// The number of jobs behind the cells: one if it is the same for all, else one for
// each, with commas between.
[[nodiscard]] std::string display_n(std::span<const Comparison::Cell> cells);

// Columns that UTF-8 text takes, one for each code point.
[[nodiscard]] std::size_t width(std::string_view text);

}  // namespace berth
