#include <fmt/format.h>

#include <array>
#include <set>
#include <string>

#include "engine/base/amount.hpp"
#include "engine/base/error.hpp"
#include "engine/base/mapped_table.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/printable.hpp"
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

std::vector<MappedTable::Field> host_fields() {
  std::vector<MappedTable::Field> all;
  all.reserve(kFields.size());
  for (const auto name : kFields) all.emplace_back(name, name == "cpu");
  return all;
}

class HostRows {
 public:
  explicit HostRows(const DeviceSettings& settings)
      : table_(settings.hosts_file, lines_of(settings.hosts_text, budget_),
               host_fields(), {"machine.hosts_columns", settings.columns}) {}

  std::vector<DeviceHostRow> read() {
    std::vector<DeviceHostRow> rows;
    // Bounded: lines_of() charges each line.
    while (table_.next()) rows.push_back(row());
    if (rows.empty())
      table_.table().wrong({1, 1}, "there is no host; write a line for each");
    return rows;
  }

 private:
  [[nodiscard]] std::string_view text(HostField field) const {
    return table_.text(field);
  }
  [[nodiscard]] double real(HostField field) const {
    if (text(field).empty()) return 0;
    const auto value = table_.real(field);
    if (value < 0) table_.wrong(field, fmt::format("{} is below 0", value));
    return value;
  }
  [[nodiscard]] std::int64_t whole(HostField field, std::int64_t least) const {
    return text(field).empty() ? 0 : table_.whole(field, least, kMostOfRow);
  }

  DeviceHostRow row() {
    DeviceHostRow row;
    row.name = text(kName);
    row.amounts.name = row.name.empty() ? "host" : row.name;
    row.amounts.count =
        text(kCount).empty() ? 1 : static_cast<std::int32_t>(whole(kCount, 1));
    const bool is_twice = !row.name.empty() && !names_.insert(row.name).second;
    if (is_twice) {
      table_.wrong(kName,
                   fmt::format("there is a host {} already", printable(row.name)));
    }
    if (row.amounts.count > 1) row.name.clear();
    constexpr double kMostCores = 1e9;
    const auto cores = real(kCpuField);
    if (cores > kMostCores) table_.wrong(kCpuField, "these are too many cores");
    row.amounts.resources = {{"cpu", whole_units(cores, kUnitsOfCore)}};
    constexpr double kMostGib = 4294967296.0;
    const auto gib = real(kMemory);
    if (gib > kMostGib) table_.wrong(kMemory, "this is too much memory");
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
      table_.wrong(kDevices,
                   fmt::format("of which type are the {} devices? add a column type",
                               row.devices));
    }
    if (row.devices == 0) row.type.clear();
    if (text(kSlices).empty()) return;
    try {
      row.slices = slices_from(text(kSlices), kUsualParts);
    } catch (const Error& error) {
      table_.wrong(kSlices, error.what());
    }
  }

  Budget budget_;
  MappedTable table_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<DeviceHostRow> host_rows_from_file(const DeviceSettings& settings) {
  return HostRows(settings).read();
}

}  // namespace berth
