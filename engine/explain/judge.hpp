#pragma once
// Judges the state at the end of a pass: why a job did not start, and what would have
// let it.
//
// Reads only.  The reason is the first that holds, in the order of Why: room first,
// then what is promised to other jobs, then what the policy looked at.
//
//   operation   time, r = running jobs, p = plans, n = reservations
//   making it   O(r) at the first question
//   reason      O(log r + p); with a book O(r + n) besides

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/explain/pass_notes.hpp"
#include "engine/explain/reason.hpp"
#include "engine/sim/simulation.hpp"

namespace berth {

class Judge {
 public:
  // Of the state as it is now.  Both outlive the judge and do not change.
  Judge(const sim::Simulation& simulation, const PassNotes& notes)
      : simulation_(simulation), notes_(notes) {}

  // REQUIRES: the job waits or is suspended.
  [[nodiscard]] Reason reason(JobId job) { return reason(job, Detail::kAll); }
  // The reason and the blocker alone, as reason() has them.
  struct Brief {
    Why why = Why::kNotAsked;
    std::optional<JobId> blocker{};
    friend bool operator==(const Brief&, const Brief&) = default;
  };
  [[nodiscard]] Brief brief(JobId job);

  // Whether a waiting job of this size and walltime, in the place of `job`, would fit
  // and be in the way of nothing that is promised.  REQUIRES: counts_tell().
  [[nodiscard]] bool admits(JobId job, std::int64_t size, Duration walltime);
  // Whether numbers of processors tell all about room on this machine.
  [[nodiscard]] bool counts_tell() const;

 private:
  // Free processors from `from` on, by expected ends and reservations.
  struct Step {
    Time from;
    std::int64_t free;
  };
  struct Held {
    JobId job;
    Time start;
    Time end;
    std::int64_t size;
  };
  struct Freed {
    Time at;
    std::int64_t idle;  // from then on
    JobId job;          // that ends then
  };

  enum class Detail : std::uint8_t {
    kBrief,
    kAll,  // other jobs that took part, and what would have let it start
  };
  [[nodiscard]] Reason reason(JobId job, Detail detail);

  [[nodiscard]] const sim::World& world() const { return simulation_.world(); }
  [[nodiscard]] std::optional<JobId> of_workload(JobId job) const;
  void read_releases();
  void read_book();
  [[nodiscard]] Time short_from(JobId job, std::int64_t size);
  [[nodiscard]] std::int64_t least_until(JobId job, Time end);
  template <class Look>
  void walk(JobId job, const Look& look);

  [[nodiscard]] std::int64_t idle_before();
  void judge_room(JobId job, const sim::WhyNot& why, Detail detail, Reason& reason);
  [[nodiscard]] bool is_kept_free(JobId job) const;
  void name_start(JobId job, Reason& reason) const;
  [[nodiscard]] const Freed* enough_for(std::int64_t size);
  [[nodiscard]] std::int64_t started(std::string_view kind) const;
  void name_release(const SeveralKinds& machine, JobId job, Reason& reason) const;
  bool judge_plans(JobId job, Reason& reason) const;
  void name_colliding(JobId job, Time short_at, Reason& reason) const;
  bool judge_book(JobId job, Reason& reason);
  bool judge_looks(JobId job, Reason& reason) const;
  [[nodiscard]] bool is_behind_stop(JobId job) const;
  void judge_stop(JobId job, Reason& reason) const;
  void name_remedies(JobId job, Reason& reason);
  [[nodiscard]] Duration span_of(Duration walltime) const;

  const sim::Simulation& simulation_;
  const PassNotes& notes_;
  std::optional<std::int64_t> idle_before_;  // the pass
  std::vector<Freed> freed_;
  bool has_freed_ = false;
  bool has_book_ = false;
  std::vector<Held> held_;   // reservations, by (start, job)
  std::vector<Step> steps_;  // with all of them; by time, the first is now
};

}  // namespace berth
