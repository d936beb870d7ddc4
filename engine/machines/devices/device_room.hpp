#pragma once
// What is free of each kind and on each device, and where chunks fit.
//
// Fits         As in HostRoom; besides, whole devices are idle ones of one host, and a
//              share is of one device that has as much left.
// Order        Hosts by ascending number, on each as many chunks as fit, chunk by
//              chunk: whole devices are the lowest idle numbers, a share gets its
//              device by the rule of the machine.
//
//   operation        time; d = devices of a host
//   room             O(kinds + d)
//   fits, spread     that for each host that has as much of each kind
//   take, give       O(chunks d)

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/hosts/host_room.hpp"
#include "engine/machines/devices/device_hosts.hpp"
#include "engine/machines/devices/device_needs.hpp"
#include "engine/machines/devices/device_places.hpp"

namespace berth {

// The device of a host for a share of `ask` parts; one with as many left.
using PickDevice = std::function<std::int32_t(
    std::int32_t host, std::span<const std::int64_t> left, std::int64_t ask)>;
[[nodiscard]] PickDevice pick_by(DeviceRule rule);

// The chunks on one host and their devices, of which so much is left.
// REQUIRES: they fit there.
[[nodiscard]] DevicePlaces places_on(const DeviceHosts& hosts, const DeviceNeed& need,
                                     const HostChunks& at,
                                     std::vector<std::int64_t> left,
                                     const PickDevice& pick);
// Chunks for which the devices of a host, of which so much is left, have room.
// REQUIRES: the need has devices, and may use their type.
[[nodiscard]] std::int64_t room_on_devices(const DeviceHosts& hosts,
                                           const DeviceNeed& need,
                                           const DeviceHost& host,
                                           std::span<const std::int64_t> left);

class DeviceRoom {
 public:
  // All is free.
  explicit DeviceRoom(std::shared_ptr<const DeviceHosts> hosts);

  // Sums over the devices of each host, gpu in idle parts.
  [[nodiscard]] const HostRoom& sums() const { return sums_; }
  [[nodiscard]] const DeviceHosts& hosts() const { return *hosts_; }
  // The idle parts of each device of a host.
  [[nodiscard]] std::span<const std::int64_t> left(std::int32_t host) const {
    const auto& at = hosts_->host(host);
    return std::span(left_).subspan(std::size_t(at.first), std::size_t(at.devices));
  }
  // Parts that one chunk takes of devices there; 0: none, or none suffices.
  [[nodiscard]] std::int64_t ask(const DeviceNeed& need, std::int32_t host) const;
  // The most that one device there, or for whole devices all idle ones, offer a chunk.
  [[nodiscard]] std::int64_t most_for(const DeviceNeed& need, std::int32_t host) const;
  // Chunks that fit there; 0 where type or partition may not go.
  [[nodiscard]] std::int64_t room(const DeviceNeed& need, std::int32_t host) const;
  [[nodiscard]] bool fits(const DeviceNeed& need, std::int32_t chunks) const;
  // As HostRoom::spread.
  [[nodiscard]] bool spread(const DeviceNeed& need, std::int32_t chunks,
                            std::vector<HostChunks>& onto) const;
  // The devices that so many chunks get on each host: whole ones are the lowest idle
  // ones, and a share gets that which `pick` names.  REQUIRES: they fit there.
  [[nodiscard]] DevicePlaces place(const DeviceNeed& need,
                                   std::span<const HostChunks> onto,
                                   const PickDevice& pick) const;
  // Whether these very devices can be taken: as many as the need asks for, and free.
  // Hosts that do not ascend are none.
  [[nodiscard]] bool has(const DeviceNeed& need, const DevicePlaces& chunks) const;

  // May leave less than nothing.
  void take(const DeviceNeed& need, const DevicePlaces& chunks) {
    change(need, chunks, -1);
  }
  void give(const DeviceNeed& need, const DevicePlaces& chunks) {
    change(need, chunks, 1);
  }

 private:
  template <class Put>
  bool lay_out(const DeviceNeed& need, std::int32_t chunks, const Put& put) const;
  void change(const DeviceNeed& need, const DevicePlaces& chunks, int sign);

  std::shared_ptr<const DeviceHosts> hosts_;
  HostRoom sums_;
  std::vector<std::int64_t> left_;  // by device of the whole machine
};

}  // namespace berth
