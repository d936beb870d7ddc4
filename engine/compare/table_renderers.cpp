// Those for people.

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/printable.hpp"
#include "engine/compare/display.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/compare/text_table.hpp"

namespace berth {

namespace {

using Line = TableLine;

// How a best value, a plain one and a text cell are written.
struct Marks {
  std::string_view before_best;
  std::string_view behind_best;
  std::string_view behind_other;
  std::string (*escape)(std::string_view);
};

Line heading(const Comparison& comparison, const Marks& marks) {
  Line line{"metric", "unit"};
  for (const auto& label : comparison.labels) {
    line.push_back(marks.escape(label) + std::string(marks.behind_other));
  }
  line.emplace_back("n");
  return line;
}

Line cells_of(const Comparison::Row& row, const Marks& marks) {
  Line line{marks.escape(row.metric), marks.escape(row.unit)};
  const int decimals = decimals_for(row.cells);
  for (const auto& cell : row.cells) {
    const auto number = display(cell.value, decimals);
    line.push_back(
        cell.best ? fmt::format("{}{}{}", marks.before_best, number, marks.behind_best)
                  : number + std::string(marks.behind_other));
  }
  line.push_back(display_n(row.cells));
  return line;
}

constexpr std::size_t kWords = 2;  // metric and unit

TextTable table_of(const Comparison& comparison, const Marks& marks) {
  TextTable table{{heading(comparison, marks)}, kWords};
  for (const auto& row : comparison.rows) table.lines.push_back(cells_of(row, marks));
  return table;
}

bool has_best(const Comparison& comparison) {
  const auto marked = [](const auto& cell) { return cell.best; };
  return std::any_of(comparison.rows.begin(), comparison.rows.end(),
                     [&](const auto& row) {
                       return std::any_of(row.cells.begin(), row.cells.end(), marked);
                     });
}

}  // namespace

std::string as_text(const Comparison& comparison) {
  auto text = aligned_text(table_of(comparison, {"", "*", " ", escaped}));
  const bool marked = has_best(comparison);
  if (marked || !comparison.notes.empty()) text += "\n";
  if (marked) text += "* best\n";
  for (const auto& note : comparison.notes) text += escaped(note) + "\n";
  return text;
}

std::string as_markdown(const Comparison& comparison) {
  auto text = markdown_table(table_of(comparison, {"**", "**", "", for_markdown}));
  if (!comparison.notes.empty()) text += "\n";
  for (const auto& note : comparison.notes) text += "* " + for_markdown(note) + "\n";
  return text;
}

std::string as_latex(const Comparison& comparison) {
  auto text = latex_tabular(table_of(comparison, {"\\textbf{", "}", "", for_latex}));
  for (const auto& note : comparison.notes) text += "% " + note + "\n";
  return text;
}

}  // namespace berth
