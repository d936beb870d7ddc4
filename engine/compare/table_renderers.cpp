// Those for people.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "engine/base/duration_text.hpp"
#include "engine/base/printable.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/compare/text_table.hpp"

namespace berth {

namespace {

using Entry = Comparison::Entry;
using Row = Comparison::Row;
using Value = Comparison::Value;
using Rows = std::span<const Row>;

// How a best value, a spoilt one and a text cell are written.
struct Marks {
  std::string_view before_best;
  std::string_view behind_best;
  std::string_view spoilt;
  std::string (*escape)(std::string_view);
  bool is_text = false;  // for a terminal
  bool colour = false;
};

std::string on_one_line(std::string_view text) {
  return plain_text(text, Newlines::kEscape);
}

constexpr auto kAnyWidth = std::numeric_limits<std::size_t>::max();
constexpr Marks kTextMarks{"", "*", "!", on_one_line, true, false};

// One table of a comparison; that of a run has no title.
struct Block {
  std::string title;
  TextTable table;
};

std::vector<double> values_of(Rows rows) {
  std::vector<double> values;
  for (const auto& row : rows) {
    for (const auto& entry : row.entries) {
      if (entry.value) values.push_back(entry.value->mean);
    }
  }
  return values;
}

// The value with its marks.
std::string value_cell(const Entry& entry, int decimals, const Marks& marks) {
  auto text = entry.value ? display(entry.value->mean, decimals) : std::string("-");
  if (entry.value && !entry.warning.empty()) text += marks.spoilt;
  if (!entry.best) return text;
  text = fmt::format("{}{}{}", marks.before_best, text, marks.behind_best);
  return marks.colour ? coloured(text, Colour::kGood) : text;
}

// With the reason why it is not comparable, where that has no line of its own.
std::string cell_with_reason(const Entry& entry, int decimals, const Marks& marks) {
  auto text = value_cell(entry, decimals, marks);
  if (marks.is_text || !entry.value || entry.not_comparable.empty()) return text;
  return fmt::format("{} ({})", text, marks.escape(entry.not_comparable));
}

// "2 d 13 h" below a number of seconds; empty below a minute.
std::string human_cell(const Entry& entry) {
  constexpr double kLeast = 60;
  if (!entry.value || entry.value->mean < kLeast) return {};
  return human_time(entry.value->mean);
}

// Why the value is not comparable, below it.
std::string reason_cell(const Entry& entry) {
  return entry.value ? entry.not_comparable : std::string();
}

// Adds a line below the last one, unless all its cells of numbers are empty.
void add_below(TextTable& table, const TableLine& line) {
  const auto first = line.begin() + static_cast<std::ptrdiff_t>(table.words);
  if (std::any_of(first, line.end(), [](const auto& cell) { return !cell.empty(); })) {
    table.lines.push_back(line);
  }
}

Block run_block(const Comparison& comparison, const Marks& marks) {
  TableLine heading{"metric", "unit"};
  for (const auto& label : comparison.policies) heading.push_back(marks.escape(label));
  Block block{{}, {{heading}, 2}};
  for (const auto& row : comparison.rows) {
    TableLine line{marks.escape(row.metric), marks.escape(row.unit)};
    TableLine times{"", ""};
    TableLine reasons{"", ""};
    const int decimals = decimals_for(values_of({&row, 1}));
    for (const auto& entry : row.entries) {
      line.push_back(cell_with_reason(entry, decimals, marks));
      times.push_back(row.unit == "s" ? human_cell(entry) : "");
      reasons.push_back(reason_cell(entry));
    }
    block.table.lines.push_back(std::move(line));
    if (!marks.is_text) continue;
    add_below(block.table, times);
    add_below(block.table, reasons);
  }
  if (marks.is_text) align_marks(block.table);
  return block;
}

// "mean_bounded_slowdown" as lines of a heading, the unit last.
std::vector<std::string> heading_lines(const Row& row) {
  std::vector<std::string> lines;
  std::string_view name = row.metric;
  while (!name.empty()) {
    const auto end = std::min(name.size(), name.find('_') + 1);
    const auto piece = name.substr(0, end == 0 ? name.size() : end);
    lines.emplace_back(piece);
    name.remove_prefix(piece.size());
  }
  lines.push_back(row.unit);
  return lines;
}

// A line for each policy, a column for each of these metrics.
TextTable transposed(const Comparison& comparison, Rows rows, const Marks& marks) {
  std::vector<std::vector<std::string>> headings;
  std::size_t depth = 0;
  for (const auto& row : rows) {
    headings.push_back(heading_lines(row));
    depth = std::max(depth, headings.back().size());
  }
  TextTable table{{}, 1};
  for (std::size_t i = 0; i < depth; ++i) {
    TableLine line{i + 1 == depth ? "policy" : ""};
    for (const auto& heading : headings) {
      const auto above = depth - heading.size();
      line.push_back(i < above ? "" : heading[i - above]);
    }
    table.lines.push_back(std::move(line));
  }
  for (std::size_t policy = 0; policy < comparison.policies.size(); ++policy) {
    TableLine line{marks.escape(comparison.policies[policy])};
    TableLine times{""};
    TableLine reasons{""};
    for (const auto& row : rows) {
      const auto& entry = row.entries[policy];
      line.push_back(value_cell(entry, decimals_for(values_of({&row, 1})), marks));
      times.push_back(row.unit == "s" ? human_cell(entry) : "");
      reasons.push_back(reason_cell(entry));
    }
    table.lines.push_back(std::move(line));
    add_below(table, times);
    add_below(table, reasons);
  }
  align_marks(table);
  return table;
}

bool has_one_value(const Row& row) {
  return std::all_of(row.entries.begin(), row.entries.end(), [&](const auto& entry) {
    return entry.value && entry.value->mean == row.entries.front().value->mean;
  });
}

// As many metrics side by side as fit; at least one.
std::string transposed_text(const Comparison& comparison, const Marks& marks,
                            std::size_t columns) {
  std::string text;
  std::vector<Row> rows;
  for (const auto& row : comparison.rows) {
    // That of all policies stands above the table.
    if (row.metric != "load" || !has_one_value(row)) rows.push_back(row);
  }
  Rows left(rows);
  while (!left.empty()) {
    std::size_t count = 1;
    while (count < left.size() &&
           width(transposed(comparison, left.first(count + 1), marks)) <= columns) {
      ++count;
    }
    text += (text.empty() ? "" : "\n") +
            aligned_text(transposed(comparison, left.first(count), marks));
    left = left.subspan(count);
  }
  return text;
}

std::string p_text(const std::optional<double>& p) {
  if (!p) return "-";
  return *p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", *p);
}

// The difference in per cent of the base, with its sign.
std::string percent_text(const Row& row, const Entry& entry) {
  if (!entry.improvement) return "-";
  const double change =
      row.better == Better::kLower ? -*entry.improvement : *entry.improvement;
  return fmt::format("{:+.1f}", change);
}

// The verdict; the reason, where the value is not comparable.
std::string verdict_words(const Entry& entry, const Marks& marks) {
  if (marks.is_text && entry.verdict == Verdict::kNotShown) return "not shown";
  auto text = marks.escape(text_of(entry.verdict));
  if (entry.not_comparable.empty()) return text;
  auto reason = marks.escape(entry.not_comparable);
  return entry.verdict == Verdict::kNotComparable ? reason : text + "; " + reason;
}

std::string verdict_cell(const Entry& entry, const Marks& marks) {
  auto text = verdict_words(entry, marks);
  if (!marks.colour) return text;
  switch (entry.verdict) {
    case Verdict::kBetter: return coloured(text, Colour::kGood);
    case Verdict::kWorse: return coloured(text, Colour::kBad);
    default: return text;
  }
}

// The numbers of one policy and the verdict on it.
void add_numbers(TableLine& line, const Row& row, const Entry& entry, int decimals,
                 const Marks& marks) {
  auto mean = entry.value ? display(entry.value->mean, decimals) : std::string("-");
  if (entry.value && !entry.warning.empty()) mean += marks.spoilt;
  line.push_back(std::move(mean));
  line.push_back(entry.value ? display(entry.value->half_width, decimals) : "-");
  line.push_back(entry.difference ? display(entry.difference->mean, decimals) : "-");
  line.push_back(entry.difference ? display(entry.difference->half_width, decimals)
                                  : "-");
  line.push_back(percent_text(row, entry));
  line.push_back(p_text(entry.p_value));
  line.push_back(verdict_cell(entry, marks));
}

constexpr const char* kNumbers[] = {"mean", "+-", "difference", "+-",
                                    "%",    "p",  "verdict"};

// The last part of a key, unless two keys share it.
std::vector<std::string> short_keys(const Comparison& comparison) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const auto& key : comparison.keys) {
    names.push_back(key.substr(key.rfind('.') + 1));
    seen.insert(names.back());
  }
  return seen.size() == names.size() ? names : comparison.keys;
}

