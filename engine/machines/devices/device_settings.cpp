#include "engine/machines/devices/device_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/base/amount.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/setting_list.hpp"
#include "engine/machines/devices/device_hosts.hpp"

namespace berth {

namespace {

using GroupSetting = NamedSettingOf<DeviceSettings>;

constexpr Range kCores{0, 1e6};
constexpr std::int64_t kMostParts = 1'000'000;

template <class Named>
std::vector<std::string> keys_of(const Named& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& each : all) names.push_back(each.first);
  return names;
}

GroupSetting of_device_group(SettingOf<DeviceGroup> of) {
  const SettingShape& shape = of;
  return {shape, NameKind::kWord,
          [set = std::move(of.set)](DeviceSettings& own, std::string_view name,
                                    const SettingValue& value) {
            set(own.groups[std::string(name)], value);
          },
          [value = std::move(of.value)](
              const DeviceSettings& own,
              std::string_view name) -> std::optional<SettingValue> {
            const auto at = own.groups.find(std::string(name));
            return at == own.groups.end() ? std::nullopt : value(at->second);
          },
          [](const DeviceSettings& own) { return keys_of(own.groups); }};
}

GroupSetting of_column() {
  return {{"machine.hosts_columns",
           "*",
           SettingKind::kText,
           {},
           {},
           "which column of machine.hosts_file says this of a host: its name, a column "
           "or the product of two, * or / a number, or the difference of two"},
          NameKind::kWord,
          [](DeviceSettings& own, std::string_view name, const SettingValue& value) {
            own.columns[std::string(name)] = text_of(value);
          },
          [](const DeviceSettings& own,
             std::string_view name) -> std::optional<SettingValue> {
            const auto at = own.columns.find(std::string(name));
            if (at == own.columns.end()) return std::nullopt;
            return SettingValue(at->second);
          },
          [](const DeviceSettings& own) { return keys_of(own.columns); }};
}

// "70,100,130".
std::vector<std::int32_t> marks_from(std::string_view text) {
  constexpr std::int32_t kMostDemand = 100'000;
  std::vector<std::int32_t> marks;
  while (!text.empty()) {
    const auto part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    std::int32_t mark = 0;
    const auto* end = part.data() + part.size();
    const auto [at, code] = std::from_chars(part.data(), end, mark);
    const bool is_right =
        code == std::errc() && at == end && mark >= 0 && mark <= kMostDemand;
    if (!is_right) {
      throw Error(ErrorCode::kInput,
                  fmt::format("'{}' is not a whole number of per cent from 0 to {}",
                              printable(part), kMostDemand));
    }
    marks.push_back(mark);
  }
  return marks;
}

SettingOf<DeviceSettings> setting_of_marks() {
  return {{"metrics",
           "marks",
           SettingKind::kNames,
           {},
           {},
           "demand for devices in per cent of the machine, such as [70, 100], at which "
           "metrics such as gpu_allocation_at_70 tell what is held"},
          [](DeviceSettings& own, const SettingValue& value) {
            own.marks = marks_from(text_of(value));
          },
          [](const DeviceSettings& own) -> std::optional<SettingValue> {
            if (own.marks.empty()) return std::nullopt;
            return SettingValue(fmt::format("{}", fmt::join(own.marks, ",")));
          }};
}

}  // namespace

std::vector<SettingOf<DeviceSettings>> device_setting_records() {
  SettingList<DeviceSettings> list;
  list.section("machine");
  list.choice(
      "device_rule", {"best", "first", "worst"},
      "which device of a host a share gets: of those with enough parts left the "
      "one with least left, the lowest number, or most left",
      &DeviceSettings::rule);
  list.flag("shuffle_hosts",
            "whether hosts are numbered in an order drawn from the seed",
            &DeviceSettings::shuffles_hosts);
  auto& target = list.text(
      "fragmentation_target",
      "whose needs fragmentation counts: those of all jobs of the trace (default), of "
      "the jobs that have arrived so far, or of a CSV file: cpu, gpus, share, types, "
      "jobs",
      &DeviceSettings::target);
  target.kind = SettingKind::kInputFile;
  target.choices = {std::string(kTargetOfTrace), std::string(kTargetOfArrived)};
  list.real("fragmentation_cover", {0, 100, true},
            "fragmentation counts the most frequent needs of so many per cent of the "
            "jobs",
            &DeviceSettings::fragmentation_cover);
  list.add(setting_of_marks());
  list.text("speeds",
            "a CSV file of how fast jobs are: class, type, rate, the work per second "
            "of a job of the class on devices of the type; 0: it may not use them; "
            "open: 1",
            &DeviceSettings::speeds_file)
      .kind = SettingKind::kInputFile;
  list.choice("walltime_is", {"reference", "wall_clock"},
              "what a walltime is of where rates differ: of work at rate 1, so that a "
              "job is planned for walltime / rate and killed then, or of time, "
              "whatever the rate",
              &DeviceSettings::walltime_of);
  return list.take();
}

std::vector<GroupSetting> device_group_records() {
  SettingList<DeviceGroup> list;
  list.section("machine.hosts.*");
  list.add({{"machine.hosts.*", "cpu", SettingKind::kReal, kCores, {}, "cores of each"},
            [](DeviceGroup& group, const SettingValue& value) {
              group.cpu = whole_units(real_of(value), kUnitsOfCore);
            },
            [](const DeviceGroup& group) -> std::optional<SettingValue> {
              if (group.cpu == 0) return std::nullopt;
              return SettingValue(static_cast<double>(group.cpu) /
                                  static_cast<double>(kUnitsOfCore));
            }});
  list.section("machine.hosts.*.devices");
  list.text("type", "name of the type of the devices", &DeviceGroup::type);
  list.whole("count", {1, 10'000}, "devices of each host", &DeviceGroup::count);
  list.whole("parts", {1, static_cast<double>(kMostParts)},
             "parts of a device that jobs may share, the same on the whole machine",
             &DeviceGroup::parts);
  auto& slices = list.names(
      "slices",
      "sizes of a share, rising, such as [250, 500, 1000]: it takes the least "
      "that suffices; open: any size",
      &DeviceGroup::slices);
  slices.set = [keep = std::move(slices.set)](DeviceGroup& group,
                                              const SettingValue& value) {
    (void)slices_from(text_of(value), kMostParts);
    keep(group, value);
  };
  std::vector<GroupSetting> all{of_column()};
  static constexpr std::array<std::string_view, 5> kInCases{
      "hosts.*.cpu", "hosts.*.devices.type", "hosts.*.devices.count",
      "hosts.*.devices.parts", "hosts.*.devices.slices"};
  for (auto& each : list.take()) {
    each.aliases = {kInCases[all.size() - 1]};
    all.push_back(of_device_group(std::move(each)));
  }
  return all;
}

}  // namespace berth
