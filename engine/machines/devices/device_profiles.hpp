#pragma once
// What is free over time on each device: a reservation names its devices, by the rule
// of the machine on what is free of them all the time.
//
// Cost         As of RoomProfiles, over the devices of the hosts, too.

#include <optional>
#include <vector>

#include "engine/machines/devices/devices.hpp"
#include "engine/reserve/room_profiles.hpp"

namespace berth {

class DeviceProfiles final : public RoomProfiles {
 public:
  // REQUIRES: machine and budget outlive it.
  DeviceProfiles(const Devices& machine, Time now, Budget& budget);

  void come_to(Time now, CalendarTurn turn) override;
  [[nodiscard]] bool is_overbooked(Time from, Time to) const override;
  [[nodiscard]] bool has_gained(JobId job, Time end) const override;
  void name_place(JobId job, Time start, Time end) override;
  void add(JobId job, Time from, Time to, int sign) override;
  void forget(JobId job) override;
  [[nodiscard]] std::optional<Placement> place_now(JobId job) const override;
  [[nodiscard]] bool sits_as_named(JobId job) const override;
  bool settle(JobId job, Time from, Time to) override;

 private:
  [[nodiscard]] std::int64_t bound(JobId job, std::size_t host, Time start,
                                   Time end) const override;
  [[nodiscard]] std::optional<Time> bound_rises(JobId job, std::size_t host,
                                                std::int64_t chunks, Duration length,
                                                Time start) const override;
  [[nodiscard]] bool have_gained(const DeviceHost& at, const DeviceNeed& wanted,
                                 Time end) const;
  [[nodiscard]] std::vector<std::int64_t> least_on(const DeviceHost& host, Time start,
                                                   Time end) const;
  [[nodiscard]] const DeviceNeed& need(JobId job) const {
    return machine_.needs().of(job);
  }
  [[nodiscard]] const DeviceHost& host(std::size_t number) const {
    return machine_.hosts().hosts()[number];
  }

  const Devices& machine_;
  Budget& budget_;
  std::vector<Profile> devices_;  // of the whole machine
  JobMap<DevicePlaces> named_;    // the devices of each job that has a place
};

}  // namespace berth
