#include <fmt/format.h>

#include <iterator>

#include "engine/base/csv_text.hpp"
#include "engine/base/json.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/compare/text_table.hpp"
#include "engine/jobs/label.hpp"

namespace berth {

namespace {

using Entry = Comparison::Entry;
using Value = Comparison::Value;

std::string field(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

std::string fields(const std::optional<Value>& value) {
  if (!value) return ",";
  return fmt::format("{},{}", value->mean, field(value->half_width));
}

std::optional<double> mean_if_any(const std::optional<Value>& value) {
  return value ? std::optional(value->mean) : std::nullopt;
}

std::string run_fields(const Entry& entry) {
  return fmt::format("{},{},{},{},{}", field(mean_if_any(entry.value)), entry.n,
                     entry.best ? 1 : 0, field(entry.improvement),
                     csv_text(entry.doubts()));
}

std::string sweep_fields(const Comparison& comparison, const Comparison::Row& row,
                         const Entry& entry) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", entry.runs, entry.n,
                     fields(entry.value), fields(entry.difference),
                     field(entry.p_value), field(entry.improvement), entry.common_jobs,
                     text_of(entry.verdict), row.exploratory ? 1 : 0,
                     comparison.comparisons, field(comparison.loads[row.cell]),
                     csv_text(entry.doubts()));
}

Json warning_json(const Entry& entry) {
  const auto doubts = entry.doubts();
  return doubts.empty() ? Json() : Json(doubts);
}

Json json_of(const std::optional<Value>& value) {
  if (!value) return nullptr;
  return {{"mean", value->mean}, {"half_width", value->half_width}};
}

Json run_json(const Entry& entry) {
  return {{"policy", entry.policy},
          {"value", mean_if_any(entry.value)},
          {"n", entry.n},
          {"best", entry.best},
          {"improvement_percent", entry.improvement},
          {"warning", warning_json(entry)}};
}

Json sweep_json(const Entry& entry) {
  return {{"policy", entry.policy},
          {"runs", entry.runs},
          {"n", entry.n},
          {"value", json_of(entry.value)},
          {"difference", json_of(entry.difference)},
          {"p_value", entry.p_value},
          {"improvement_percent", entry.improvement},
          {"common_jobs", entry.common_jobs},
          {"verdict", text_of(entry.verdict)},
          {"warning", warning_json(entry)}};
}

Json cell_json(const Comparison& comparison, std::size_t cell) {
  auto json = Json::object();
  for (std::size_t i = 0; i < comparison.keys.size(); ++i) {
    json.add(comparison.keys[i], comparison.cells[cell][i]);
  }
  return json;
}

Json row_json(const Comparison& comparison, const Comparison::Row& row) {
  const bool is_run = comparison.layout == Layout::kRun;
  auto entries = Json::array();
  for (const auto& entry : row.entries) {
    entries.append(is_run ? run_json(entry) : sweep_json(entry));
  }
  Json json{{"name", row.metric}, {"unit", row.unit}, {"better", word(row.better)}};
  if (!is_run) {
    json.add("cell", cell_json(comparison, row.cell));
    json.add("load", comparison.loads[row.cell]);
    json.add("exploratory", row.exploratory);
  }
  json.add(is_run ? "cells" : "policies", entries);
  return json;
}

Json json_of(const Comparison::HitUsers::Change& change) {
  return {{"user", label_number(change.user)},
          {"wait_change", change.wait},
          {"jobs", change.jobs}};
}

Json users_json(const Comparison& comparison) {
  auto users = Json::array();
  for (const auto& hit : comparison.users) {
    users.append({{"cell", cell_json(comparison, hit.cell)},
                  {"policy", hit.policy},
                  {"best", json_of(hit.best)},
                  {"worst", json_of(hit.worst)}});
  }
  return users;
}

}  // namespace

std::string as_csv(const Comparison& comparison) {
  const bool is_run = comparison.layout == Layout::kRun;
  std::string text;
  for (const auto& key : comparison.keys) text += csv_text(key) + ",";
  text += "metric,unit,better,policy,";
  text += is_run ? "value,n,best,improvement_percent,warning\n"
                 : "runs,n,mean,half_width,difference,difference_half_width,p_value,"
                   "improvement_percent,common_jobs,verdict,exploratory,comparisons,"
                   "load,warning\n";
  for (const auto& row : comparison.rows) {
    std::string cell;
    for (const auto& value : comparison.cells[row.cell]) cell += csv_text(value) + ",";
    for (const auto& entry : row.entries) {
      text += cell;
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", csv_text(row.metric),
                     row.unit, word(row.better), csv_text(entry.policy),
                     is_run ? run_fields(entry) : sweep_fields(comparison, row, entry));
    }
  }
  return text;
}

namespace {

void add_run(Json& json, const Comparison& comparison, Json rows) {
  json.add("load", comparison.loads.front());
  json.add("policies", comparison.policies);
  json.add("metrics", std::move(rows));
  if (comparison.fidelity.empty()) return;
  auto fidelity = Json::object();
  for (const auto& [label, one] : comparison.fidelity) {
    fidelity.add(label, fidelity_json(one));
  }
  json.add("fidelity", std::move(fidelity));
}

}  // namespace

std::string as_json(const Comparison& comparison) {
  auto rows = Json::array();
  for (const auto& row : comparison.rows) rows.append(row_json(comparison, row));
  Json json{{"format", 1}};
  if (comparison.layout == Layout::kRun) {
    add_run(json, comparison, std::move(rows));
  } else {
    json.add("replications", comparison.replications);
    json.add("intervals", comparison.basis);
    json.add("confidence", comparison.confidence);
    json.add("primary", comparison.primary.empty() ? Json() : Json(comparison.primary));
    json.add("comparisons", comparison.comparisons);
    json.add("metrics", rows);
    json.add("users", users_json(comparison));
  }
  json.add("notes", comparison.notes);
  return json.file_text();
}

}  // namespace berth
