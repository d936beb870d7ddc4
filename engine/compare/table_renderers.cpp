// Those for people.

#include <fmt/format.h>

#include <algorithm>

#include "engine/compare/display.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/workload/printable.hpp"

namespace berth {

namespace {

using Line = std::vector<std::string>;

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

std::vector<Line> lines_of(const Comparison& comparison, const Marks& marks) {
  std::vector<Line> lines{heading(comparison, marks)};
  for (const auto& row : comparison.rows) lines.push_back(cells_of(row, marks));
  return lines;
}

std::string with_backslashes(std::string_view text, std::string_view special) {
  std::string out;
  for (const char letter : text) {
    if (special.find(letter) != std::string_view::npos) out += '\\';
    out += letter;
  }
  return out;
}

std::string for_markdown(std::string_view text) {
  return with_backslashes(text, "\\`*_|<>[]");
}

std::string for_latex(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    switch (letter) {
      case '\\': out += "\\textbackslash{}"; break;
      case '~': out += "\\textasciitilde{}"; break;
      case '^': out += "\\textasciicircum{}"; break;
      default: out += with_backslashes({&letter, 1}, "&%$#_{}");
    }
  }
  return out;
}

std::vector<std::size_t> widths_of(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], width(line[i]));
    }
  }
  return widths;
}

// Names to the left, numbers to the right.
std::string aligned(const Line& line, const std::vector<std::size_t>& widths) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string space(widths[i] - width(line[i]), ' ');
    text += i == 0 ? "" : "  ";
    text += i < 2 ? line[i] + space : space + line[i];
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

bool has_best(const Comparison& comparison) {
  const auto marked = [](const auto& cell) { return cell.best; };
  return std::any_of(comparison.rows.begin(), comparison.rows.end(),
                     [&](const auto& row) {
                       return std::any_of(row.cells.begin(), row.cells.end(), marked);
                     });
}

std::string joined(const Line& line, std::string_view between) {
  return fmt::format("{}", fmt::join(line, between));
}

}  // namespace

std::string as_text(const Comparison& comparison) {
  const auto lines = lines_of(comparison, {"", "*", " ", escaped});
  const auto widths = widths_of(lines);
  std::string text;
  for (const auto& line : lines) text += aligned(line, widths);
  const bool marked = has_best(comparison);
  if (marked || !comparison.notes.empty()) text += "\n";
  if (marked) text += "* best\n";
  for (const auto& note : comparison.notes) text += escaped(note) + "\n";
  return text;
}

std::string as_markdown(const Comparison& comparison) {
  const auto lines = lines_of(comparison, {"**", "**", "", for_markdown});
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += "| " + joined(lines[i], " | ") + " |\n";
    if (i > 0) continue;
    text += "|---|---|";
    for (std::size_t column = 2; column < lines[i].size(); ++column) text += "---:|";
    text += "\n";
  }
  if (!comparison.notes.empty()) text += "\n";
  for (const auto& note : comparison.notes) text += "* " + for_markdown(note) + "\n";
  return text;
}

std::string as_latex(const Comparison& comparison) {
  const auto lines = lines_of(comparison, {"\\textbf{", "}", "", for_latex});
  std::string text = fmt::format("\\begin{{tabular}}{{ll{}r}}\n\\toprule\n",
                                 std::string(comparison.labels.size(), 'r'));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += joined(lines[i], " & ") + " \\\\\n";
    if (i == 0) text += "\\midrule\n";
  }
  text += "\\bottomrule\n\\end{tabular}\n";
  for (const auto& note : comparison.notes) text += "% " + note + "\n";
  return text;
}

}  // namespace berth
