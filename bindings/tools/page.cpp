#include "bindings/tools/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "engine/base/csv_text.hpp"
#include "engine/base/duration_text.hpp"

namespace berth::bindings {

namespace {

using As = CellShape::As;
using PartKind = PagePart::Kind;
using Escape = std::string (*)(std::string_view);

std::string line_text(std::string_view text) {
  return plain_text(text, Newlines::kEscape);
}

std::string pipe_cell(std::string_view text) {
  std::string made = line_text(text);
  for (std::size_t at = 0; (at = made.find('|', at)) != std::string::npos; at += 2) {
    made.insert(at, 1, '\\');
  }
  return made;
}

// --- values ---

double number_in(const CellValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*whole);
  }
  if (const auto* ticks = std::get_if<TickTime>(&value)) return to_seconds(ticks->time);
  const auto* number = std::get_if<double>(&value);
  return number != nullptr ? *number : std::nan("");
}

// nullopt: more than a time holds.
std::optional<Int128> ticks_in(const CellValue& value, As as) {
  if (const auto* ticks = std::get_if<TickTime>(&value)) return ticks->time;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return as == As::kTicks ? Int128{*whole} : Int128{*whole} * kSecond;
  }
  if (const auto ticks = ticks_from_seconds(number_in(value))) return *ticks;
  return std::nullopt;
}

std::string in_full(const CellValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return fmt::format("{}", *whole);
  }
  if (const auto* number = std::get_if<double>(&value)) {
    return fmt::format("{}", *number);
  }
  if (const auto* ticks = std::get_if<TickTime>(&value))
    return seconds_text(ticks->time);
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : std::string();
}

bool is_none(const CellValue& value, As as) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  return std::holds_alternative<std::monostate>(value) ||
         (as == As::kId && whole != nullptr && *whole < 0);
}

std::string time_text(const CellValue& value, As as) {
  const auto ticks = ticks_in(value, as);
  if (!ticks) return in_full(value);
  if (as != As::kClock) return grouped_seconds(*ticks);
  const auto time = static_cast<Duration>(*ticks);
  return time < 0 ? "-" + clock_text(-time) : clock_text(time);
}

std::string interval_text(const PageCell& cell, int decimals) {
  const auto text = display(number_in(cell.value), decimals);
  return cell.half ? fmt::format("{} ± {}", text, display(cell.half, decimals)) : text;
}

std::string p_value_text(double p) {
  return p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p);
}

// Texts are as they are here; the writer of each form escapes them.
std::string cell_text(const PageCell& cell, const CellShape& shape) {
  const auto& value = cell.value;
  if (is_none(value, shape.as)) return shape.is_words() ? "" : "-";
  const double number = number_in(value);
  switch (shape.as) {
    case As::kText:
    case As::kId: break;
    case As::kWhole:
      if (const auto* whole = std::get_if<std::int64_t>(&value)) return grouped(*whole);
      break;
    case As::kSeconds:
    case As::kTicks:
    case As::kClock: return time_text(value, shape.as);
    case As::kHuman: return human_time(number);
    case As::kPercent: return fmt::format("{:.1f} %", number);
    case As::kPp: return fmt::format("{:+.1f} pp", number);
    case As::kInterval: return interval_text(cell, shape.decimals);
    case As::kP: return p_value_text(number);
    case As::kFixed:
      return shape.has_sign ? fmt::format("{:+.{}f}", number, shape.decimals)
                            : display(number, shape.decimals);
  }
  return in_full(value);
}

CellShape shape_of(const PageTable& table, std::size_t column) {
  auto shape = table.columns[column].shape;
  if (shape.as != As::kInterval) return shape;
  std::vector<double> values;
  values.reserve(table.rows.size());
  for (const auto& row : table.rows) {
    const auto& value = row[column].value;
    if (!is_none(value, shape.as)) values.push_back(number_in(value));
  }
  shape.decimals = decimals_for(values);
  return shape;
}

// --- tables for people ---

struct Writing {
  Escape escape = line_text;
  std::string_view before_best{};
  std::string_view behind_best = "*";
  bool is_terminal = false;
  bool colour = false;

  [[nodiscard]] std::string cell(const PageCell& cell, const CellShape& of) const {
    const auto shape = cell.shape.value_or(of);
    const bool has_own = is_terminal && cell.text;
    auto text = has_own ? *cell.text : cell_text(cell, shape);
    const bool is_escaped = has_own || shape.is_words() || shape.as == As::kPercent;
    if (is_escaped) text = escape(text);
    text += cell.mark;
    if (cell.is_best) text = fmt::format("{}{}{}", before_best, text, behind_best);
    if (!is_terminal && !cell.aside.empty()) {
      text += fmt::format(" ({})", escape(cell.aside));
    }
    if (!colour) return text;
    return coloured(text, cell.is_best ? Colour::kGood : cell.colour);
  }
};

