#include "engine/compare/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/printable.hpp"

namespace berth {

namespace {

std::vector<std::size_t> widths_of(const std::vector<TableLine>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], width(line[i]));
    }
  }
  return widths;
}

std::string joined(const TableLine& line, std::string_view between) {
  return fmt::format("{}", fmt::join(line, between));
}

std::string with_backslashes(std::string_view text, std::string_view special) {
  std::string out;
  for (const char letter : text) {
    if (special.find(letter) != std::string_view::npos) out += '\\';
    out += letter;
  }
  return out;
}

constexpr int kMostDecimals = 12;

}  // namespace

int decimals_for(std::span<const double> values) {
  double largest = 0.0;
  bool whole = true;
  for (const double value : values) {
    largest = std::max(largest, std::abs(value));
    whole = whole && value == std::floor(value);
  }
  if (whole) return 0;
  if (largest >= 1000.0) return 1;
  if (largest >= 100.0) return 2;
  if (largest >= 1.0) return 3;
  const int leading = static_cast<int>(-std::floor(std::log10(largest)));
  return std::min(kMostDecimals, leading + 3);
}

std::string display(std::optional<double> value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b')
      i = std::min(text.size() - 1, text.find('m', i));
    else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U)
      ++columns;
  }
  return columns;
}

std::string coloured(const std::string& text, Colour colour) {
  if (colour == Colour::kNone || text.empty()) return text;
  return (colour == Colour::kGood ? "\x1b[32m" : "\x1b[31m") + text + "\x1b[0m";
}

std::size_t width(const TextTable& table) {
  const auto widths = widths_of(table.lines);
  std::size_t columns = 2 * (widths.size() - 1);
  for (const auto one : widths) columns += one;
  return columns;
}

std::string aligned_text(const TextTable& table) {
  const auto widths = widths_of(table.lines);
  std::string text;
  for (const auto& line : table.lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string space(widths[i] - width(line[i]), ' ');
      text += i == 0 ? "" : "  ";
      text += i < table.words ? line[i] + space : space + line[i];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string markdown_table(const TextTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    const auto& line = table.lines[i];
    text += "| " + joined(line, " | ") + " |\n";
    if (i > 0) continue;
    text += "|";
    for (std::size_t column = 0; column < line.size(); ++column) {
      text += column < table.words ? "---|" : "---:|";
    }
    text += "\n";
  }
  return text;
}

std::string latex_tabular(const TextTable& table) {
  const auto columns = table.lines.front().size();
  std::string text = fmt::format("\\begin{{tabular}}{{{}{}}}\n\\toprule\n",
                                 std::string(table.words, 'l'),
                                 std::string(columns - table.words, 'r'));
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    text += joined(table.lines[i], " & ") + " \\\\\n";
    if (i == 0) text += "\\midrule\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string for_markdown(std::string_view text) {
  return with_backslashes(plain_text(text, Newlines::kEscape), "\\`*_|<>[]&~$");
}

// The text of a letter that means something to LaTeX, or that its usual fonts show as
// another. A * or [ behind the end of a line of a table belongs to that end unless it
// is in braces.
std::string for_latex(std::string_view text) {
  std::string out;
  for (const char letter : plain_text(text, Newlines::kEscape)) {
    switch (letter) {
      case '\\': out += "\\textbackslash{}"; break;
      case '~': out += "\\textasciitilde{}"; break;
      case '^': out += "\\textasciicircum{}"; break;
      case '<': out += "\\textless{}"; break;
      case '>': out += "\\textgreater{}"; break;
      case '|': out += "\\textbar{}"; break;
      case '`': out += "\\textasciigrave{}"; break;
      case '\'': out += "\\textquotesingle{}"; break;
      case '*':
      case '[': out += fmt::format("{{{}}}", letter); break;
      case '-': out += out.ends_with('-') ? "{}-" : "-"; break;
      default: out += with_backslashes({&letter, 1}, "&%$#_{}");
    }
  }
  return out;
}

}  // namespace berth
