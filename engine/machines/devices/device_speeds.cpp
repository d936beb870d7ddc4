#include "engine/machines/devices/device_speeds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/base/table_reader.hpp"

namespace berth {

namespace {

enum SpeedCell : std::size_t { kClassCell, kTypeCell, kRateCell };
constexpr double kMostRate = 1000;

class SpeedRows {
 public:
  SpeedRows(const DeviceSettings& settings, std::span<const std::string> types)
      : types_(types.begin(), types.end()),
        table_(settings.speeds_file, lines_of(settings.speeds_text, budget_),
               {{"class"}, {"type"}, {"rate"}}) {}

  bool next() { return table_.next(); }
  [[nodiscard]] std::string job_class() const {
    const auto text = table_.text(kClassCell);
    if (text.empty()) table_.wrong(kClassCell, "of which class is the rate?");
    return std::string(text);
  }
  [[nodiscard]] std::size_t type() const {
    const auto text = table_.text(kTypeCell);
    const auto at = std::find(types_.begin(), types_.end(), text);
    if (at != types_.end()) return static_cast<std::size_t>(at - types_.begin());
    table_.wrong(kTypeCell,
                 fmt::format("class {}: no host has devices of type '{}'{}; there are "
                             "{}",
                             printable(table_.text(kClassCell)), printable(text),
                             did_you_mean(text, types_), fmt::join(types_, ", ")));
  }
  [[nodiscard]] double rate() const {
    const auto rate = table_.real(kRateCell);
    if (rate >= 0 && rate <= kMostRate) return rate;
    table_.wrong(kRateCell, fmt::format("class {} on {}: {} is not from 0 to {}",
                                        printable(table_.text(kClassCell)),
                                        printable(table_.text(kTypeCell)),
                                        table_.text(kRateCell), kMostRate));
  }
  void require_new() {
    const auto job_class = table_.text(kClassCell);
    const auto type = table_.text(kTypeCell);
    if (pairs_.emplace(job_class, type).second) return;
    table_.wrong(kClassCell, fmt::format("class {} has a rate on {} already",
                                         printable(job_class), printable(type)));
  }

 private:
  Budget budget_;
  std::vector<std::string_view> types_;
  TableReader table_;
  std::set<std::pair<std::string, std::string>> pairs_;
};

}  // namespace

DeviceSpeeds::DeviceSpeeds(const DeviceSettings& settings,
                           std::span<const std::string> types)
    : walltime_of_(settings.walltime_of) {
  if (settings.speeds_file.empty()) return;
  SpeedRows rows(settings, types);
  // Bounded: lines_of() charges each line.
  while (rows.next()) {
    const auto job_class = rows.job_class();
    const auto type = rows.type();
    const auto rate = rows.rate();
    rows.require_new();
    auto& rates = rates_.try_emplace(job_class, types.size(), 1.0).first->second;
    rates[type] = rate;
  }
}

const std::vector<double>& DeviceSpeeds::of(std::string_view job_class) const {
  static const std::vector<double> kAllOne;
  const auto at = rates_.find(job_class);
  return at == rates_.end() ? kAllOne : at->second;
}

std::vector<std::string_view> DeviceSpeeds::classes() const {
  std::vector<std::string_view> names;
  names.reserve(rates_.size());
  for (const auto& each : rates_) names.emplace_back(each.first);
  return names;
}

}  // namespace berth