// Whether the offered load is not yet among the keys.
bool shows_load(const Comparison& comparison) {
  const auto& keys = comparison.keys;
  return std::find(keys.begin(), keys.end(), "workload.load") == keys.end() &&
         std::any_of(comparison.loads.begin(), comparison.loads.end(),
                     [](const auto& load) { return load.has_value(); });
}

// Columns that say which cell a line belongs to.
TableLine cell_columns(const Comparison& comparison, std::size_t cell,
                       const Marks& marks) {
  TableLine line;
  for (const auto& value : comparison.cells[cell]) line.push_back(marks.escape(value));
  if (shows_load(comparison)) {
    line.push_back(display(comparison.loads[cell], 3));
  }
  return line;
}

std::string title_of(const Row& row) {
  std::string text = fmt::format("{} ({}", row.metric, row.unit);
  if (row.better != Better::kNeither) {
    text += fmt::format(", {} is better", word(row.better));
  }
  if (row.exploratory) text += "; exploratory, p not corrected";
  return fmt::format("{}; against {})", text, row.entries.front().policy);
}

// Of the rows of one metric.
Block sweep_block(const Comparison& comparison, Rows rows, const Marks& marks) {
  TableLine heading;
  const auto keys = marks.is_text ? short_keys(comparison) : comparison.keys;
  for (const auto& key : keys) heading.push_back(marks.escape(key));
  if (shows_load(comparison)) heading.emplace_back("offered");
  heading.emplace_back("policy");
  const auto words = heading.size();
  heading.insert(heading.end(), std::begin(kNumbers), std::end(kNumbers));
  Block block{title_of(rows.front()), {{heading}, words}};
  const int decimals = decimals_for(values_of(rows));
  for (const auto& row : rows) {
    for (const auto& entry : row.entries) {
      auto line = cell_columns(comparison, row.cell, marks);
      line.push_back(marks.escape(entry.policy));
      add_numbers(line, row, entry, decimals, marks);
      block.table.lines.push_back(std::move(line));
    }
  }
  return block;
}

