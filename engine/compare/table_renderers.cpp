// Those for people.

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/printable.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/compare/text_table.hpp"

namespace berth {

namespace {

using Entry = Comparison::Entry;
using Row = Comparison::Row;
using Value = Comparison::Value;
using Rows = std::span<const Row>;

// How a best value, a plain one and a text cell are written.
struct Marks {
  std::string_view before_best;
  std::string_view behind_best;
  std::string_view behind_other;
  std::string (*escape)(std::string_view);
};

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

// One number if it is the same for all policies, else one for each.
std::string n_text(const Row& row) {
  const auto& all = row.entries;
  const bool same = std::all_of(all.begin(), all.end(), [&](const auto& entry) {
    return entry.n == all.front().n;
  });
  std::string text;
  for (std::size_t i = 0;
       i < (same ? std::min<std::size_t>(1, all.size()) : all.size()); ++i) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", all[i].n);
  }
  return text;
}

TableLine run_line(const Row& row, const Marks& marks) {
  TableLine line{marks.escape(row.metric), marks.escape(row.unit)};
  const int decimals = decimals_for(values_of({&row, 1}));
  for (const auto& entry : row.entries) {
    const auto number =
        entry.value ? display(entry.value->mean, decimals) : std::string("-");
    line.push_back(
        entry.best ? fmt::format("{}{}{}", marks.before_best, number, marks.behind_best)
                   : number + std::string(marks.behind_other));
  }
  line.push_back(n_text(row));
  return line;
}

Block run_block(const Comparison& comparison, const Marks& marks) {
  TableLine heading{"metric", "unit"};
  for (const auto& label : comparison.policies) {
    heading.push_back(marks.escape(label) + std::string(marks.behind_other));
  }
  heading.emplace_back("n");
  Block block{{}, {{heading}, 2}};
  for (const auto& row : comparison.rows) {
    block.table.lines.push_back(run_line(row, marks));
  }
  return block;
}

void add_value(TableLine& line, const std::optional<Value>& value, int decimals) {
  line.push_back(value ? display(value->mean, decimals) : "-");
  line.push_back(value ? display(value->half_width, decimals) : "-");
}

std::string p_text(const std::optional<double>& p) {
  if (!p) return "-";
  return *p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", *p);
}

// The columns behind those of the cells.
void add_entry(TableLine& line, const Entry& entry, int decimals, const Marks& marks) {
  line.push_back(marks.escape(entry.policy));
  line.push_back(marks.escape(text_of(entry.verdict)));
  add_value(line, entry.value, decimals);
  add_value(line, entry.difference, decimals);
  line.push_back(p_text(entry.p_value));
  line.push_back(entry.improvement ? fmt::format("{:.1f}", *entry.improvement) : "-");
  line.push_back(fmt::format("{}", entry.n));
  line.push_back(entry.common_jobs > 0 ? fmt::format("{}", entry.common_jobs) : "-");
}

TableLine sweep_heading(const Comparison& comparison, const Row& row,
                        const Marks& marks) {
  TableLine line = comparison.keys;
  const auto against = "against " + row.entries.front().policy;
  for (const auto* name : {"policy", against.c_str(), "mean", "+-", "difference", "+-",
                           "p", "gain %", "n", "common"}) {
    line.emplace_back(name);
  }
  for (auto& name : line) name = marks.escape(name);
  return line;
}

std::string title_of(const Row& row) {
  if (row.better == Better::kNeither) {
    return fmt::format("{} ({})", row.metric, row.unit);
  }
  return fmt::format("{} ({}, {} is better)", row.metric, row.unit, word(row.better));
}

// Of the rows of one metric.
Block sweep_block(const Comparison& comparison, Rows rows, const Marks& marks) {
  Block block{
      title_of(rows.front()),
      {{sweep_heading(comparison, rows.front(), marks)}, comparison.keys.size() + 2}};
  const int decimals = decimals_for(values_of(rows));
  for (const auto& row : rows) {
    TableLine cell;
    for (const auto& value : comparison.cells[row.cell]) {
      cell.push_back(marks.escape(value));
    }
    for (const auto& entry : row.entries) {
      auto line = cell;
      add_entry(line, entry, decimals, marks);
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
    blocks.push_back(
        sweep_block(comparison, Rows(comparison.rows).subspan(i, cells), marks));
  }
  return blocks;
}

// Labels are escaped already: their backslashes are not doubled.
std::string on_one_line(std::string_view text) {
  return plain_text(text, Newlines::kEscape);
}

bool has_best(const Comparison& comparison) {
  const auto marked = [](const auto& entry) { return entry.best; };
  return std::any_of(
      comparison.rows.begin(), comparison.rows.end(), [&](const auto& row) {
        return std::any_of(row.entries.begin(), row.entries.end(), marked);
      });
}

}  // namespace

std::string as_text(const Comparison& comparison) {
  std::string text;
  for (const auto& [title, table] :
       blocks_of(comparison, {"", "*", " ", on_one_line})) {
    text +=
        title.empty() ? aligned_text(table) : title + "\n" + aligned_text(table) + "\n";
  }
  if (comparison.layout == Layout::kRun) {
    const bool marked = has_best(comparison);
    if (marked || !comparison.notes.empty()) text += "\n";
    if (marked) text += "* best\n";
  }
  for (const auto& note : comparison.notes) text += on_one_line(note) + "\n";
  return text;
}

std::string as_markdown(const Comparison& comparison) {
  std::string text;
  for (const auto& [title, table] :
       blocks_of(comparison, {"**", "**", "", for_markdown})) {
    if (!title.empty()) text += "**" + for_markdown(title) + "**\n\n";
    text += markdown_table(table);
    if (!title.empty() || !comparison.notes.empty()) text += "\n";
  }
  for (const auto& note : comparison.notes) text += "* " + for_markdown(note) + "\n";
  return text;
}

std::string as_latex(const Comparison& comparison) {
  std::string text;
  for (const auto& [title, table] :
       blocks_of(comparison, {"\\textbf{", "}", "", for_latex})) {
    const auto tabular = latex_tabular(table);
    text += title.empty() ? tabular : fmt::format("% {}\n{}\n", title, tabular);
  }
  for (const auto& note : comparison.notes) text += "% " + note + "\n";
  return text;
}

}  // namespace berth
