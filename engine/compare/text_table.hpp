#pragma once
// Rows of cells as a table for a terminal, for a page or for a paper.
// For the renderers of this folder.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

using TableLine = std::vector<std::string>;

// The first line is the heading; all lines are equally long.  Cells are ready to print.
struct TextTable {
  std::vector<TableLine> lines;
  std::size_t words = 0;  // columns from the left that hold words, not numbers
};

// Words to the left, numbers to the right, two spaces between.
[[nodiscard]] std::string aligned_text(const TextTable& table);
[[nodiscard]] std::string markdown_table(const TextTable& table);
// A tabular with the rules of the package booktabs.
[[nodiscard]] std::string latex_tabular(const TextTable& table);

// With the characters escaped that mean something there.
[[nodiscard]] std::string for_markdown(std::string_view text);
[[nodiscard]] std::string for_latex(std::string_view text);

}  // namespace berth