std::vector<Block> blocks_of(const Comparison& comparison, const Marks& marks) {
  if (comparison.layout == Layout::kRun) return {run_block(comparison, marks)};
  std::vector<Block> blocks;
  const auto cells = comparison.cells.size();
  for (std::size_t i = 0; i < comparison.rows.size(); i += cells) {
    const auto rows = Rows(comparison.rows).subspan(i, cells);
    // The load of every line stands beside it.
    const bool is_load =
        rows.front().metric == "load" && comparison.rows.size() > cells;
    if (!is_load) blocks.push_back(sweep_block(comparison, rows, marks));
  }
  return blocks;
}

template <class Has>
bool any_entry(const Comparison& comparison, const Has& has) {
  return std::any_of(comparison.rows.begin(), comparison.rows.end(),
                     [&](const auto& row) {
                       return std::any_of(row.entries.begin(), row.entries.end(), has);
                     });
}

// What the table is of: the offered load, or the way to its intervals.
std::string head_of(const Comparison& comparison) {
  if (comparison.layout == Layout::kRun) {
    const auto& load =
        comparison.loads.empty() ? std::nullopt : comparison.loads.front();
    return load ? fmt::format("load {:.3f}", *load) : std::string();
  }
  return comparison.basis;
}

// "n = 3000 jobs", or by policy where they differ; of the first row.
std::string n_text(const Comparison& comparison) {
  if (comparison.rows.empty() || comparison.rows.front().entries.empty()) return {};
  const auto& all = comparison.rows.front().entries;
  const auto& metric = comparison.rows.front().metric;
  const bool is_of_class = metric.find('@') != std::string::npos;
  const auto what = metric == "min_yield" ? "solved instances"
                    : is_of_class         ? fmt::format("jobs behind {}", metric)
                                          : std::string("jobs");
  const bool same = std::all_of(all.begin(), all.end(), [&](const auto& entry) {
    return entry.n == all.front().n;
  });
  const auto& first = all.front();
  if (same && first.runs > 1 && first.n_each > 0) {
    return fmt::format("n = {} {} in each of {} runs", first.n_each, what, first.runs);
  }
  if (same) return fmt::format("n = {} {}", first.n, what);
  std::string text;
  for (const auto& entry : all) {
    text += fmt::format("{} {} {}", text.empty() ? "n:" : ",", entry.policy, entry.n);
  }
  return fmt::format("{} {}", text, what);
}

