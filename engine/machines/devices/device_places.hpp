#pragma once
// The placement of a job on hosts with devices.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/placement.hpp"

namespace berth {

struct DeviceChunk {
  std::int32_t host;
  std::int32_t devices = 0;  // as many of `devices`, behind those of earlier chunks
  std::int64_t parts = 0;    // of its one device; 0: whole devices, or none
  friend bool operator==(const DeviceChunk&, const DeviceChunk&) = default;
};

// The chunks of a job, by host, each with its devices.
struct DevicePlaces final : Placement::FormOf<DevicePlaces> {
  DevicePlaces() = default;
  // `asked`: the processes of the job.
  explicit DevicePlaces(std::int32_t asked) : processes(asked) {}

  [[nodiscard]] std::int64_t parts(const IntervalSet&) const override {
    return processes;
  }
  // "devices": its devices_text().
  void columns(FieldWriter& to) const override;
  // "12:0-1+3 14:5*460 7": devices 0, 1 and 3 of host 12, 460 parts of device 5 of host
  // 14, and host 7 without a device.
  [[nodiscard]] std::string devices_text() const;
  // Adds those chunks behind its own.
  void append(const DevicePlaces& more) {
    chunks.insert(chunks.end(), more.chunks.begin(), more.chunks.end());
    devices.insert(devices.end(), more.devices.begin(), more.devices.end());
  }
  friend bool operator==(const DevicePlaces&, const DevicePlaces&) = default;

  std::int64_t processes = 0;
  std::vector<DeviceChunk> chunks;
  std::vector<std::int32_t> devices;  // numbers on their hosts, ascending in a chunk
};

// Calls back with each chunk and its devices.
template <class Call>
void each_chunk(const DevicePlaces& all, const Call& call) {
  std::span<const std::int32_t> left(all.devices);
  for (const auto& chunk : all.chunks) {
    const auto own = static_cast<std::size_t>(chunk.devices);
    call(chunk, left.first(own));
    left = left.subspan(own);
  }
}

[[nodiscard]] Placement placement_of(DevicePlaces chunks);

// The chunks of such a text; nullopt: it is none.  Numbers may be those of no host or
// device, and any chunk may have any devices, one of them twice; they are sorted.
[[nodiscard]] std::optional<DevicePlaces> device_places_from(std::string_view text);

}  // namespace berth