// The lines below a row that are not empty.
struct Below {
  std::vector<TableLine> lines{};
  TableLine asides{};

  void add(std::size_t at, std::size_t column, std::string_view text) {
    if (text.empty()) return;
    if (lines.size() <= at) lines.resize(at + 1);
    if (lines[at].size() <= column) lines[at].resize(column + 1);
    lines[at][column] = line_text(text);
  }
  void add(const PageCell& cell, std::size_t column) {
    for (std::size_t i = 0; i < cell.below.size(); ++i) add(i, column, cell.below[i]);
    if (cell.aside.empty()) return;
    asides.resize(std::max(asides.size(), column + 1));
    asides[column] = line_text(cell.aside);
  }
  void move_to(TextTable& table) {
    lines.push_back(std::move(asides));
    for (auto& line : lines) {
      if (line.empty()) continue;
      line.resize(table.lines.front().size());
      table.lines.push_back(std::move(line));
    }
  }
};

TextTable straight(const PageTable& table, const Writing& writing) {
  TextTable made{{TableLine()}, table.words};
  std::vector<CellShape> shapes;
  shapes.reserve(table.columns.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    made.lines.front().push_back(writing.cell(table.columns[i].head, {}));
    shapes.push_back(shape_of(table, i));
  }
  for (const auto& row : table.rows) {
    TableLine line;
    Below below;
    line.reserve(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      line.push_back(writing.cell(row[i], shapes[i]));
      if (writing.is_terminal) below.add(row[i], i);
    }
    made.lines.push_back(std::move(line));
    below.move_to(made);
  }
  return made;
}

// "mean_bounded_slowdown", "s" as lines of a head.
std::vector<std::string> head_lines(const PageTable& table,
                                    const std::vector<PageCell>& row,
                                    const Writing& writing) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < table.words; ++i) {
    const auto text = writing.cell(row[i], table.columns[i].shape);
    std::string_view rest = text;
    while (!rest.empty()) {
      const auto end = std::min(rest.size() - 1, rest.find('_')) + 1;
      lines.emplace_back(rest.substr(0, end));
      rest.remove_prefix(end);
    }
  }
  return lines;
}

// A column for each of these rows, a line for each column that has numbers.
TextTable turned(const PageTable& table, std::span<const std::size_t> rows,
                 const Writing& writing) {
  std::vector<std::vector<std::string>> heads;
  heads.reserve(rows.size());
  std::size_t depth = 1;
  for (const auto row : rows) {
    heads.push_back(head_lines(table, table.rows[row], writing));
    depth = std::max(depth, heads.back().size());
  }
  TextTable made{{}, 1};
  for (std::size_t i = 0; i < depth; ++i) {
    TableLine line{i + 1 == depth ? line_text(table.corner) : ""};
    for (const auto& head : heads) {
      const auto above = depth - head.size();
      line.push_back(i < above ? "" : head[i - above]);
    }
    made.lines.push_back(std::move(line));
  }
  for (auto column = table.words; column < table.columns.size(); ++column) {
    TableLine line{writing.cell(table.columns[column].head, {})};
    Below below;
    for (const auto row : rows) {
      const auto& cell = table.rows[row][column];
      below.add(cell, line.size());
      line.push_back(writing.cell(cell, shape_of(table, column)));
    }
    made.lines.push_back(std::move(line));
    below.move_to(made);
  }
  align_marks(made);
  return made;
}

// As many rows side by side as fit; at least one.
std::string turned_text(const PageTable& table, const Writing& writing,
                        std::size_t columns) {
  std::vector<std::size_t> all(table.rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (table.left_out > 0) {
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(table.left_out - 1));
  }
  std::span<const std::size_t> left(all);
  std::string text;
  while (!left.empty()) {
    std::size_t count = 1;
    while (count < left.size() &&
           width(turned(table, left.first(count + 1), writing)) <= columns) {
      ++count;
    }
    text += (text.empty() ? "" : "\n") +
            aligned_text(turned(table, left.first(count), writing));
    left = left.subspan(count);
  }
  return text;
}

std::string table_text(const PageTable& table, const PageStyle& style) {
  const Writing writing{line_text, "", "*", true, style.colour};
  const auto title = table.title.empty()
                         ? std::string()
                         : berth::wrapped(line_text(table.title), style.columns);
  const bool turns = table.wide == PageTable::Wide::kTranspose;
  auto made = straight(table, writing);
  if (turns) align_marks(made);
  if (turns && width(made) > style.columns) {
    return title + turned_text(table, writing, style.columns);
  }
  if (table.wide != PageTable::Wide::kFold) return title + aligned_text(made);
  const auto fold = std::max(style.least_fold, fold_for(made, style.columns));
  return title + folded_text(made, fold);
}

