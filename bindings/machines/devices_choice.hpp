#pragma once
// hosts:choose on a machine with devices: the hosts of a job by a weight, and the
// devices there.

#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <optional>
#include <span>

#include "engine/machines/devices/best_host.hpp"

namespace berth::bindings::device_calls {

inline constexpr std::int32_t kByRule = BestHost::kByRule;

// Chunks on a host, the first with this device.
struct HostSeat {
  HostChunks at;
  std::int32_t device = kByRule;
};

// Raises "this machine has no devices" elsewhere.
[[nodiscard]] const Devices& machine_with_devices(lua_State* lua);

// hosts:choose(job[, rule]).
int choose(lua_State* lua);

// It says what a script's call is about: a share of this job on the host.
struct DeviceArgument {
  const char* call;
  JobId job;
  std::int32_t host;
};

// The device at this stack index, which has room for the share; kByRule: there is no
// argument.  Raises for another value, and for a need of whole devices.
[[nodiscard]] std::int32_t read_device(lua_State* lua, int at,
                                       const DeviceArgument& of);

// Keeps the placement of these chunks and pushes it; devices that are not named by
// `rule`, nullopt: at random.  REQUIRES: they fit.
int push_choice(lua_State* lua, JobId job, std::span<const HostSeat> seats,
                std::optional<DeviceRule> rule);

[[nodiscard]] std::shared_ptr<void> new_devices_state();

}  // namespace berth::bindings::device_calls
