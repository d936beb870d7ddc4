#include "engine/compare/replicated_renderers.hpp"

#include <fmt/format.h>

#include <iterator>

#include "engine/base/json.hpp"
#include "engine/base/printable.hpp"
#include "engine/compare/display.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/compare/text_table.hpp"
#include "engine/metrics/csv_field.hpp"

namespace berth {

namespace {

using Entry = ReplicatedComparison::Entry;
using Row = ReplicatedComparison::Row;
using Value = ReplicatedComparison::Value;
using Rows = std::span<const Row>;
using Escape = std::string (*)(std::string_view);

// The rows of one metric.
Rows block_at(const ReplicatedComparison& comparison, std::size_t first) {
  return Rows(comparison.rows).subspan(first, comparison.cells.size());
}

int decimals_of(Rows block) {
  std::vector<Comparison::Cell> values;
  for (const auto& row : block) {
    for (const auto& entry : row.entries) {
      if (entry.value) values.push_back({entry.value->mean, 0, false, {}});
    }
  }
  return decimals_for(values);
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
TableLine entry_line(const Entry& entry, int decimals, Escape escape) {
  TableLine line{escape(entry.policy), escape(text_of(entry.verdict))};
  add_value(line, entry.value, decimals);
  add_value(line, entry.difference, decimals);
  line.push_back(p_text(entry.p_value));
  line.push_back(entry.improvement ? fmt::format("{:.1f}", *entry.improvement) : "-");
  line.push_back(fmt::format("{}", entry.n));
  line.push_back(entry.common_jobs > 0 ? fmt::format("{}", entry.common_jobs) : "-");
  return line;
}

TableLine heading(const ReplicatedComparison& comparison, const Row& row,
                  Escape escape) {
  TableLine line;
  for (const auto& key : comparison.keys) line.push_back(escape(key));
  const auto base = row.entries.front().policy;
  for (const auto& name :
       {std::string("policy"), "against " + base, std::string("mean"),
        std::string("+-"), std::string("difference"), std::string("+-"),
        std::string("p"), std::string("gain %"), std::string("n"),
        std::string("common")}) {
    line.push_back(escape(name));
  }
  return line;
}

TextTable table_of(const ReplicatedComparison& comparison, Rows block, Escape escape) {
  TextTable table{{heading(comparison, block.front(), escape)},
                  comparison.keys.size() + 2};
  const int decimals = decimals_of(block);
  for (const auto& row : block) {
    for (const auto& entry : row.entries) {
      TableLine line;
      for (const auto& value : comparison.cells[row.cell])
        line.push_back(escape(value));
      const auto rest = entry_line(entry, decimals, escape);
      line.insert(line.end(), rest.begin(), rest.end());
      table.lines.push_back(std::move(line));
    }
  }
  return table;
}

std::string_view word(Better better) {
  switch (better) {
    case Better::kLower: return "lower";
    case Better::kHigher: return "higher";
    case Better::kNeither: return "none";
  }
  return {};
}

std::string title(const Row& row) {
  if (row.better == Better::kNeither)
    return fmt::format("{} ({})", row.metric, row.unit);
  return fmt::format("{} ({}, {} is better)", row.metric, row.unit, word(row.better));
}

std::string field(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

std::string fields(const std::optional<Value>& value) {
  if (!value) return ",";
  return fmt::format("{},{}", value->mean, field(value->half_width));
}

Json json_of(const std::optional<Value>& value) {
  if (!value) return nullptr;
  return {{"mean", value->mean}, {"half_width", value->half_width}};
}

Json json_of(const Entry& entry) {
  return {{"policy", entry.policy},
          {"runs", entry.runs},
          {"n", entry.n},
          {"value", json_of(entry.value)},
          {"difference", json_of(entry.difference)},
          {"p_value", entry.p_value},
          {"improvement_percent", entry.improvement},
          {"common_jobs", entry.common_jobs},
          {"verdict", text_of(entry.verdict)}};
}

Json cell_json(const ReplicatedComparison& comparison, std::size_t cell) {
  auto json = Json::object();
  for (std::size_t i = 0; i < comparison.keys.size(); ++i) {
    json.add(comparison.keys[i], comparison.cells[cell][i]);
  }
  return json;
}

Json json_of(const ReplicatedComparison& comparison, const Row& row) {
  auto entries = Json::array();
  for (const auto& entry : row.entries) entries.append(json_of(entry));
  return {{"name", row.metric},
          {"unit", row.unit},
          {"better", word(row.better)},
          {"cell", cell_json(comparison, row.cell)},
          {"policies", entries}};
}

Json json_of(const ReplicatedComparison::HitUsers::Change& change) {
  return {{"user", change.user}, {"wait_change", change.wait}, {"jobs", change.jobs}};
}

}  // namespace

std::string as_text(const ReplicatedComparison& comparison) {
  std::string text;
  for (std::size_t i = 0; i < comparison.rows.size(); i += comparison.cells.size()) {
    const auto block = block_at(comparison, i);
    text += fmt::format("{}\n{}\n", title(block.front()),
                        aligned_text(table_of(comparison, block, escaped)));
  }
  for (const auto& note : comparison.notes) text += escaped(note) + "\n";
  return text;
}

std::string as_markdown(const ReplicatedComparison& comparison) {
  std::string text;
  for (std::size_t i = 0; i < comparison.rows.size(); i += comparison.cells.size()) {
    const auto block = block_at(comparison, i);
    text += fmt::format("**{}**\n\n{}\n", for_markdown(title(block.front())),
                        markdown_table(table_of(comparison, block, for_markdown)));
  }
  for (const auto& note : comparison.notes) text += "* " + for_markdown(note) + "\n";
  return text;
}

std::string as_latex(const ReplicatedComparison& comparison) {
  std::string text;
  for (std::size_t i = 0; i < comparison.rows.size(); i += comparison.cells.size()) {
    const auto block = block_at(comparison, i);
    text += fmt::format("% {}\n{}\n", title(block.front()),
                        latex_tabular(table_of(comparison, block, for_latex)));
  }
  for (const auto& note : comparison.notes) text += "% " + note + "\n";
  return text;
}

std::string as_csv(const ReplicatedComparison& comparison) {
  std::string text;
  for (const auto& key : comparison.keys) text += csv_field(key) + ",";
  text +=
      "metric,unit,better,policy,runs,n,mean,half_width,difference,"
      "difference_half_width,p_value,improvement_percent,common_jobs,verdict\n";
  for (const auto& row : comparison.rows) {
    for (const auto& entry : row.entries) {
      for (const auto& value : comparison.cells[row.cell])
        text += csv_field(value) + ",";
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{}\n",
                     row.metric, row.unit, word(row.better), csv_field(entry.policy),
                     entry.runs, entry.n, fields(entry.value), fields(entry.difference),
                     field(entry.p_value), field(entry.improvement), entry.common_jobs,
                     csv_field(std::string(text_of(entry.verdict))));
    }
  }
  return text;
}

std::string as_json(const ReplicatedComparison& comparison) {
  auto rows = Json::array();
  for (const auto& row : comparison.rows) rows.append(json_of(comparison, row));
  auto users = Json::array();
  for (const auto& hit : comparison.users) {
    users.append({{"cell", cell_json(comparison, hit.cell)},
                  {"policy", hit.policy},
                  {"best", json_of(hit.best)},
                  {"worst", json_of(hit.worst)}});
  }
  const Json json{{"format", 1},
                  {"replications", comparison.replications},
                  {"confidence", comparison.confidence},
                  {"metrics", rows},
                  {"users", users},
                  {"notes", comparison.notes}};
  return json.file_text();
}

}  // namespace berth
