#include <fmt/format.h>

#include <array>
#include <map>
#include <set>
#include <string>

#include "engine/base/amount.hpp"
#include "engine/base/column_formula.hpp"
#include "engine/base/error.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/jobs/label.hpp"
#include "engine/machines/devices/device_hosts.hpp"

namespace berth {

namespace {

enum HostField : std::size_t {
  kName,
  kCpuField,
  kMemory,
  kDevices,
  kType,
  kSlices,
  kPartition,
  kCount
};
constexpr std::array<std::string_view, 8> kFields{
    "name", "cpu", "memory", "devices", "type", "slices", "partition", "count"};
constexpr std::int64_t kMostOfRow = 10'000'000;

// What each field is in the columns of the file.
std::vector<ColumnFormula> formulas_of(const DeviceSettings& settings) {
  std::vector<ColumnFormula> all;
  all.reserve(kFields.size());
  for (const auto field : kFields) all.push_back({std::string(field)});
  for (const auto& [name, text] : settings.columns) {
    const auto at = std::find(kFields.begin(), kFields.end(), name);
    if (at == kFields.end()) {
      throw Error(ErrorCode::kInput,
                  fmt::format("machine.hosts_columns.{}: hosts have no such field{}",
                              printable(name), did_you_mean(name, kFields)));
    }
    try {
      all[static_cast<std::size_t>(at - kFields.begin())] = formula_from(text);
    } catch (const Error& error) {
      throw Error(ErrorCode::kInput, fmt::format("machine.hosts_columns.{}: {}",
                                                 printable(name), error.what()));
    }
  }
  return all;
}

class HostRows {
 public:
  explicit HostRows(const DeviceSettings& settings)
      : formulas_(formulas_of(settings)),
        table_(settings.hosts_file, lines_of(settings.hosts_text, budget_),
               columns(settings)) {}

  std::vector<DeviceHostRow> read() {
    std::vector<DeviceHostRow> rows;
    // Bounded: lines_of() charges each line.
    while (table_.next()) rows.push_back(row());
    if (rows.empty()) table_.wrong({1, 1}, "there is no host; write a line for each");
    return rows;
  }

 private:
  // Of the columns that the fields rest on, each once; those that are named must be
  // there, and cpu.
  std::vector<TableColumn> columns(const DeviceSettings& settings) {
    std::vector<TableColumn> all;
    const auto add = [&](const std::string& name, bool is_needed) {
      const auto [at, is_new] = places_.try_emplace(name, all.size());
      if (is_new) all.push_back({at->first, is_needed});
      all[at->second].is_needed |= is_needed;
    };
    for (std::size_t i = 0; i < kFields.size(); ++i) {
      const bool is_named = settings.columns.contains(std::string(kFields[i]));
      add(formulas_[i].column, is_named || i == kCpuField);
      if (!formulas_[i].minus.empty()) add(formulas_[i].minus, true);
    }
    return all;
  }

  [[nodiscard]] std::size_t column(HostField field) const {
    return places_.at(formulas_[field].column);
  }
  [[nodiscard]] std::string_view text(HostField field) const {
    return table_.text(column(field));
  }
  [[nodiscard]] double real(HostField field) const {
    if (text(field).empty()) return 0;
    const auto& formula = formulas_[field];
    auto value = table_.real(column(field));
    if (!formula.minus.empty()) value -= table_.real(places_.at(formula.minus));
    value = formula.of(value);
    if (value < 0) table_.wrong(column(field), fmt::format("{} is below 0", value));
    return value;
  }
  [[nodiscard]] std::int64_t whole(HostField field, std::int64_t least) const {
    const auto value = real(field);
    const auto number = static_cast<std::int64_t>(value);
    const bool is_right =
        static_cast<double>(number) == value && number >= least && number <= kMostOfRow;
    if (!is_right) {
      table_.wrong(column(field), fmt::format("{} is no whole number from {} to {}",
                                              value, least, kMostOfRow));
    }
    return number;
  }

  DeviceHostRow row() {
    DeviceHostRow row;
    row.name = text(kName);
    row.amounts.name = row.name.empty() ? "host" : row.name;
    row.amounts.count =
        text(kCount).empty() ? 1 : static_cast<std::int32_t>(whole(kCount, 1));
    const bool is_twice = !row.name.empty() && !names_.insert(row.name).second;
    if (is_twice) {
      table_.wrong(column(kName),
                   fmt::format("there is a host {} already", printable(row.name)));
    }
    if (row.amounts.count > 1) row.name.clear();
    constexpr double kMostCores = 1e9;
    const auto cores = real(kCpuField);
    if (cores > kMostCores) table_.wrong(column(kCpuField), "these are too many cores");
    row.amounts.resources = {{"cpu", whole_units(cores, kUnitsOfCore)}};
    constexpr double kMostGib = 4294967296.0;
    const auto gib = real(kMemory);
    if (gib > kMostGib) table_.wrong(column(kMemory), "this is too much memory");
    row.amounts.memory = kib_of(gib);
    if (!text(kPartition).empty()) {
      row.amounts.partition = label_code(whole(kPartition, 0));
    }
    read_devices(row);
    return row;
  }

  void read_devices(DeviceHostRow& row) {
    row.devices = whole(kDevices, 0);
    row.type = text(kType);
    if (row.devices > 0 && row.type.empty()) {
      table_.wrong(column(kDevices),
                   fmt::format("of which type are the {} devices? add a column type",
                               row.devices));
    }
    if (row.devices == 0) row.type.clear();
    if (text(kSlices).empty()) return;
    try {
      row.slices = slices_from(text(kSlices), kUsualParts);
    } catch (const Error& error) {
      table_.wrong(column(kSlices), error.what());
    }
  }

  Budget budget_;
  std::vector<ColumnFormula> formulas_;
  std::map<std::string, std::size_t> places_;  // of a column, in table_
  TableReader table_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<DeviceHostRow> host_rows_from_file(const DeviceSettings& settings) {
  return HostRows(settings).read();
}

}  // namespace berth
