#include "engine/machines/devices/device_outlook.hpp"

namespace berth {

bool DeviceOutlook::fits_beside(JobId candidate, const Demand& demand,
                                const Placement* there) {
  const auto now = machine_.choose(candidate, demand, nullptr);
  if (there == nullptr && !now) return false;
  const auto& places =
      *(there != nullptr ? *there : now.value()).form_if<DevicePlaces>();
  room_.take(need(candidate), places);
  const bool does_fit = fits();
  room_.give(need(candidate), places);
  return does_fit;
}

std::optional<std::int64_t> DeviceOutlook::spare(std::size_t kind) const {
  if (machine_.kinds()[kind].is_on_hosts) return std::nullopt;
  return room_.sums().free(kind) - need(job_).amounts[kind];
}

std::optional<Shortage> DeviceOutlook::shortage(JobId candidate) const {
  const auto kinds = machine_.kinds();
  // Bounded: at most 16 kinds.
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const auto left = spare(kind);
    const auto needed = machine_.need_in_all(candidate, kind);
    if (left && needed > *left) return Shortage{needed, *left, kinds[kind].name};
  }
  return std::nullopt;
}

}  // namespace berth
