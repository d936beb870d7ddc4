#pragma once
// Settings of packing studies: which instances, and how packers work.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/setting.hpp"
#include "engine/machines/fractional/pack/generator.hpp"
#include "engine/machines/fractional/packer.hpp"

namespace berth {

// What a packer loses on an instance that others solve and it does not.
enum class FailedDegradation : std::uint8_t { kWhole, kLeftOut };

struct PackingSettings {
  std::string file;  // of instances; empty: drawn
  pack::InstanceSettings drawn;
  std::int64_t instances = 10;  // drawn for each seed
  pack::PackingRules rules;
  FailedDegradation failed_degradation = FailedDegradation::kWhole;
  bool more_metrics = false;
};

// The scenario keys: [packing].
[[nodiscard]] std::vector<SettingOf<PackingSettings>> packing_setting_records();

}  // namespace berth
