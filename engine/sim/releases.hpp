#pragma once
// The jobs of a run in which jobs wait for others: which is submitted next, and when
// (docs/model.md#dependencies).
//
// A job that is held has not been submitted: policies, queue and machine know nothing
// of it.  So the jobs of the run are numbered as they are submitted, by (release, id),
// and `submit` of a job is its release from then on.  Jobs that are not submitted yet
// stand behind them, in no particular order.
//
// Cost         O(log n) a release, n = released jobs to come; O(1) a link
// Memory       96 bytes a job, beside the links

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "engine/jobs/job_links.hpp"
#include "engine/sim/observer.hpp"

namespace berth::sim {

class Agenda;

class JobReleases final
    : public RecordVisitor<JobReleases, StartRecord, EndRecord, RejectRecord> {
 public:
  // REQUIRES: jobs by (submit, id), which outlive this object; the links are of these.
  JobReleases(std::span<const Job> jobs, std::shared_ptr<const JobLinks> links);

  // The jobs of the run; the span stays valid.  REQUIRES: they are what the simulation
  // is given.
  [[nodiscard]] std::span<const Job> jobs() const { return jobs_; }
  // By job of the run, its index in the workload; the span stays valid.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }
  // What the workload says of a job.
  [[nodiscard]] const Job& as_recorded(JobId job) const {
    return workload_[order_[index(job)]];
  }
  [[nodiscard]] const JobLinks& links() const { return *links_; }
  [[nodiscard]] std::span<const Job> workload() const { return workload_; }
  // The time from the job's own submit to its release; 0 where its own does not count.
  // REQUIRES: it was submitted.
  [[nodiscard]] Duration held(JobId job) const;

  // Adds an event for each job that is to be submitted, now and as they are released.
  // The agenda outlives the run.
  void begin(Agenda& agenda);
  // The first job that is due becomes the next of the run.  Whether it comes in; else
  // it is rejected, because a link of it can never be satisfied.
  // REQUIRES: an event of begin() is due.
  [[nodiscard]] bool submit_next(Time now);

  void finish(Time) override {}

  // Numbers the jobs as the workload does from now on.  By job of the run as it was,
  // its index in the workload.  REQUIRES: the run is over.
  [[nodiscard]] std::vector<std::uint32_t> restore();

 private:
  friend RecordVisitor;
  struct DueJob {
    Time at;
    std::int64_t id;
    std::uint32_t job;  // in the workload
    bool is_refused;
    // The queue has the largest first.
    friend bool operator<(const DueJob& a, const DueJob& b) {
      return a.at != b.at ? a.at > b.at : a.id > b.id;
    }
  };

  void on(const StartRecord& record);
  void on(const EndRecord& record);
  void on(const RejectRecord& record);
  void satisfy(const JobLink& link, Time at);
  void refuse(std::uint32_t job, Time now);
  void make_due(const DueJob& due);
  void schedule_next_free();
  // Puts the job at the end of those that are submitted.
  void put(std::uint32_t job, Time release);

  std::span<const Job> workload_;
  std::shared_ptr<const JobLinks> links_;
  std::vector<Job> jobs_;             // of the run
  std::vector<std::uint32_t> order_;  // by job of the run
  std::vector<std::uint32_t> where_;  // by job of the workload, its number in the run
  std::vector<std::uint32_t> waits_;  // likewise, links that are not satisfied
  std::vector<Time> earliest_;        // likewise, by the links that are
  std::priority_queue<DueJob> due_;
  std::size_t free_ = 0;  // the next job of the workload that has no link
  std::size_t submitted_ = 0;
  Agenda* agenda_ = nullptr;
};

}  // namespace berth::sim
