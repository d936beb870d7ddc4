#include "engine/machines/devices/device_profiles.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "engine/base/error.hpp"

namespace berth {

DeviceProfiles::DeviceProfiles(const Devices& machine, Time now, Budget& budget)
    : RoomProfiles(machine, now, budget),
      machine_(machine),
      budget_(budget),
      devices_(static_cast<std::size_t>(machine.hosts().devices()),
               Profile(now, machine.hosts().parts())) {
  budget_.charge_each(devices_.size());
}

void DeviceProfiles::come_to(Time now, CalendarTurn turn) {
  RoomProfiles::come_to(now, turn);
  budget_.charge_each(devices_.size());
  for (auto& each : devices_) turn_to(each, now, turn);
}

bool DeviceProfiles::is_overbooked(Time from, Time to) const {
  if (RoomProfiles::is_overbooked(from, to)) return true;
  budget_.charge_each(devices_.size());
  return std::any_of(devices_.begin(), devices_.end(),
                     [&](const Profile& each) { return each.least(from, to) < 0; });
}

std::vector<std::int64_t> DeviceProfiles::least_on(const DeviceHost& host, Time start,
                                                   Time end) const {
  std::vector<std::int64_t> left;
  left.reserve(static_cast<std::size_t>(host.devices));
  for (std::int32_t i = 0; i < host.devices; ++i) {
    left.push_back(devices_[DeviceHosts::device(host, i)].least(start, end));
  }
  return left;
}

std::int64_t DeviceProfiles::bound(JobId job, std::size_t number, Time start,
                                   Time end) const {
  const auto& wanted = need(job);
  if (wanted.gpus == 0) return std::numeric_limits<std::int64_t>::max();
  if (!wanted.allows(host(number).type)) return 0;
  const auto left = least_on(host(number), start, end);
  return room_on_devices(machine_.hosts(), wanted, host(number), left);
}

// It rises no earlier than some device has room for one share more, or comes idle.
std::optional<Time> DeviceProfiles::bound_rises(JobId job, std::size_t number,
                                                std::int64_t chunks, Duration length,
                                                Time start) const {
  const auto& wanted = need(job);
  const auto& at = host(number);
  if (wanted.gpus == 0) return start;
  const auto ask = wanted.share > 0 ? machine_.hosts().share_on(at, wanted.share)
                                    : machine_.hosts().parts();
  if (!wanted.allows(at.type) || ask == 0) return std::nullopt;
  const Time end = after(start, length);
  if (bound(job, number, start, end) > chunks) return start;
  std::optional<Time> first;
  for (std::int32_t i = 0; i < at.devices; ++i) {
    const auto& profile = devices_[DeviceHosts::device(at, i)];
    const auto now = std::max<std::int64_t>(0, profile.least(start, end)) / ask;
    if ((now + 1) * ask > machine_.hosts().parts()) continue;
    const auto rises = profile.earliest((now + 1) * ask, length, start);
    if (rises && (!first || *rises < *first)) first = rises;
  }
  return first;
}

bool DeviceProfiles::has_gained(JobId job, Time end) const {
  const auto& wanted = need(job);
  if (RoomProfiles::has_gained(job, end)) return true;
  const auto hosts = machine_.hosts().hosts();
  return wanted.gpus > 0 &&
         std::any_of(hosts.begin(), hosts.end(), [&](const auto& at) {
           return wanted.allows(at.type) && have_gained(at, wanted, end);
         });
}

// Whether a device of the host gained room for one share or more, or for a whole.
bool DeviceProfiles::have_gained(const DeviceHost& at, const DeviceNeed& wanted,
                                 Time end) const {
  budget_.charge_each(static_cast<std::size_t>(at.devices));
  const auto ask = wanted.share > 0 ? machine_.hosts().share_on(at, wanted.share)
                                    : machine_.hosts().parts();
  for (std::int32_t i = 0; ask > 0 && i < at.devices; ++i) {
    const auto& profile = devices_[DeviceHosts::device(at, i)];
    // Bounded: the shares that a device holds.
    for (auto sum = ask; sum <= profile.capacity(); sum += ask) {
      if (profile.has_gained(sum, end)) return true;
    }
  }
  return false;
}

void DeviceProfiles::name_place(JobId job, Time start, Time end) {
  RoomProfiles::name_place(job, start, end);
  DevicePlaces places;
  const auto pick = pick_by(machine_.rule());
  for (const auto& at : place_of(job)) {
    const auto& there = host(static_cast<std::size_t>(at.host));
    auto left = least_on(there, start, end);
    places.append(places_on(machine_.hosts(), need(job), at, std::move(left), pick));
  }
  places.processes = machine_.needs().processes(job);
  named_.insert(job, std::move(places));
}

void DeviceProfiles::add(JobId job, Time from, Time to, int sign) {
  RoomProfiles::add(job, from, to, sign);
  if (from >= to) return;
  const auto& places = named_.at(job);
  budget_.charge_each(1 + places.devices.size());
  each_chunk(places, [&](const DeviceChunk& chunk, std::span<const std::int32_t> own) {
    const auto taken = chunk.parts > 0 ? chunk.parts : machine_.hosts().parts();
    const auto& there = machine_.hosts().host(chunk.host);
    for (const auto device : own) {
      auto& profile = devices_[DeviceHosts::device(there, device)];
      sign > 0 ? profile.claim(taken, from, to) : profile.release(taken, from, to);
    }
  });
}

void DeviceProfiles::forget(JobId job) {
  RoomProfiles::forget(job);
  if (named_.contains(job)) (void)named_.take(job);
}

std::optional<Placement> DeviceProfiles::place_now(JobId job) const {
  const auto* places = named_.find(job);
  const bool has_room = places != nullptr && machine_.devices().has(need(job), *places);
  return has_room ? std::optional(placement_of(*places)) : std::nullopt;
}

bool DeviceProfiles::sits_as_named(JobId job) const {
  return named_.at(job) == machine_.places_of(job);
}

bool DeviceProfiles::settle(JobId job, Time from, Time to) {
  bool has_room = RoomProfiles::settle(job, from, to);
  named_.insert(job, machine_.places_of(job));
  if (from >= to) return has_room;
  std::map<std::size_t, std::int64_t> taken;  // by device of the whole machine
  const auto count = [&](const DeviceChunk& chunk, std::span<const std::int32_t> own) {
    const auto& there = machine_.hosts().host(chunk.host);
    const auto parts = chunk.parts > 0 ? chunk.parts : machine_.hosts().parts();
    for (const auto device : own) taken[DeviceHosts::device(there, device)] += parts;
  };
  each_chunk(named_.at(job), count);
  for (const auto& [device, parts] : taken) {
    const auto& profile = devices_[device];
    has_room = has_room && profile.least(from, to) >= parts;
  }
  return has_room;
}

}  // namespace berth