std::string block_text(const Comparison& comparison, const Block& block,
                       const Marks& marks, std::size_t columns) {
  if (comparison.layout == Layout::kRun) {
    return width(block.table) <= columns ? aligned_text(block.table)
                                         : transposed_text(comparison, marks, columns);
  }
  return wrapped(on_one_line(block.title), columns) +
         fitted_text(block.table, columns) + "\n";
}

// Head and number of jobs, the notes.
std::vector<std::string> lines_below(const Comparison& comparison) {
  std::vector<std::string> lines;
  if (auto n = n_text(comparison); !n.empty()) lines.push_back(std::move(n));
  lines.insert(lines.end(), comparison.notes.begin(), comparison.notes.end());
  return lines;
}

}  // namespace

std::string as_text(const Comparison& comparison, const TextStyle& style) {
  auto marks = kTextMarks;
  marks.colour = style.colour;
  std::string text;
  if (const auto head = head_of(comparison); !head.empty()) {
    text += wrapped(head, style.width) + "\n";
  }
  for (const auto& block : blocks_of(comparison, marks)) {
    text += block_text(comparison, block, marks, style.width);
  }
  if (comparison.layout == Layout::kRun) text += "\n";
  const bool is_run = comparison.layout == Layout::kRun;
  if (is_run && any_entry(comparison, [](const auto& entry) { return entry.best; })) {
    text += "* best\n";
  }
  if (any_entry(comparison, [](const auto& entry) { return !entry.warning.empty(); })) {
    text += "! the queue is full for most of the time: see below\n";
  }
  for (const auto& line : lines_below(comparison)) {
    text += wrapped(on_one_line(line), style.width);
  }
  if (comparison.fidelity.empty()) return text;
  text += "\n";
  for (const auto& line : fidelity_lines(comparison.fidelity)) {
    text += wrapped(on_one_line(line), style.width);
  }
  for (const auto& table : fidelity_tables(comparison.fidelity, style.width)) {
    text += "\n" + aligned_text(table);
  }
  return text;
}

std::string as_markdown(const Comparison& comparison) {
  std::string text;
  if (const auto head = head_of(comparison); !head.empty()) {
    text += for_markdown(head) + "\n\n";
  }
  for (const auto& [title, table] :
       blocks_of(comparison, {"**", "**", "!", for_markdown})) {
    if (!title.empty()) text += "**" + for_markdown(title) + "**\n\n";
    text += markdown_table(table) + "\n";
  }
  for (const auto& line : lines_below(comparison)) {
    text += "* " + for_markdown(line) + "\n";
  }
  if (comparison.fidelity.empty()) return text;
  for (const auto& line : fidelity_lines(comparison.fidelity)) {
    text += "* " + for_markdown(line) + "\n";
  }
  for (const auto& table : fidelity_tables(comparison.fidelity, kAnyWidth)) {
    text += "\n" + markdown_table(table);
  }
  return text;
}

std::string as_latex(const Comparison& comparison) {
  std::string text;
  const auto comment = [](std::string_view line) {
    return "% " + on_one_line(line) + "\n";
  };
  if (const auto head = head_of(comparison); !head.empty()) text += comment(head);
  for (const auto& [title, table] :
       blocks_of(comparison, {"\\textbf{", "}", "!", for_latex})) {
    const auto tabular = latex_tabular(table);
    text += title.empty() ? tabular : comment(title) + tabular + "\n";
  }
  for (const auto& line : lines_below(comparison)) text += comment(line);
  return text;
}

}  // namespace berth
