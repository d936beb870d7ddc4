#pragma once
// How much of the processors' cycles and of each tier jobs use
// (docs/model.md#two-tier).
//
// Cost         O(processors of the job) a change, O(1) a record

#include <array>
#include <functional>
#include <optional>

#include "engine/base/job_pages.hpp"
#include "engine/base/tier.hpp"
#include "engine/metrics/levels.hpp"
#include "engine/metrics/machine_measure.hpp"

namespace berth {

[[nodiscard]] MetricGroup tier_metrics();

// Sums of rates round by the instants at which they are taken: it comes to each
// instant at which a record is told that concerns a job.
class TierMeasure final
    : public MachineMeasure,
      private sim::RecordVisitor<
          TierMeasure, sim::SubmitRecord, sim::RejectRecord, sim::StartRecord,
          sim::ChangeRecord, sim::SuspendRecord, sim::UnfreezeRecord, sim::RateRecord,
          sim::EndRecord, sim::LeftRecord, sim::CapacityRecord> {
 public:
  // The processors that the processes of a job keep busy at full speed.
  using BusyProcessors = std::function<double(JobId)>;
  TierMeasure(BusyProcessors busy, const Window& window)
      : busy_(std::move(busy)), window_(window), time_(window) {}

  [[nodiscard]] sim::Observer& observer() override { return *this; }
  [[nodiscard]] std::vector<Metric> values() const override;

 private:
  friend RecordVisitor;

  // A job in the system.
  struct Active {
    double use = 0;
    double rate = 0;
    std::optional<Tier> tier{};  // that it holds slots of
    std::int64_t slots = 0;
  };
  // Amounts times ticks of the window.
  struct Totals {
    Int128 capacity = 0;
    std::array<Int128, 2> slots{};  // held, by tier
    double busy = 0;
  };

  void on(const sim::SubmitRecord& record);
  void on(const sim::RejectRecord& record);
  void on(const sim::StartRecord& record);
  void on(const sim::ChangeRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::UnfreezeRecord& record);
  void on(const sim::RateRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::LeftRecord& record);
  void on(const sim::CapacityRecord& record);
  void finish(Time at) override;

  void move_to(Time at);
  void run_at(JobId job, double rate);
  void hold(JobId job, const Placement& placement);
  void release(JobId job);

  BusyProcessors busy_;
  Window window_;
  MeasuredTime time_;
  JobPages<Active> active_;
  std::int64_t capacity_ = 0;
  std::array<std::int64_t, 2> slots_{};
  double busy_now_ = 0;  // sum of use * rate over the running processes
  Totals sums_;
  Totals totals_;  // up to the last end unless the window has one
  std::int64_t started_ = 0;
};

}  // namespace berth
