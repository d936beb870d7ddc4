#pragma once
// `devices`: hosts with cores, memory and devices such as GPUs.  A job is equal chunks,
// each whole on one host, with whole devices or a share of one; several jobs may be on
// one host, and on one device.
//
// Unit         The host: idle() counts those without a job.  A job has as many chunks
//              as its needs say, whatever processes the trace gives it.
// Cost         Of all questions that of DeviceRoom; a start and an end besides O(jobs
//              on the host) for each host of the job.
// Source       Weng et al. 2023; docs/model.md#devices.

#include <boost/container/flat_set.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/job_map.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/hosts/speeds.hpp"
#include "engine/machines/devices/fragmentation.hpp"
#include "engine/reserve/host_profiles.hpp"
#include "engine/sim/machine_events.hpp"

namespace berth {

class Devices final : public SharingModel,
                      public SeveralKinds,
                      public HasHostProfiles,
                      public sim::MachineEvents,
                      private Reasons,
                      private Speeds {
 public:
  // REQUIRES: `needs` knows every job that the functions name.
  Devices(std::shared_ptr<const DeviceHosts> hosts,
          std::shared_ptr<const DeviceNeeds> needs, DeviceSettings settings);

  // kTooBig: the empty machine has no room for its chunks.
  std::optional<Refusal> arrive(JobId job, const Demand& demand) override;
  // `where`: a set of hosts to keep to, or the devices themselves.
  [[nodiscard]] Result<Placement, Refusal> choose(
      JobId job, const Demand& demand, const Placement* where) const override;
  [[nodiscard]] bool fits(JobId job, const Demand&) const override {
    return room_.fits(need_of(job), needs_->chunks(job));
  }
  [[nodiscard]] std::unique_ptr<Outlook> outlook(JobId job,
                                                 const Demand&) const override;
  [[nodiscard]] std::unique_ptr<HostProfiles> host_profiles(
      Time now, Budget& budget) const override;
  void leave(JobId job, Affected&) override;
  void freeze(JobId job, Frozen frozen, Affected& affected) override;
  [[nodiscard]] double rate(JobId job) const override;
  [[nodiscard]] const Placement& placement(JobId job) const override {
    return held_.at(job).placement;
  }

  [[nodiscard]] std::span<const ResourceKind> kinds() const override {
    return hosts_->kinds();
  }
  [[nodiscard]] Need need(JobId job) const override { return needs_->plain(job); }
  [[nodiscard]] const HostRoom& room() const override { return room_.sums(); }
  [[nodiscard]] std::int64_t room_on(JobId job, std::int32_t host) const override {
    return room_.room(need_of(job), host);
  }
  [[nodiscard]] bool spread(JobId job, std::vector<HostChunks>& onto) const override {
    return room_.spread(need_of(job), needs_->chunks(job), onto);
  }
  [[nodiscard]] std::span<const HostChunks> hosts_of(JobId job) const override {
    return held_.at(job).hosts;
  }
  [[nodiscard]] Placement place(JobId job,
                                std::span<const HostChunks> onto) const override {
    return place(job, onto, pick_by(settings_.rule));
  }
  [[nodiscard]] std::vector<HostChunks> chunks_of(
      JobId job, const Placement& placement) const override;
  [[nodiscard]] std::int64_t size_on(std::int32_t host,
                                     std::size_t kind) const override {
    return hosts_->amount_on(host, kind);
  }
  [[nodiscard]] std::string_view group(std::int32_t host) const override {
    return hosts_->group(host);
  }

  // The same with devices of shares that are picked otherwise.
  [[nodiscard]] Placement place(JobId job, std::span<const HostChunks> onto,
                                const PickDevice& pick) const;
  // Where a running job sits.  Valid until it leaves.
  [[nodiscard]] const DevicePlaces& places_of(JobId job) const {
    return held_.at(job).chunks();
  }
  [[nodiscard]] const DeviceHosts& hosts() const { return *hosts_; }
  [[nodiscard]] const DeviceNeeds& needs() const { return *needs_; }
  [[nodiscard]] const DeviceRoom& devices() const { return room_; }
  // Of no other model of this process.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] DeviceRule rule() const { return settings_.rule; }
  // Running jobs with a chunk there, in the order of their numbers.
  [[nodiscard]] std::span<const JobId> jobs_on(std::int32_t host) const {
    return jobs_on_[static_cast<std::size_t>(host)];
  }
  // Cost of the first call: that of making the target, unless it is of arrivals.
  [[nodiscard]] const Fragmentation& fragmentation() const;
  // Of a host, and of all together, in parts.
  [[nodiscard]] double fragmentation_on(std::int32_t host) const;
  [[nodiscard]] double fragmentation_now() const;
  // That of all together, if it is kept.
  [[nodiscard]] std::unique_ptr<const MachineFact> tell() const override;
  // How often something on this host has changed, the target of fragmentation included.
  [[nodiscard]] std::uint64_t changes_on(std::int32_t host) const {
    return changes_[static_cast<std::size_t>(host)];
  }
  // Changes of all hosts so far.
  [[nodiscard]] std::uint64_t changes() const { return first_kept_ + changed_.size(); }
  // The hosts of those behind the first so many, one entry a change; nullopt: that is
  // too long ago, and any may have changed.  Valid until the next change.
  [[nodiscard]] std::optional<std::span<const std::int32_t>> changed_since(
      std::uint64_t before) const;

 private:
  struct HeldDevices {
    Placement placement;
    std::vector<HostChunks> hosts;
    double speed = 1;
    [[nodiscard]] const DevicePlaces& chunks() const {
      return *placement.form_if<DevicePlaces>();
    }
  };

  [[nodiscard]] const DeviceNeed& need_of(JobId job) const { return needs_->of(job); }
  [[nodiscard]] Refusal unfit(JobId job, const Demand&) const override;
  [[nodiscard]] Shortage shortage(JobId job, const Demand&) const override;
  [[nodiscard]] double speed(JobId job, const Placement* there) const override;
  [[nodiscard]] WalltimeOf walltime_of() const override {
    return settings_.walltime_of;
  }
  [[nodiscard]] std::int64_t fragments() const;
  void note_change(std::int32_t host);
  void note_all_changed();
  void put(JobId job, const Demand& demand, const Placement* placement,
           Affected&) override;
  [[nodiscard]] std::vector<HostChunks> kept_to(JobId job,
                                                const IntervalSet& hosts) const;

  std::shared_ptr<const DeviceHosts> hosts_;
  std::shared_ptr<const DeviceNeeds> needs_;
  DeviceSettings settings_;
  std::uint64_t number_;
  DeviceRoom room_;
  DeviceRoom empty_;
  JobMap<HeldDevices> held_;
  boost::container::flat_set<JobId> frozen_;
  std::vector<std::vector<JobId>> jobs_on_;              // by host, each in order
  std::vector<std::uint64_t> changes_;                   // by host
  std::vector<std::int32_t> changed_;                    // hosts, of the last changes
  std::uint64_t first_kept_ = 0;                         // changes before those
  mutable std::unique_ptr<FragmentationTarget> target_;  // null: it was never asked for
  mutable FragmentationNow kept_;
};

// It would fit if the parts that are idle were on fewer devices, or on others.
inline constexpr WhyRecord kDeviceWhy{
    kMachineRoomRank,
    "device",
    "no device",
    "Resources",
    "Enough parts of devices are idle, but no device has as many, or no host as many "
    "whole ones.",
    "on one device or host"};
inline constexpr WhyRecord kTypeWhy{
    kMachineRoomRank, "type", "no device of its type", "Resources",
    "Only devices of other types have as many idle parts."};
inline constexpr RefusalWord kNoDevice{"device", kDeviceWhy,
                                       "no empty host has the devices of a chunk"};
inline constexpr RefusalWord kNoType{"type", kTypeWhy,
                                     "no host has devices of its types"};

}  // namespace berth
