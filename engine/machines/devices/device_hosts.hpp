#pragma once
// The hosts of a machine with devices, in their order, and what each of them has.
//
// Kinds        cpu in thousandths of a core, memory in KiB if a host has any, gpu in
//              parts of devices, further kinds on hosts, and machine-wide ones.
// Devices      are numbered from 0 on each host; here also through the whole machine.
// Source       Weng et al. 2023; docs/model.md#devices.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hosts/kinds.hpp"
#include "engine/machines/devices/device_settings.hpp"
#include "engine/machines/devices/device_speeds.hpp"
#include "engine/sim/machine.hpp"

namespace berth {

inline constexpr std::int32_t kUntyped = -1;

// A host, or as many like it as `amounts` counts, before it has a number.  What it has
// of cpu is among the resources of `amounts`.
struct DeviceHostRow {
  HostGroup amounts;
  std::string name{};  // empty: the group and a number
  std::string type{};  // of its devices; empty: it has none
  std::int64_t devices = 0;
  std::vector<std::int64_t> slices{};
};

// The rows of the file that the settings name and that has been read.
// Throws Error{kInput} "file:line:column: what".
[[nodiscard]] std::vector<DeviceHostRow> host_rows_from_file(
    const DeviceSettings& settings);

struct DeviceHost {
  std::string name{};
  std::int32_t type = kUntyped;  // of its devices
  std::int32_t first = 0;        // its first device, in the whole machine
  std::int32_t devices = 0;
  std::vector<std::int64_t> slices{};  // rising; empty: shares of any size
};

class DeviceHosts {
 public:
  // Throws Error{kInput} for what is wrong with groups or files.
  // REQUIRES: the files that the settings name have been read.
  DeviceHosts(const sim::Machine& machine, const DeviceSettings& settings,
              std::uint64_t seed);

  [[nodiscard]] std::span<const DeviceHost> hosts() const { return hosts_; }
  [[nodiscard]] const DeviceHost& host(std::int32_t number) const {
    return hosts_[static_cast<std::size_t>(number)];
  }
  // The number in the whole machine of a device of a host.
  [[nodiscard]] static std::size_t device(const DeviceHost& at, std::int32_t number) {
    return static_cast<std::size_t>(at.first) + static_cast<std::size_t>(number);
  }
  [[nodiscard]] std::int64_t parts() const { return parts_; }
  [[nodiscard]] std::int32_t devices() const { return devices_; }  // of all hosts
  [[nodiscard]] std::span<const std::string> types() const { return types_; }
  // nullopt: no host has devices of this type.
  [[nodiscard]] std::optional<std::int32_t> type_named(std::string_view name) const;

  [[nodiscard]] const DeviceSpeeds& speeds() const { return speeds_; }

  [[nodiscard]] std::span<const ResourceKind> kinds() const { return kinds_; }
  [[nodiscard]] std::size_t gpu() const { return gpu_; }  // the kind; cpu is 0
  // The amounts of the kinds, a group for each host.
  [[nodiscard]] const Resources& amounts() const { return amounts_; }
  [[nodiscard]] std::int64_t amount_on(std::int32_t host, std::size_t kind) const {
    return amount_of(amounts_.hosts[static_cast<std::size_t>(host)], kinds_[kind].name);
  }
  // The most that one host has.
  [[nodiscard]] std::int64_t largest(std::size_t kind) const { return largest_[kind]; }
  // The name of its group; of a host from a file its own name.
  [[nodiscard]] std::string_view group(std::int32_t host) const {
    return amounts_.hosts[static_cast<std::size_t>(host)].name;
  }
  // That may use it alone; nullopt: all may.
  [[nodiscard]] std::optional<std::int32_t> partition(std::int32_t host) const {
    return amounts_.hosts[static_cast<std::size_t>(host)].partition;
  }

  // The parts that a share of so many takes of a device there; 0: none suffices.
  [[nodiscard]] std::int64_t share_on(const DeviceHost& host, std::int64_t share) const;

 private:
  void number(const std::vector<DeviceHostRow>& rows);
  void add_kinds(const sim::Machine& machine);
  void add_kind(const std::string& name);
  [[nodiscard]] std::int32_t number_of_type(const std::string& name);

  std::vector<DeviceHost> hosts_;
  std::vector<std::string> types_;  // in the order in which hosts name them
  std::int64_t parts_ = kUsualParts;
  std::int32_t devices_ = 0;
  DeviceSpeeds speeds_;
  std::vector<ResourceKind> kinds_;
  std::size_t gpu_ = 0;
  std::vector<std::int64_t> largest_;  // by kind; 0 of machine-wide ones
  Resources amounts_;
};

// "250,500,1000" in parts; throws Error{kInput} for a list that is empty, does not rise
// or goes beyond the parts of a device.
[[nodiscard]] std::vector<std::int64_t> slices_from(std::string_view text,
                                                    std::int64_t parts);

}  // namespace berth
