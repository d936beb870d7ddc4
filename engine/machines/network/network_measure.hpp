#pragma once
// What jobs ask of the links of a network, and hold of them (docs/model.md#network).
//
// Cost         O(links of the job) a start or an end

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/machines/network/network_demand.hpp"
#include "engine/metrics/levels.hpp"
#include "engine/metrics/machine_loads.hpp"
#include "engine/metrics/machine_measure.hpp"

namespace berth {

[[nodiscard]] MetricGroup network_metrics();

class NetworkMeasure final
    : public MachineMeasure,
      public MachineLoads,
      private sim::RecordVisitor<NetworkMeasure, sim::SubmitRecord, sim::RejectRecord,
                                 sim::StartRecord, sim::SuspendRecord, sim::EndRecord,
                                 sim::LeftRecord, sim::CapacityRecord> {
 public:
  NetworkMeasure(std::shared_ptr<NetworkDemand> demand, const Window& window);

  [[nodiscard]] sim::Observer& observer() override { return *this; }
  [[nodiscard]] std::vector<Metric> values() const override;
  // Bandwidth of a VM and what is reserved on all links together in Mb/s, and how many
  // VMs changed their server at resumes.  A job without a placement has no switch.
  [[nodiscard]] std::span<const std::string_view> job_columns() const override;
  void tell_job(const sim::Subject& who, FieldWriter& to) override;
  [[nodiscard]] std::vector<std::string> remarks() const override;
  // Slots of servers, then links by layer.
  [[nodiscard]] std::vector<LoadedPart> loaded_parts() const override;
  [[nodiscard]] std::span<const std::int64_t> loads() const override { return loads_; }
  void charge_to(Budget& budget) override { demand_->charge_to(budget); }

 private:
  friend RecordVisitor;

  // What a job holds of links since it started or resumed.
  struct Reservation {
    Time since;
    std::vector<LinkShare> links;
  };
  struct Place {
    Placement last;
    std::int64_t moved = 0;  // VMs on another server than before, at resumes
  };
  // The job that left last.
  struct Leaver {
    JobId job;
    std::int64_t moved;
    std::optional<Placement> place;  // that it held
  };
  using Layers = std::array<Int128, kLinkLayers>;

  void on(const sim::SubmitRecord& record);
  void on(const sim::RejectRecord& record);
  void on(const sim::StartRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::LeftRecord& record);
  void on(const sim::CapacityRecord& record) { move_to(record.at); }
  void finish(Time at) override;

  void move_to(Time at);
  [[nodiscard]] bool measures(const sim::Subject& who) const {
    return index(who.id) >= window_.first_job;
  }
  // Of all VMs of a job, in kbit/s.
  [[nodiscard]] Int128 bandwidth(const sim::Subject& who) const;
  void count_place(const sim::Subject& who, const Placement& placement);
  // The slots of its place are in use, or no longer.
  void count_slots(JobId job, bool in_use);
  // VMs of the job that this placement has moved.
  std::int64_t move(JobId job, const Placement& placement);
  void reserve(const sim::Subject& who, const Placement& placement);
  void unreserve(JobId job);
  void add_link_use(const Reservation& held, Time to);
  void leave(const sim::Subject& who, const Placement* placement);
  void keep_totals();
  [[nodiscard]] std::optional<double> most_reserved() const;

  std::shared_ptr<NetworkDemand> demand_;
  Window window_;
  MeasuredTime time_;
  Time now_ = 0;
  std::map<JobId, Reservation> reserved_;  // of jobs that hold bandwidth
  std::map<JobId, Place> places_;          // of all that started and have not left
  std::optional<Leaver> leaver_;
  std::int64_t unplaced_ = 0;  // jobs that the empty network has no place for
  std::int64_t first_unplaced_ = 0;
  std::int32_t vms_of_first_unplaced_ = 0;
  // Of the measured jobs.
  std::int64_t submitted_ = 0;
  std::int64_t fit_empty_ = 0;  // that the empty network has a place for
  Int128 asked_ = 0;            // VMs * bandwidth * ticks of all submitted jobs
  Int128 turned_away_ = 0;      // the same of the rejected ones
  Int128 placed_ = 0;           // VMs * bandwidth, at every start and resume
  Int128 hidden_ = 0;           // the same where nothing had to be reserved
  std::int64_t moved_vms_ = 0;  // at resumes: VMs on another server than before
  std::int64_t left_ = 0;       // that ended, or were in the system at the end
  std::int64_t started_ = 0;    // of all jobs
  std::array<std::int64_t, kLinkLayers> capacity_{};  // of all links, by layer
  std::array<std::int64_t, kLinkLayers> held_{};      // reserved, likewise
  std::vector<std::int64_t> loads_;  // slots of servers, then kbit/s of links
  std::vector<Int128> links_;        // reserved of each link, times ticks of the window
  // Times ticks of the window, so far and up to the last end unless it has one.
  Duration span_ = 0;
  Layers layers_{};
  Duration total_span_ = 0;
  Layers total_layers_{};
};

}  // namespace berth
