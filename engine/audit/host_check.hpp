#pragma once
// L2: hosts drain, go down and come back when the machine says so, no job starts on one
// that is not up, and none goes on over the loss of a host that it holds.
//
// Cost         O(1) a record of a job; a host that goes down asks each job that runs.
// Memory       The processors of each job that runs, and some bytes a host.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/audit/law.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/base/job_map.hpp"
#include "engine/hosts/host_event_source.hpp"
#include "engine/sim/record.hpp"

namespace berth::audit {

class HostCheck {
 public:
  explicit HostCheck(HostLife life) : life_(std::move(life)) {}

  // It is so late now; told before anything that happens then.  The run begins with the
  // first call.
  [[nodiscard]] Verdict come_to(Time now);
  [[nodiscard]] Verdict note(const sim::HostRecord& record);
  [[nodiscard]] Verdict start(JobId job, const Placement& placement);
  // The job gives up what it holds.  `is_hit`: because it lost a host.
  [[nodiscard]] Verdict leave(JobId job, bool is_hit);

  // The processors that a running job holds; null: it runs not, or broke L2.
  [[nodiscard]] const IntervalSet* held(JobId job) const { return held_.find(job); }
  // How many of these processors running jobs hold.  O(running jobs).
  [[nodiscard]] std::int64_t held_of(Interval processors) const;
  // Whether a job has still to give up a host that went down.
  [[nodiscard]] bool is_owed() const { return !owed_.empty(); }
  // Whether this one has.
  [[nodiscard]] bool is_owed(JobId job) const { return owed_.contains(job); }
  // How many starts, hosts and hits were judged.
  [[nodiscard]] std::int64_t judged() const { return judged_; }

 private:
  struct HostStands {
    // By kind of event, the last that the machine says; of another instant none.
    std::array<std::optional<HostEvent>, 3> said{};
    HostEvent::Kind should_be = HostEvent::Kind::kUp;
    HostEvent::Kind is = HostEvent::Kind::kUp;
  };
  HostStands& stands(std::int32_t host);
  void set(HostStands& host, HostEvent::Kind HostStands::*which, HostEvent::Kind state);
  void expect_up_to(Time now);

  HostLife life_;
  std::unique_ptr<HostEventSource> source_{};  // null before the run begins
  std::vector<HostStands> hosts_;
  std::int64_t differing_ = 0;  // hosts that are not as they should be
  IntervalSet away_;            // processors of hosts that are not up
  JobMap<IntervalSet> held_;    // by running jobs
  std::set<JobId> owed_;
  Time now_ = -kNever;
  std::int64_t judged_ = 0;
};

}  // namespace berth::audit
