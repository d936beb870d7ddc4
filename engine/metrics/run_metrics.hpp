#pragma once
// The observer that computes the metrics of a run from its records
// (docs/model.md#metrics).
//
// Means run over finished jobs; rejected, failed and unfinished jobs are counted apart.
//
// Memory       that of Outcomes and of the jobs in the system; summary() needs 8 bytes
//              for each finished job (see Sample)
// Cost         O(log n) a record, n = jobs in the queue; summary() sorts
// Determinism  times and amounts are summed as integers, ratios in ascending order: no
//              sum depends on the order in which jobs end

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/job_pages.hpp"
#include "engine/metrics/levels.hpp"
#include "engine/metrics/machine_measure.hpp"
#include "engine/metrics/metric_options.hpp"
#include "engine/metrics/queue_watch.hpp"
#include "engine/metrics/summarise.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class RunMetrics
    : public sim::RecordVisitor<RunMetrics, sim::SubmitRecord, sim::RejectRecord,
                                sim::StartRecord, sim::ChangeRecord, sim::SuspendRecord,
                                sim::UnfreezeRecord, sim::RateRecord, sim::EndRecord,
                                sim::LeftRecord, sim::CapacityRecord, sim::PassRecord,
                                sim::HitRecord, sim::ReturnRecord> {
 public:
  // `measure`: of the machine; null: it weighs no job.
  // REQUIRES: jobs as given to the simulation; they and the measure outlive the
  // outcomes.
  explicit RunMetrics(std::span<const Job> jobs, const Window& window = {},
                      const MetricOptions& options = {},
                      const MachineMeasure* measure = nullptr);

  void finish(Time at) override;

  // While the run is not finished, this is the summary as of the last end of a job.
  [[nodiscard]] Summary summary() const;

  // Equal for two runs of the same jobs exactly if their schedules are equal, but for
  // chance of 2^-64: of the jobs that ended so far, finished or killed, measured or
  // not, by id, first start and end (docs/model.md#schedule-hash).  0: none has.
  [[nodiscard]] std::uint64_t schedule_hash() const { return gathered_.schedule_hash; }

  // Outcomes of the jobs that ended, in that order, then of those still in the system,
  // by (submit, id).
  [[nodiscard]] const Outcomes& outcomes() const { return gathered_.outcomes; }
  // Where the jobs are numbered anew now: by the number that each had, its present one.
  // REQUIRES: the run is finished.
  void renumber(std::span<const std::uint32_t> now) {
    gathered_.outcomes.renumber(now);
  }
  // The same, moved out.
  [[nodiscard]] Outcomes take_outcomes() { return std::move(gathered_.outcomes); }

 private:
  friend RecordVisitor;

  // A job in the system.
  struct Active {
    double rate = 0.0;
    double work = 0.0;  // done inside the window, in ticks
    Time since = 0;     // when rate and work were last updated
    double weight = 0.0;
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
  void on(const sim::PassRecord& record);
  void on(const sim::HitRecord& record);
  void on(const sim::ReturnRecord& record);

  void move_to(Time at);
  void close_instant();
  void run_at(const sim::Subject& who, double rate);
  void hold(const sim::Subject& who, const sim::PlacementOf& placement);
  void release(const sim::Subject& who);
  void count_leaving(const sim::Subject& who, Time at);
  [[nodiscard]] double killed_work(const sim::Subject& who) const;

  MetricOptions options_;
  Gathered gathered_;
  LevelIntegrals integrals_;
  Levels levels_;
  QueueWatch queue_;
  const MachineMeasure* measure_;
  HeldProcessors held_;
  JobPages<Active> active_;
  std::vector<Place> starts_;  // of the present pass
  std::optional<Time> now_;
  std::optional<Time> never_empty_since_;
  Duration longest_stretch_ = 0;
};

}  // namespace berth
