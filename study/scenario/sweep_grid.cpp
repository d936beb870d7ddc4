#include "study/scenario/sweep_grid.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "engine/base/error.hpp"
#include "study/common/folder_name.hpp"
#include "study/scenario/settings_door.hpp"

namespace berth::study {

namespace {

// The number that an axis of this key counts.
std::size_t SweepGrid::Where::*count_for(std::string_view key) {
  if (key == "seed" || key == "workload.window") return &SweepGrid::Where::replication;
  if (key.starts_with("policies.")) return &SweepGrid::Where::variant;
  return &SweepGrid::Where::cell;
}

std::string shown(const std::string& key, const std::string& value) {
  if (key != "workload.trace") return value;
  return std::filesystem::path(value).filename().string();
}

}  // namespace

SweepGrid::SweepGrid(const Scenario& scenario) : scenario_(scenario) {
  for (const auto& axis : scenario.sweep) {
    size_ *= axis.values.size();
    sizes_.*count_for(axis.key) *= axis.values.size();
  }
}

SweepGrid::Where SweepGrid::where(std::size_t number) const {
  Where where;
  const auto at = places(number);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto& axis = scenario_.sweep[i];
    auto& count = where.*count_for(axis.key);
    count = count * axis.values.size() + at[i];
  }
  return where;
}

std::vector<std::size_t> SweepGrid::places(std::size_t number) const {
  BERTH_ASSERT(number < size_);
  const auto& axes = scenario_.sweep;
  std::vector<std::size_t> places(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    places[i] = number % axes[i].values.size();
    number /= axes[i].values.size();
  }
  return places;
}

PointSettings SweepGrid::settings(std::size_t number) const {
  PointSettings settings;
  const auto at = places(number);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto& [key, values] = scenario_.sweep[i];
    settings.emplace_back(key, shown(key, values[at[i]]));
  }
  return settings;
}

std::string SweepGrid::name(std::size_t number) const {
  auto name = fmt::format("{:04}", number + 1);
  char between = '-';
  for (const auto& [key, value] : settings(number)) {
    name += fmt::format("{}{}={}", between, key, value);
    between = ',';
  }
  return folder_name(name);
}

SweepPoint SweepGrid::point(std::size_t number) const {
  SweepPoint point{number, name(number), settings(number), scenario_};
  point.scenario.sweep.clear();
  const auto at = places(number);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto& [key, values] = scenario_.sweep[i];
    override_setting(point.scenario, key + "=" + values[at[i]]);
  }
  return point;
}

PointSettings SweepGrid::cell_settings(std::size_t number) const {
  auto settings = this->settings(number);
  std::erase_if(settings, [](const auto& setting) {
    return count_for(setting.first) != &Where::cell;
  });
  return settings;
}

std::string point_text(const PointSettings& settings) {
  std::string text;
  for (const auto& [key, value] : settings) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, value);
  }
  return text;
}

}  // namespace berth::study
