#pragma once
// Watches a run and says how good it was.
//
// Everything comes from records (spec: metrics.md 1, 2, 7).  Means run over finished
// jobs only; jobs rejected, killed or left over are counted apart.
//
// Memory       That of the outcomes (see there) and of the jobs in the system; 8 bytes
//              more for each job that finished while `summary` sorts a metric (in a
//              file where there are many, see Sample).
// Cost         O(log n) for a record, n = jobs in the queue; `summary` sorts.
// Determinism  Times and amounts are summed as whole numbers, ratios in ascending
//              order: no sum depends on the order in which jobs end.

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/job_pages.hpp"
#include "engine/hosts/cpu_nature.hpp"
#include "engine/metrics/gathered.hpp"
#include "engine/metrics/held_processors.hpp"
#include "engine/metrics/level_integrals.hpp"
#include "engine/metrics/metric_options.hpp"
#include "engine/metrics/queue_watch.hpp"
#include "engine/metrics/summary.hpp"
#include "engine/metrics/window.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class RunMetrics : public sim::Observer {
 public:
  // Processors that the processes of a job keep busy at full speed.
  using BusyProcessors = std::function<double(JobId)>;
  // `busy` is given for machines with tiers alone; their tiers are measured, too.
  // REQUIRES: jobs as given to the simulation; they outlive the outcomes.
  explicit RunMetrics(const LongView<Job>& jobs, const Window& window = {},
                      const MetricOptions& options = {},
                      BusyProcessors busy = {});

  [[nodiscard]] sim::RecordKinds wants() const override;
  void note(const sim::Record& record) override;
  void submitted(const sim::SubmitRecord& record) override { on(record); }
  void started(const sim::StartRecord& record) override { on(record); }
  void ended(const sim::EndRecord& record) override { on(record); }
  void passed(const sim::PassRecord& record) override { on(record); }
  void finish(Time at) override;

  // REQUIRES: the run is finished.
  [[nodiscard]] Summary summary() const;

  // What became of each job that left the machine or is still in the system, in the
  // order in which they left, then by (submit, id).
  [[nodiscard]] const Outcomes& outcomes() const { return gathered_.outcomes; }
  // The same, which are forgotten here.
  [[nodiscard]] Outcomes take_outcomes() { return std::move(gathered_.outcomes); }

 private:
  // A job in the system.
  struct Active {
    double key = 0.0;
    double rate = 0.0;
    double work = 0.0;  // done inside the window, in ticks
    Time since = 0;     // rate and work are right from here on
    double use = 0.0;   // of all its processes; with tiers
  };

  template <class Kind>
  void on(const Kind&) {}
  void on(const sim::SubmitRecord& record);
  void on(const sim::RejectRecord& record);
  void on(const sim::StartRecord& record);
  void on(const sim::PromoteRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::UnfreezeRecord& record);
  void on(const sim::RateRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::LeftRecord& record);
  void on(const sim::CapacityRecord& record);
  void on(const sim::RekeyRecord& record);
  void on(const sim::PassRecord& record);

  void move_to(Time at);
  void close_instant();
  void run_at(const sim::Subject& who, double rate);
  void hold(const sim::Subject& who, const Placement& placement);
  void release(const sim::Subject& who);
  void show_held();
  void count_leaving(const sim::Subject& who, Time at);

  MetricOptions options_;
  Gathered gathered_;
  LevelIntegrals integrals_;
  Levels levels_;
  QueueWatch queue_;
  BusyProcessors busy_;
  HeldProcessors held_;
  JobPages<Active> active_;
  std::vector<Place> starts_;  // of the present pass
  std::optional<Time> now_;
  std::optional<Time> never_empty_since_;
  Duration longest_stretch_ = 0;
};

}  // namespace berth