// Cells are padded where the table then fits into `columns`.
std::string padded_table(const TextTable& table, std::size_t columns) {
  std::vector<std::size_t> widths(table.lines.front().size());
  for (const auto& line : table.lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], width(line[i]));
    }
  }
  const auto all = std::accumulate(widths.begin(), widths.end(), 3 * widths.size() + 1);
  if (all > columns) std::fill(widths.begin(), widths.end(), 0);
  auto padded = table;
  for (auto& line : padded.lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const auto used = width(line[i]);
      line[i].append(std::max(widths[i], used) - used, ' ');
    }
  }
  std::string rule = "|";
  for (const auto each : widths)
    rule += std::string(each == 0 ? 3 : each + 2, '-') + "|";
  auto text = markdown_table(padded);
  const auto head = text.find('\n') + 1;
  return text.replace(head, text.find('\n', head) - head, rule);
}

// --- parts ---

std::string list_text(const PagePart& part, std::string_view bullet, Escape escape,
                      std::size_t columns) {
  std::string text;
  std::size_t number = 0;
  for (const auto& line : part.lines) {
    const auto mark = part.kind == PartKind::kNumbered ? fmt::format("{}. ", ++number)
                                                       : std::string(bullet);
    text += berth::wrapped(mark + escape(line), columns);
  }
  return text;
}

std::string terminal_part(const PagePart& part, const PageStyle& style) {
  switch (part.kind) {
    case PartKind::kTable: return table_text(part.table, style);
    case PartKind::kNotes:
    case PartKind::kNumbered: return list_text(part, "", line_text, style.columns);
    default: break;
  }
  return part.text.empty() ? "" : berth::wrapped(line_text(part.text), style.columns);
}

std::string markdown_part(const PagePart& part, const Page& page, std::size_t columns) {
  const Escape escape = page.is_plain ? line_text : for_markdown;
  if (part.kind == PartKind::kNotes || part.kind == PartKind::kNumbered) {
    return list_text(part, "* ", escape, PageStyle().columns);
  }
  if (part.kind != PartKind::kTable) {
    const auto text = escape(part.text) + "\n";
    return part.kind == PartKind::kTitle ? "# " + text : part.text.empty() ? "" : text;
  }
  const Writing writing{page.is_plain ? pipe_cell : for_markdown, "**", "**"};
  const auto table = straight(part.table, writing);
  const auto title = part.table.title.empty()
                         ? std::string()
                         : fmt::format("**{}**\n\n", escape(part.table.title));
  return title +
         (part.table.is_padded ? padded_table(table, columns) : markdown_table(table)) +
         (page.is_spaced ? "\n" : "");
}

std::string comment(std::string_view text) { return "% " + line_text(text) + "\n"; }

std::string latex_part(const PagePart& part) {
  std::string text;
  for (const auto& line : part.lines) text += comment(line);
  if (part.kind != PartKind::kTable)
    return part.text.empty() ? text : comment(part.text);
  if (!part.table.title.empty()) text += comment(part.table.title);
  text += latex_tabular(straight(part.table, {for_latex, "\\textbf{", "}"}));
  return part.table.title.empty() ? text : text + "\n";
}

std::string csv_value(const PageCell& cell, As as) {
  const auto& value = cell.value;
  if (is_none(value, as)) return "";
  if (const auto* text = std::get_if<std::string>(&value)) return csv_text(*text);
  const auto* whole = std::get_if<std::int64_t>(&value);
  if (as == As::kTicks && whole != nullptr) return seconds_text(*whole);
  return in_full(value);
}

void append_whole(std::string& text, std::int64_t whole, As as) {
  if (as == As::kTicks) {
    text += seconds_text(whole);
  } else if (as != As::kId || whole >= 0) {
    fmt::format_to(std::back_inserter(text), "{}", whole);
  }
}

// Appends, since a file may have millions of values.
void append_csv(std::string& text, const Column& column, std::size_t row, As as) {
  if (!column.is_there(row)) return;
  switch (column.kind()) {
    case Values::kWhole: return append_whole(text, column.whole()[row], as);
    case Values::kTime: text += seconds_text(column.whole()[row]); break;
    case Values::kNumber:
      fmt::format_to(std::back_inserter(text), "{}", column.numbers()[row]);
      break;
    case Values::kMask: text += column.mask()[row] != 0 ? "true" : "false"; break;
    case Values::kText:
      text += csv_text((*column.dictionary())[column.codes()[row]]);
      break;
  }
}

