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

std::size_t marks_in(const std::string& cell) {
  return static_cast<std::size_t>(std::count_if(
      cell.begin(), cell.end(), [](char c) { return c == '*' || c == '!'; }));
}

// The lines of a text, without their ends.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// The first `words` columns as a line above the others where they change.
std::string folded_below(const TextTable& table, std::size_t words) {
  TextTable above{{}, words};
  TextTable below{{}, table.words - words};
  for (const auto& line : table.lines) {
    const auto middle = line.begin() + static_cast<std::ptrdiff_t>(words);
    above.lines.emplace_back(line.begin(), middle);
    below.lines.emplace_back(middle, line.end());
  }
  const auto names = lines_of(aligned_text(above));
  const auto rest = lines_of(aligned_text(below));
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == 0 || names[i] != names[i - 1]) text += names[i] + "\n";
    text += (below.words == 0 ? "  " : "") + rest[i] + "\n";
  }
  return text;
}

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

std::string grouped(std::int64_t number) {
  auto digits = fmt::format("{}", number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (auto at = digits.size(); at > first + 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string grouped_seconds(Int128 time) {
  if (time < 0) return "-" + grouped_seconds(-time);
  const auto whole = static_cast<std::int64_t>(time / kSecond);
  const auto rest = static_cast<Duration>(time % kSecond);
  // "0.5" without its 0.
  return rest == 0 ? grouped(whole)
                   : fmt::format("{}{}", whole, seconds_text(rest).substr(1));
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

Fold fold_for(const TextTable& table, std::size_t columns) {
  if (width(table) <= columns) return Fold::kNone;
  if (table.words < 2) return Fold::kAllWords;
  const auto text = folded_text(table, Fold::kFirstWords);
  const auto lines = lines_of(text);
  const bool fits = std::all_of(lines.begin(), lines.end(), [&](const auto& line) {
    return width(line) <= columns;
  });
  return fits ? Fold::kFirstWords : Fold::kAllWords;
}

std::string folded_text(const TextTable& table, Fold fold) {
  if (fold == Fold::kNone) return aligned_text(table);
  const bool is_all = fold == Fold::kAllWords || table.words < 2;
  return folded_below(table, is_all ? table.words : table.words - 1);
}

void align_marks(TextTable& table) {
  for (std::size_t at = table.words; at < table.lines.front().size(); ++at) {
    std::size_t most = 0;
    for (const auto& line : table.lines) most = std::max(most, marks_in(line[at]));
    for (auto& line : table.lines) line[at].append(most - marks_in(line[at]), ' ');
  }
}

std::string wrapped(std::string_view text, std::size_t columns) {
  if (width(text) <= columns) return std::string(text) + '\n';
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const auto end = std::min(text.size(), text.find(' '));
    const auto one = text.substr(0, end);
    if (used > 0 && used + 1 + width(one) > columns) {
      out += "\n  ";
      used = 2;
    } else if (used > 0) {
      out += ' ';
      ++used;
    }
    out += one;
    used += width(one);
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return out + '\n';
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
