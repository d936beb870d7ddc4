#pragma once
// How fast jobs of each class are on devices of each type.
//
// Source       machine.speeds, a CSV file with a row for each class and type whose rate
//              is not 1; docs/model.md#devices.

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hosts/speeds.hpp"
#include "engine/machines/devices/device_settings.hpp"

namespace berth {

class DeviceSpeeds {
 public:
  // None: every rate is 1.
  DeviceSpeeds() = default;
  // Reads the text of the file that the settings name, for these types of devices.
  // Throws Error{kInput} "file:line:column: what".
  DeviceSpeeds(const DeviceSettings& settings, std::span<const std::string> types);

  [[nodiscard]] bool empty() const { return rates_.empty(); }
  [[nodiscard]] WalltimeOf walltime_of() const { return walltime_of_; }
  // Work per tick, by type; 0: the class may not use it.  Empty: 1 on all.
  [[nodiscard]] const std::vector<double>& of(std::string_view job_class) const;
  // The classes of the file, in the order of their names.
  [[nodiscard]] std::vector<std::string_view> classes() const;

 private:
  std::map<std::string, std::vector<double>, std::less<>> rates_;  // by class
  WalltimeOf walltime_of_ = WalltimeOf::kWork;
};

}  // namespace berth
