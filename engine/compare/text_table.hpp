#pragma once
// Numbers as people read them, and rows of cells as a table for a terminal, a page or a
// paper.  For the renderers of compare/.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/metrics/metric_record.hpp"

namespace berth {

// Decimals for values that are printed together, by the largest: none if all are whole
// or there is no value, 1 from 1000 on, 2 from 100 on, 3 from 1 on; below that four
// significant digits.
[[nodiscard]] int decimals_for(std::span<const double> values);

// With this many decimals; "-" for nothing.
[[nodiscard]] std::string display(std::optional<double> value, int decimals);

// "28,475".
[[nodiscard]] std::string grouped(std::int64_t number);
// Seconds of so many ticks, whole ones grouped: "15,885", "0.5".
[[nodiscard]] std::string grouped_seconds(Int128 time);

// Columns that UTF-8 text takes: one for each code point, none for the escape sequences
// of colours.
[[nodiscard]] std::size_t width(std::string_view text);

// On a terminal with colours: what is good, and what is not.
enum class Colour : std::uint8_t { kNone, kGood, kBad };
[[nodiscard]] std::string coloured(const std::string& text, Colour colour);

using TableLine = std::vector<std::string>;

// The first line is the heading; all lines are equally long.  Cells are ready to print.
struct TextTable {
  std::vector<TableLine> lines;
  std::size_t words = 0;  // columns from the left that hold words, not numbers
};

// Columns of its lines.
[[nodiscard]] std::size_t width(const TextTable& table);

// Words to the left, numbers to the right, two spaces between.
[[nodiscard]] std::string aligned_text(const TextTable& table);
// A line a row; the first words above the rest of it; all words above its numbers.
enum class Fold : std::uint8_t { kNone, kFirstWords, kAllWords };
// The least that fits into so many columns, or all words.
[[nodiscard]] Fold fold_for(const TextTable& table, std::size_t columns);
[[nodiscard]] std::string folded_text(const TextTable& table, Fold fold);
// Room for the marks * and !, so that the digits of a column stand below each other.
void align_marks(TextTable& table);
// Words at most so many columns wide, further lines indented; with a line end.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns);
[[nodiscard]] std::string markdown_table(const TextTable& table);
// A tabular with the rules of the package booktabs.
[[nodiscard]] std::string latex_tabular(const TextTable& table);

// With the characters escaped that mean something there.
[[nodiscard]] std::string for_markdown(std::string_view text);
[[nodiscard]] std::string for_latex(std::string_view text);

}  // namespace berth