std::string csv_table(const PageTable& table) {
  std::string text;
  const auto add = [&](std::size_t column, const std::string& cell,
                       const std::string& half) {
    text += (column == 0 ? "" : ",") + cell;
    if (table.columns[column].shape.as == As::kInterval) text += "," + half;
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto head = in_full(table.columns[i].head.value);
    add(i, csv_text(head), csv_text(head + " half width"));
  }
  text += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto half = row[i].half ? fmt::format("{}", *row[i].half) : std::string();
      add(i, csv_value(row[i], table.columns[i].shape.as), half);
    }
    text += "\n";
  }
  return text;
}

Json cell_json(const PageCell& cell, As as) {
  const auto& value = cell.value;
  if (is_none(value, as)) return {};
  if (as == As::kInterval)
    return {{"mean", number_in(value)}, {"half_width", cell.half}};
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  const auto* whole = std::get_if<std::int64_t>(&value);
  if (whole == nullptr) return number_in(value);
  return as == As::kTicks ? Json(to_seconds(*whole)) : Json(*whole);
}

Json table_json(const PageTable& table) {
  auto heads = Json::array();
  for (const auto& column : table.columns) heads.append(in_full(column.head.value));
  auto rows = Json::array();
  for (const auto& row : table.rows) {
    auto line = Json::array();
    for (std::size_t i = 0; i < row.size(); ++i) {
      line.append(cell_json(row[i], table.columns[i].shape.as));
    }
    rows.append(std::move(line));
  }
  return {{"title", table.title}, {"columns", heads}, {"rows", rows}};
}

Json part_json(const PagePart& part) {
  switch (part.kind) {
    case PartKind::kTable: return {{"table", table_json(part.table)}};
    case PartKind::kNotes:
    case PartKind::kNumbered: return {{"notes", Json(part.lines)}};
    case PartKind::kTitle: return {{"title", part.text}};
    default: return {{"text", part.text}};
  }
}

// With an empty line between the parts; files are written elsewhere.
template <class Write>
std::string joined_parts(const Page& page, const Write& write) {
  std::string text;
  for (const auto& part : page.parts) {
    if (part.kind == PartKind::kFile) continue;
    if (!text.empty()) text += "\n";
    text += write(part);
  }
  return text;
}

}  // namespace

std::string shown_text(const PageCell& cell, const CellShape& shape) {
  return cell_text(cell, shape);
}

Fold fold_for(const Page& page, const PageStyle& style) {
  auto most = Fold::kNone;
  for (const auto& part : page.parts) {
    if (part.kind != PagePart::Kind::kTable) continue;
    if (part.table.wide != PageTable::Wide::kFold) continue;
    const auto made = straight(part.table, {line_text, "", "*", true, style.colour});
    most = std::max(most, fold_for(made, style.columns));
  }
  return most;
}

std::string as_text(const Page& page, const PageStyle& style) {
  return joined_parts(page,
                      [&](const PagePart& part) { return terminal_part(part, style); });
}

std::string as_markdown(const Page& page, std::size_t columns) {
  return joined_parts(
      page, [&](const PagePart& part) { return markdown_part(part, page, columns); });
}

std::string as_latex(const Page& page) {
  std::string text;
  for (const auto& part : page.parts) {
    if (part.kind != PagePart::Kind::kFile) text += latex_part(part);
  }
  return text;
}

std::string as_csv(const Page& page) {
  std::string text;
  for (const auto& part : page.parts) {
    if (part.kind != PartKind::kTable) continue;
    text += (text.empty() ? "" : "\n") + csv_table(part.table);
  }
  return text;
}

std::string as_csv(const PageFile& file) {
  std::string text;
  const auto add = [&](std::size_t i) { text += i == 0 ? "" : ","; };
  for (std::size_t i = 0; i < file.columns.size(); ++i) {
    add(i);
    text += csv_text(in_full(file.columns[i].first.head.value));
  }
  text += "\n";
  const auto rows = file.columns.empty() ? 0 : file.columns.front().second->rows();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < file.columns.size(); ++i) {
      add(i);
      append_csv(text, *file.columns[i].second, row, file.columns[i].first.shape.as);
    }
    text += "\n";
  }
  return text;
}

Json as_json(const Page& page) {
  auto parts = Json::array();
  for (const auto& part : page.parts) {
    if (part.kind != PartKind::kFile) parts.append(part_json(part));
  }
  return {{"format", 1}, {"parts", parts}};
}

}  // namespace berth::bindings
