#pragma once
// How much of the devices jobs hold, and how much of what is idle is fragmented
// (docs/model.md#devices).
//
// Counted from placements, device by device.
// Cost         O(chunks of the job, and the target of fragmentation for each of its
//              hosts) a start or an end

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/job_map.hpp"
#include "engine/machines/devices/device_marks.hpp"
#include "engine/machines/devices/fragmentation.hpp"
#include "engine/metrics/levels.hpp"
#include "engine/metrics/machine_measure.hpp"

namespace berth {

[[nodiscard]] MetricGroup device_metrics();

struct DeviceMeasured {
  Window window{};
  bool departures = true;  // else metrics tell the end of the run
};

class DeviceMeasure final
    : public MachineMeasure,
      private sim::RecordVisitor<DeviceMeasure, sim::SubmitRecord, sim::RejectRecord,
                                 sim::StartRecord, sim::SuspendRecord, sim::EndRecord,
                                 sim::LeftRecord> {
 public:
  DeviceMeasure(std::shared_ptr<const DeviceHosts> hosts,
                std::shared_ptr<const DeviceNeeds> needs,
                const DeviceSettings& settings, const DeviceMeasured& measured);

  [[nodiscard]] sim::Observer& observer() override { return *this; }
  // None if no job started.
  [[nodiscard]] std::vector<Metric> values() const override;
  // Parts that all jobs so far asked for, that jobs hold and that are fragmented, and
  // devices with a job, in % of the machine; parts that jobs hold by type, in % of the
  // parts of the type.
  [[nodiscard]] std::span<const std::string> levels() const override {
    return level_names_;
  }
  [[nodiscard]] std::int64_t level(std::size_t number) const override;
  [[nodiscard]] double level_unit(std::size_t number) const override;
  [[nodiscard]] std::span<const std::string_view> job_columns() const override;
  void tell_job(const sim::Subject& job, FieldWriter& to) override;
  // What is fragmented.
  [[nodiscard]] std::unique_ptr<const MachineFact> kept() const override;
  // Marks that no arrival is near.
  [[nodiscard]] std::vector<std::string> remarks() const override;

 private:
  friend RecordVisitor;

  // At this moment.
  struct DeviceLevels {
    std::int64_t held = 0;       // parts, slices rounded up
    std::int64_t asked = 0;      // parts that their jobs asked for
    std::int64_t wanted = 0;     // the same of all jobs in the system
    std::int64_t fragments = 0;  // as Fragmentation::sum
    std::int64_t in_use = 0;     // devices with a job
    std::int64_t shared = 0;     // devices with several
    std::int64_t stranded = 0;   // idle parts of hosts with too few cores
  };

  void finish(Time at) override;
  void on(const sim::SubmitRecord& record);
  void on(const sim::RejectRecord& record);
  void on(const sim::StartRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::LeftRecord& record);
  void move_to(Time at);
  void settle();
  void come_to_end();
  void set_target();
  [[nodiscard]] std::array<Int128, 7> levels_now() const;
  // Integral of what is fragmented, in parts times ticks.
  [[nodiscard]] double fragmented() const;
  void count(JobId job, const DevicePlaces& places, int sign);
  void count_idle_of(std::int32_t host);
  void leave(JobId job);
  void forget_last();
  [[nodiscard]] std::int64_t parts_of(JobId job) const;

  std::shared_ptr<const DeviceHosts> hosts_;
  std::shared_ptr<const DeviceNeeds> needs_;
  FragmentationTarget target_;
  DeviceRoom room_;
  std::int64_t least_cpu_ = 0;  // of a need of the target with devices
  MeasuredTime time_;
  std::vector<std::int32_t> jobs_on_;    // by device of the whole machine
  std::vector<std::int64_t> fragments_;  // by host
  std::vector<std::int64_t> stranded_;   // by host
  JobMap<DevicePlaces> placed_;          // of running jobs
  DeviceLevels now_;
  // Times ticks, in the order of the members of DeviceLevels.
  std::array<Int128, 7> totals_{};
  double fragmented_before_ = 0;  // with targets before the present one
  std::vector<std::string> level_names_;
  std::vector<std::int64_t> parts_of_types_;  // of the machine, by type
  std::vector<std::int64_t> held_of_types_;
  std::vector<Int128> totals_of_types_;  // times ticks
  Duration span_ = 0;
  bool departures_;
  DeviceMarks marks_;
  std::int64_t arrived_ = 0;  // parts that all jobs so far asked for
  Time now_at_ = 0;
  bool is_over_ = false;
  // The job that left last had these devices, on hosts of these types.
  std::string devices_of_last_;
  std::string types_of_last_;
  std::int64_t started_ = 0;
};

}  // namespace berth
