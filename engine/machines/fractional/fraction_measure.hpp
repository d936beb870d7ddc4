#pragma once
// The yields of the running jobs over time, and the memory that repackings move
// (docs/model.md#fractional).
//
// Cost         O(running jobs) an instant

#include <functional>
#include <map>
#include <optional>

#include "engine/metrics/levels.hpp"
#include "engine/metrics/machine_measure.hpp"

namespace berth {

[[nodiscard]] MetricGroup fraction_metrics();

// Sums of yields round by the instants at which they are taken: it comes to each
// instant at which a record is told that concerns a job.
class FractionMeasure final
    : public MachineMeasure,
      private sim::RecordVisitor<
          FractionMeasure, sim::SubmitRecord, sim::RejectRecord, sim::StartRecord,
          sim::ChangeRecord, sim::SuspendRecord, sim::UnfreezeRecord, sim::RateRecord,
          sim::EndRecord, sim::LeftRecord, sim::CapacityRecord, sim::MachineRecord> {
 public:
  // The CPU, in hosts, that the tasks of a job keep busy at yield 1.
  using BusyHosts = std::function<double(JobId)>;
  FractionMeasure(BusyHosts busy, const Window& window)
      : busy_(std::move(busy)), time_(window) {}

  [[nodiscard]] sim::Observer& observer() override { return *this; }
  // None if no job started.
  [[nodiscard]] std::vector<Metric> values() const override;
  // A task that shares its host works as much as it needs of the CPU.
  [[nodiscard]] std::optional<double> weight(JobId job) const override {
    return busy_(job);
  }

 private:
  friend RecordVisitor;

  template <class Record>
  void on(const Record& record) {
    move_to(record.at);
    take(record);
  }
  template <class Record>
  void take(const Record&) {}
  void take(const sim::StartRecord& record);
  void take(const sim::ChangeRecord& record);
  void take(const sim::SuspendRecord& record) { yields_.erase(record.who.id); }
  void take(const sim::EndRecord& record) { yields_.erase(record.who.id); }
  void take(const sim::MachineRecord& record);
  void finish(Time at) override { move_to(at); }
  void move_to(Time at);

  BusyHosts busy_;
  MeasuredTime time_;
  std::map<JobId, double> yields_;  // of running jobs
  // Yields times ticks in which a job runs.
  double least_ = 0;  // the smallest at each instant
  double mean_ = 0;   // the mean over the running jobs
  double span_ = 0;
  Int128 moved_kib_ = 0;
  std::int64_t started_ = 0;
};

}  // namespace berth
