// Those for programs.

#include <fmt/format.h>

#include <iterator>

#include "engine/base/json.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/metrics/csv_field.hpp"

namespace berth {

namespace {

std::string_view word(Better better) {
  switch (better) {
    case Better::kLower: return "lower";
    case Better::kHigher: return "higher";
    case Better::kNeither: return "none";
  }
  return {};
}

std::string field(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

Json row_json(const Comparison& comparison, const Comparison::Row& row) {
  auto cells = Json::array();
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const auto& cell = row.cells[i];
    cells.append({{"policy", comparison.labels[i]},
                  {"value", cell.value},
                  {"n", cell.n},
                  {"best", cell.best},
                  {"improvement_percent", cell.improvement}});
  }
  return {{"name", row.metric},
          {"unit", row.unit},
          {"better", word(row.better)},
          {"cells", cells}};
}

}  // namespace

std::string as_csv(const Comparison& comparison) {
  std::string text = "metric,unit,better,policy,value,n,best,improvement_percent\n";
  for (const auto& row : comparison.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const auto& cell = row.cells[i];
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{}\n", row.metric,
                     row.unit, word(row.better), csv_field(comparison.labels[i]),
                     field(cell.value), cell.n, cell.best ? 1 : 0,
                     field(cell.improvement));
    }
  }
  return text;
}

std::string as_json(const Comparison& comparison) {
  auto rows = Json::array();
  for (const auto& row : comparison.rows) rows.append(row_json(comparison, row));
  const Json json{{"format", 1},
                  {"policies", comparison.labels},
                  {"metrics", rows},
                  {"notes", comparison.notes}};
  return json.file_text();
}

}  // namespace berth
