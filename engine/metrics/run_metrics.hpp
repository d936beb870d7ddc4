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

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/job_pages.hpp"
#include "engine/machines/network/network_demand.hpp"
#include "engine/machines/two_tier/cpu_nature.hpp"
#include "engine/metrics/levels.hpp"
#include "engine/metrics/metric_options.hpp"
#include "engine/metrics/queue_watch.hpp"
#include "engine/metrics/summarise.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class RunMetrics
    : public sim::RecordVisitor<RunMetrics, sim::SubmitRecord, sim::RejectRecord,
                                sim::StartRecord, sim::ChangeRecord, sim::SuspendRecord,
                                sim::UnfreezeRecord, sim::RateRecord, sim::EndRecord,
                                sim::LeftRecord, sim::CapacityRecord, sim::RekeyRecord,
                                sim::PassRecord, sim::MachineRecord> {
 public:
  // The processors that the processes of a job keep busy at full speed.
  using BusyProcessors = std::function<double(JobId)>;
  // `busy`: only for machines with tiers, whose tiers are then measured, too; `network`
  // likewise.
  // REQUIRES: jobs as given to the simulation; they outlive the outcomes.
  explicit RunMetrics(const SpillingView<Job>& jobs, const Window& window = {},
                      const MetricOptions& options = {}, BusyProcessors busy = {},
                      std::shared_ptr<NetworkDemand> network = {});

  // On a network no record of the machine is measured.
  [[nodiscard]] sim::RecordKinds wants() const override {
    const auto all = RecordVisitor::wants();
    return network_ == nullptr ? all : all & ~sim::kinds<sim::MachineRecord>();
  }
  void finish(Time at) override;

  // REQUIRES: the run is finished.
  [[nodiscard]] Summary summary() const;

  // Outcomes of the jobs that ended, in that order, then of those still in the system,
  // by (submit, id).
  [[nodiscard]] const Outcomes& outcomes() const { return gathered_.outcomes; }
  // The same, moved out.
  [[nodiscard]] Outcomes take_outcomes() { return std::move(gathered_.outcomes); }

 private:
  friend RecordVisitor;

  // A job in the system.
  struct Active {
    double key = 0.0;
    double rate = 0.0;
    double work = 0.0;  // done inside the window, in ticks
    Time since = 0;     // when rate and work were last updated
    double use = 0.0;   // sum over its processes or tasks; with tiers or fractions
  };
  // What a job holds of links since it started or resumed.
  struct Reservation {
    Time since;
    std::vector<LinkShare> links;
  };

  void on(const sim::SubmitRecord& record);
  void on(const sim::RejectRecord& record);
  void on(const sim::StartRecord& record);
  void on(const sim::ChangeRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::MachineRecord& record);
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
  void add_yields(Time to);
  void count_leaving(const sim::Subject& who, Time at);
  [[nodiscard]] Int128 bandwidth(const sim::Subject& who) const;
  void count_demand(const sim::Subject& who, Int128 NetworkCounts::*sum);
  void reserve(const sim::Subject& who, const Placement& placement);
  void unreserve(JobId job);
  void add_link_use(const Reservation& held, Time to);
  void count_place(const sim::Subject& who, const Placement& placement);

  MetricOptions options_;
  Gathered gathered_;
  LevelIntegrals integrals_;
  Levels levels_;
  QueueWatch queue_;
  BusyProcessors busy_;
  HeldProcessors held_;
  std::shared_ptr<NetworkDemand> network_;  // null: there is none
  std::map<JobId, Reservation> reserved_;   // on a network: of jobs that hold bandwidth
  std::map<JobId, Placement> last_places_;
  JobPages<Active> active_;
  std::map<JobId, double> yields_;  // of running jobs, with fractions
  std::vector<Place> starts_;       // of the present pass
  std::optional<Time> now_;
  std::optional<Time> never_empty_since_;
  Duration longest_stretch_ = 0;
};

}  // namespace berth
