#pragma once
// Hosts with devices: no device has more parts taken than it has (D1); whole devices
// are one job's, all of a chunk on one host (D2); a share is of one device, as large as
// the machine makes it (D3); types, partitions and slices are those of the hosts (D4);
// no kind is overdrawn on a host or in all, and every job has its chunks (D5); a job
// is as fast as its slowest chunk, and ends when its work is its length (D6); the
// fragmentation that the machine keeps is that of the idle parts there are (D7).
//
// Everything is counted here anew, device by device, from lists of who has what.
//
// Cost         O(jobs on the hosts of the job) a start, O(hosts, devices and jobs on
//              them) a question of what fits.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/audit/law.hpp"
#include "engine/base/job_map.hpp"
#include "engine/machines/devices/device_hosts.hpp"
#include "engine/machines/devices/device_needs.hpp"
#include "engine/machines/devices/device_places.hpp"
#include "engine/machines/devices/fragmentation.hpp"

namespace berth::audit {

inline constexpr Rule kDeviceParts{"D1", "parts of a device"};
inline constexpr Rule kWholeDevices{"D2", "whole devices"};
inline constexpr Rule kDeviceShares{"D3", "shares of a device"};
inline constexpr Rule kHostsAllowed{"D4", "types and partitions"};
inline constexpr Rule kHostAmounts{"D5", "amounts of hosts"};
inline constexpr Rule kDeviceSpeeds{"D6", "speeds"};
inline constexpr Rule kFragmentation{"D7", "fragmentation"};

class DevicesLaw final : public Law, public FitLaw {
 public:
  DevicesLaw(std::shared_ptr<const DeviceHosts> hosts,
             std::shared_ptr<const DeviceNeeds> needs, const DeviceSettings& settings);

  void arrive(JobId job) override;
  [[nodiscard]] Verdict note(const sim::MachineRecord& record) override;
  [[nodiscard]] bool tells_expected_fit() const override { return true; }
  [[nodiscard]] bool never_fits(JobId job) override;
  [[nodiscard]] bool fits_without(JobId job, std::span<const JobId> gone) override;
  [[nodiscard]] Verdict start(JobId job, const Placement* placement,
                              bool resumed) override;
  void leave(JobId job) override;
  void freeze(JobId job, bool frozen) override;
  [[nodiscard]] double rate(JobId job) const override {
    return held_.at(job).frozen ? 0.0 : speed(job);
  }
  [[nodiscard]] double speed(JobId job) const override;
  [[nodiscard]] bool is_placed(JobId job) const override { return held_.contains(job); }
  [[nodiscard]] std::int64_t used() const override;

 private:
  // Who has so many parts of a device.
  struct PartsOfJob {
    JobId job;
    std::int64_t parts;
  };
  struct CountedHost {
    std::int32_t chunks = 0;          // of all jobs
    std::vector<std::int64_t> free;   // by kind; 0 for machine-wide ones
    std::vector<std::int64_t> whole;  // likewise, when it is empty
    std::vector<std::vector<PartsOfJob>> devices;
  };
  struct PlacedJob {
    DevicePlaces chunks;
    bool frozen = false;
  };
  using Numbers = std::span<const std::int32_t>;

  [[nodiscard]] Verdict judge(JobId job, const DevicePlaces& chunks);
  [[nodiscard]] Verdict judge_host(JobId job, std::int32_t number) const;
  [[nodiscard]] Verdict judge_devices(JobId job, const DeviceChunk& chunk,
                                      Numbers devices);
  [[nodiscard]] Verdict judge_amounts(const DevicePlaces& chunks);
  // A fault whose words are kept.
  [[nodiscard]] Verdict fault(const Rule& rule, std::string what);
  void count(JobId job, const DevicePlaces& chunks, int sign);
  static void count_parts(const PartsOfJob& parts, int sign,
                          std::vector<PartsOfJob>& on);
  [[nodiscard]] bool has_room(JobId job, bool when_empty);
  [[nodiscard]] std::int64_t room(JobId job, std::size_t host, bool when_empty) const;
  [[nodiscard]] std::int64_t left(const std::vector<PartsOfJob>& claims) const;
  [[nodiscard]] FragmentationTarget& target();
  [[nodiscard]] std::int64_t fragments(std::size_t host, const Fragmentation& of) const;
  [[nodiscard]] CountedHost& at(std::int32_t host) {
    return hosts_[static_cast<std::size_t>(host)];
  }

  std::shared_ptr<const DeviceHosts> machine_;
  std::shared_ptr<const DeviceNeeds> needs_;
  DeviceSettings settings_;
  std::unique_ptr<FragmentationTarget> target_;  // null: nothing was told of it
  std::vector<CountedHost> hosts_;
  std::vector<std::int64_t> free_;  // of the whole machine, by kind
  JobMap<PlacedJob> held_;          // of running jobs
  std::string what_;                // the last fault, in words
};

}  // namespace berth::audit
