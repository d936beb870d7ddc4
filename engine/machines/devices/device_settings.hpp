#pragma once
// Settings of a machine whose hosts have devices: how many of which type, in how many
// parts, and by which rule a share gets one.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/setting.hpp"
#include "engine/hosts/speeds.hpp"

namespace berth {

// Which of the devices with enough parts left a share gets; ties: the lowest number.
enum class DeviceRule : std::uint8_t {
  kBest,   // the least left
  kFirst,  // the lowest number
  kWorst,  // the most left
};

inline constexpr std::int64_t kUsualParts = 1000;
inline constexpr std::int64_t kUnitsOfCore = 1000;

// What the hosts of one group have besides memory and further kinds.
struct DeviceGroup {
  std::int64_t cpu = 0;                 // thousandths of a core
  std::string type{};                   // of the devices; empty: there are none
  std::optional<std::int64_t> count{};  // of the devices of each host
  std::optional<std::int64_t> parts{};  // of each device; open: kUsualParts
  std::string slices{};                 // "250,500,1000"; empty: shares of any size
};

// Of fragmentation: the jobs of the trace, as where nothing is said, or those that have
// arrived.
inline constexpr std::string_view kTargetOfTrace = "trace";
inline constexpr std::string_view kTargetOfArrived = "arrived";

struct DeviceSettings {
  DeviceRule rule = DeviceRule::kBest;
  std::map<std::string, DeviceGroup> groups{};   // by name
  std::string hosts_file{};                      // instead of groups
  std::map<std::string, std::string> columns{};  // what the columns of the file are
  bool shuffles_hosts = false;
  double fragmentation_cover = 95;    // per cent of the jobs, for the target
  std::string target{};               // of fragmentation: a file, or one of these words
  std::vector<std::int32_t> marks{};  // of demand in per cent, that have metrics
  std::string speeds_file{};          // empty: every job is as fast on all devices
  WalltimeOf walltime_of = WalltimeOf::kWork;
  [[nodiscard]] bool names_target_file() const {
    return !target.empty() && target != kTargetOfTrace && target != kTargetOfArrived;
  }
  // What the files say, which is here once they are read.
  std::string hosts_text{};
  std::string target_text{};
  std::string speeds_text{};
};

// The scenario keys of the model: those of [machine], and of each group of hosts.
[[nodiscard]] std::vector<SettingOf<DeviceSettings>> device_setting_records();
[[nodiscard]] std::vector<NamedSettingOf<DeviceSettings>> device_group_records();

}  // namespace berth
