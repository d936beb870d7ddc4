#pragma once
// Checks every rule of the model while a run goes on (docs/model.md#c1 and following).
//
// Everything is derived from workload, machine and records, never from the engine's
// counters; those are only compared with what was derived.  What is particular to a
// sharing model is judged by its law.  The first rule that does not hold throws
// AuditFailure with the rule, the time and the jobs.
//
// Cost         O(1) a record, and that of HeadPromise or ReservationPromise where a
//              promise is judged; that of the law where it is asked.
// Memory       What the jobs in the system need, and a byte for each job of the run.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/audit/attempt_check.hpp"
#include "engine/audit/audit_failure.hpp"
#include "engine/audit/fair_line.hpp"
#include "engine/audit/host_check.hpp"
#include "engine/audit/hosts_away.hpp"
#include "engine/audit/law.hpp"
#include "engine/audit/limit_check.hpp"
#include "engine/audit/promises.hpp"
#include "engine/audit/release_check.hpp"
#include "engine/audit/window_check.hpp"
#include "engine/base/job_map.hpp"
#include "engine/base/job_pages.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/observer.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/settings.hpp"

namespace berth::audit {

// Light: a countable law is not asked, numbers of processors are compared.  Full: the
// law judges every placement, passes that the policy allows to leave out are made and
// judged (P1), and keys without a refresh are computed again (P2).  All other rules are
// the same.
enum class Thoroughness : std::uint8_t { kLight, kFull };

// What is audited.  REQUIRES: as given to the simulation; jobs outlive the auditor.
struct AuditedRun {
  const sim::Machine& machine;
  const sim::Settings& settings;
  std::span<const Job> jobs;
  const sim::PolicyTraits& policy;
  std::optional<AuditedLinks> links{};  // where jobs wait for others
};

class Auditor final
    : public sim::RecordVisitor<
          Auditor, sim::SubmitRecord, sim::RejectRecord, sim::StartRecord,
          sim::ChangeRecord, sim::SuspendRecord, sim::UnfreezeRecord, sim::RateRecord,
          sim::EndRecord, sim::LeftRecord, sim::ReservationRecord, sim::WakeRecord,
          sim::RekeyRecord, sim::PassRecord, sim::SparePassRecord, sim::KeyRecord,
          sim::MachineRecord, sim::HostRecord, sim::HitRecord, sim::ReturnRecord,
          sim::WindowRecord, sim::EstimateRecord> {
 public:
  Auditor(const AuditedRun& run, std::unique_ptr<Law> law,
          Thoroughness thoroughness = Thoroughness::kFull);

  [[nodiscard]] sim::RecordKinds wants() const override;
  void finish(Time at) override;

  // How often each rule was checked, by code; rules that never were are left out.
  [[nodiscard]] std::map<std::string, std::int64_t> checked() const;
  // W5: a utilisation over the whole run must be the integral of processors in use,
  // over all processors and this span.  Throws AuditFailure.  REQUIRES: the run is
  // over.
  void check_utilisation(double reported, Duration span);
  // W9: the usage reported of users, by number, must be the sum over their jobs as of
  // then.  Checks nothing where the fair order is not the policy's default.  Throws
  // AuditFailure.
  void check_usage(const std::map<std::int32_t, double>& reported, Time at);
  // Jobs that started later than promised because the machine lost a host since.
  [[nodiscard]] Excuses excuses() const;

 private:
  friend RecordVisitor;

  // Of a job in the system.  One cache line: a record touches that of its job alone.
  struct alignas(64) Life {
    double key = 0;
    double rate = 0;
    double work = 0;  // ticks of dedicated work done in this attempt
    Time since = 0;   // last change
    Time planned_end = kNever;
    Duration waited = 0;
    Duration ran = 0;
    std::uint32_t place = 0;  // while waiting: the hint of `join`; running: its name
    bool is_frozen = false;
    bool is_candidate = false;  // it runs, and occupies nothing
    bool has_past = false;
    bool is_hit = false;  // it lost a host, and fails
  };
  // What is kept of a job that was suspended, changed or frozen.
  struct Past {
    double lost = 0;  // work of earlier attempts
    Time unfreezes = 0;
    Duration froze = 0;
    Duration suspended = 0;
    // It ran so long in the background or in earlier attempts, which no walltime
    // limits.
    Duration unlimited = 0;
    Duration away = 0;  // between hits and returns
    std::int32_t hits = 0;
    std::int32_t suspensions = 0;
    std::array<std::int32_t, 4> changes{};  // by effect

    [[nodiscard]] std::int32_t number_of(sim::ChangeRecord::Effect effect) const {
      return changes[static_cast<std::size_t>(effect)];
    }
  };

  template <class Kind>
  void on(const Kind& record);
  void judge(const sim::SubmitRecord& record);
  void judge(const sim::RejectRecord& record);
  void judge(const sim::StartRecord& record);
  void judge(const sim::ChangeRecord& record);
  void judge(const sim::SuspendRecord& record);
  void judge(const sim::UnfreezeRecord& record);
  void judge(const sim::RateRecord& record);
  void judge(const sim::EndRecord& record);
  void judge(const sim::LeftRecord& record);
  void judge(const sim::ReservationRecord& record);
  void judge(const sim::WakeRecord&) {}
  void judge(const sim::RekeyRecord& record);
  void judge(const sim::PassRecord& record);
  void judge(const sim::SparePassRecord& record);
  void judge(const sim::KeyRecord& record);
  void judge(const sim::MachineRecord& record);
  void judge(const sim::HostRecord& record);
  void judge(const sim::HitRecord& record);
  void judge(const sim::ReturnRecord& record);
  void judge(const sim::WindowRecord& record);
  void judge(const sim::EstimateRecord& record);
  void watch_hosts();
  void take_down(const sim::HostRecord& record, std::uint32_t place);
  void bring_up(std::int32_t host);
  [[nodiscard]] bool any_drains() const { return away_ && away_->any_drains(); }
  [[nodiscard]] bool is_plain_while_draining() const;
  [[nodiscard]] bool fits_while_draining(JobId id, std::span<const JobId> gone);
  void set_aside();
  void count_change(JobId id, Life& life, sim::ChangeRecord::Effect effect);

  // Time and states.
  void come_to(Time at);
  [[nodiscard]] JobState& state_of(JobId id) { return states_[index(id)]; }
  [[nodiscard]] const Job& job(JobId id) const { return jobs_[index(id)]; }
  void move(JobId id, JobState from, JobState to);
  Life& resettle(JobId id);
  [[nodiscard, gnu::noinline]] Past& past_of(JobId id, Life& life);
  void end_life(JobId id, const Life& life);
  [[nodiscard]] double work_of_present() const;
  [[nodiscard]] bool is_any(JobState state) const;
  // Not even on the empty machine.  REQUIRES: the job has arrived.
  [[nodiscard]] bool never_starts(JobId id) {
    return job(id).size > widest_ || (fit_ != nullptr && fit_->never_fits(id));
  }

  // Placements and rates.
  void place(JobId id, const sim::PlacementOf& placement, bool resumed);
  void leave_place(JobId id, Life& life);
  [[gnu::noinline]] void count_move(JobId id, Life& life,
                                    const sim::StartRecord& record);
  void run_from(JobId id, Life& life, Time from);
  void freeze_until(JobId id, Life& life, Time until);
  [[nodiscard]] double expected_rate(JobId id, const Life& life) const;
  [[nodiscard]] bool knows_what_fits() const {
    return fit_ == nullptr || fit_->knows();
  }
  [[nodiscard]] bool knows_if_fits(JobId id) const {
    return fit_ == nullptr || fit_->knows_of(id);
  }
  [[nodiscard]] std::span<const std::int64_t> amounts(JobId id) {
    return fit_ == nullptr ? std::span<const std::int64_t>() : fit_->amounts(id);
  }
  void check_affected() { check_rates(law_->take_affected()); }
  [[gnu::noinline]] void check_rates(const std::vector<JobId>& jobs);
  void require_rate(JobId id, const Life& life);
  void leave_background(JobId id, Life& life);
  void judge_work(JobId id, const Life& life, bool killed) const;
  // One millionth of the length and one tick (docs/model.md#w1).
  [[nodiscard]] static double work_tolerance(Duration length) {
    return 1e-6 * static_cast<double>(std::max(kSecond, length)) + 1.0;
  }
  // What counts towards the limit of a job, and how much may.
  struct WorkLimit {
    Duration ran;
    Duration most;
    Duration slack = 0;
  };
  [[gnu::noinline]] void adjust(JobId id, const Life& life, WorkLimit& limit) const;
  // Where places differ in speed; else null.
  [[gnu::noinline]] const SpeedTerms* speeds() const;
  [[nodiscard]] bool limits_work() const;
  [[nodiscard]] Duration planned_from(JobId id, const Life& life) const;
  [[gnu::noinline]] Duration planned_otherwise(JobId id, const Life& life) const;
  // Of this attempt, in which it ran.
  [[nodiscard]] Duration ran_of(const Life& life, JobId id) const {
    return life.ran - (life.has_past ? pasts_.at(id).unlimited : 0);
  }
  void begin_attempt(JobId id, Life& life);
  Verdict judge_lost(const sim::HitRecord& record, Duration ran, double work);
  Verdict judge_attempt(JobId id, const JobEntry& entry, const Life& life);
  [[nodiscard]] Duration left_of(JobId id, Duration whole, const Life& life) const;
  [[gnu::noinline]] void judge_estimate(const sim::StartRecord& record, Life& life);
  [[nodiscard]] WindowCheck::Wish wish_of(JobId id) const;
  void ask_windows(sim::PassMode pass);
  [[nodiscard]] Duration planned_at_speed(JobId id, const Life& life) const;
  void judge_account(JobId id, const Life& life, const Account& account);
  // Whether a window hits the job, and no host that it lost.
  [[nodiscard]] bool is_by_window(JobId id) const {
    return windows_ && !up_->is_owed(id) && windows_->hits(id);
  }

  // The queue and promises.
  void join_line(JobId id, Life& life);
  void leave_line(JobId id, const Life& life);
  // Where more than the first of the line is kept, or some of it may not be first.
  [[gnu::noinline]] void join_lines(JobId id, Life& life);
  [[gnu::noinline]] void leave_lines(JobId id, const Life& life);
  [[gnu::noinline]] void note_start(JobId id);
  [[gnu::noinline]] void note_stop(JobId id);
  void settle_head() { shown_head_.settle(*limits_, jobs_, now_, head_); }
  void note_passed();
  [[nodiscard]] bool is_any_unreserved() const;
  void judge_start(JobId id);
  [[gnu::noinline]] void judge_promised_start(JobId id);
  [[nodiscard]] std::vector<JobId> first_of_order();
  void judge_first();
  [[gnu::noinline]] void judge_pass(sim::Causes causes);
  [[nodiscard]] bool clock_may_end() const;
  [[gnu::noinline]] void note_reserved(JobId id, JobState from, JobState to);
  // Whether the job fits, or would if these running jobs had left.
  [[nodiscard]] bool would_fit(JobId id, std::span<const JobId> gone) {
    if (windows_ && !windows_->lets_start(id, wish_of(id), gone)) return false;
    if (fit_ != nullptr) {
      return any_drains() ? fits_while_draining(id, gone)
                          : fit_->fits_without(id, gone);
    }
    auto idle = head_.idle();
    for (const JobId each : gone) idle += job(each).size;
    return job(id).size <= idle;
  }
  [[nodiscard]] ReservationPromise::Lateness lateness();
  [[nodiscard]] ReservationPromise::Lateness lateness(JobId id);
  [[nodiscard]] std::int64_t promises_judged() const;
  void ask_law_of_head();

  // P1: what a pass that may be left out did.
  template <class Kind>
  [[gnu::noinline]] void refuse_act(const Kind& record) const;
  [[noreturn]] void acted(std::string_view what) const;

  void require(bool holds, const Rule& rule, std::optional<JobId> job,
               const char* what) const {
    if (!holds) [[unlikely]]
      fail(rule, job, what);
  }
  void require(const Verdict& verdict, std::optional<JobId> job) const {
    if (verdict) [[unlikely]]
      fail(verdict->rule, job, verdict->what);
  }
  [[noreturn, gnu::noinline]] void fail(const Rule& rule, std::optional<JobId> job,
                                        std::string_view what) const;

  sim::Machine machine_;
  std::span<const Job> jobs_;
  std::string label_;  // of the policy
  sim::Promise promise_;
  std::unique_ptr<Law> law_;
  FitLaw* fit_;            // null: numbers of processors tell whether a job fits
  std::int32_t widest_;    // processes of a job; wider ones never start
  bool counts_moves_;      // a resume on other servers is a migration
  bool asks_law_;          // else processors are counted
  bool judges_spares_;     // P1
  bool judges_keys_;       // P2
  bool is_spare_ = false;  // in a pass that may be left out
  Time now_;
  std::vector<JobState> states_;  // of all jobs
  JobPages<Life> lives_;          // of the jobs in the system
  JobMap<Past> pasts_;            // of those of them that have one
  HeadPromise head_;
  std::map<JobId, Placement> last_places_;  // where moves are counted
  std::vector<JobId> by_place_;             // running jobs by their names in it
  std::vector<JobId> gone_;                 // scratch
  ReservationPromise reservations_;
  TopPromise top_;
  std::optional<FairLine> fair_;      // where the fair order is the default
  std::optional<LimitCheck> limits_;  // where jobs have limits; and the head, by it
  ShownHead shown_head_;
  bool lines_are_plain_;                  // none of these, and no R3
  bool spans_are_plain_;                  // the time of a job is its work
  std::optional<ReleaseCheck> releases_;  // where jobs wait for others
  std::optional<HostCheck> up_;           // where hosts go down
  std::optional<WindowCheck> windows_;    // where there are any
  std::vector<Interval> ranges_;          // of hosts, where windows have them
  std::optional<AttemptCheck> attempts_;  // where jobs write checkpoints
  std::map<JobId, Duration> estimates_;   // as the policy said; empty: it has none
  std::optional<HostsAway> away_;         // likewise
  std::int64_t down_ = 0;                 // processors that the machine has
  Int128 missing_ = 0;                    // processor-ticks of hosts that are down
  Int128 missing_at_end_ = 0;             // up to the last end
  std::set<JobId> unreserved_;            // waiting jobs without a reservation (R2)
  std::int64_t used_ = 0;                 // processors
  Int128 held_ = 0;                       // processor-ticks in use
  double delivered_ = 0;                  // processor-ticks of work
  double in_finished_ = 0;                // of it, in jobs that left
  double lost_ = 0;                       // of it, at restarts
  std::array<std::int64_t, std::variant_size_v<sim::Record>> records_{};  // by kind
  std::int64_t promoted_ = 0;          // of the changes: jobs without an expected end
  std::int64_t rates_checked_ = 0;     // of jobs that a change affected
  std::int64_t promises_checked_ = 0;  // R3, R4, R5
  std::int64_t utilisations_checked_ = 0;
  std::int64_t usages_checked_ = 0;
  std::int64_t estimates_judged_ = 0;
  bool is_over_ = false;
};

}  // namespace berth::audit
