#pragma once
// Re-checks every law of the model while a run goes on.
//
// Everything is derived from workload, machine and the records of events and actions,
// never from the engine's counters; those are only compared with what was derived.  The
// first law that does not hold throws AuditFailure with the rule, the time and the
// jobs.
//
// Rules (spec README 2):
//   C1 a processor serves one job, or C5 one in each tier; C7 a job has all of its
//   processors or none; W1 delivered work = length; W2 total work; W3 response = wait +
//   running + frozen + suspended; W4 rates, and frozen time = migration cost; W5
//   reported utilisation; W6 time, no start before submit; W7 every job in one state,
//   jumps only along the life of a job; W8 counters = records, and one promotion a job
//   at most.  R1, R2 for a policy that declares the promise; R2 also asks that at the
//   end of a pass every waiting job has a reservation in the book.
//
// Cost         O(1) a record, that of HeadPromise or ReservationPromise where a promise
//              is judged; full, O(intervals of a placement) too.
// Memory       What the jobs in the system need, and a byte for each job of the run.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/audit/audit_failure.hpp"
#include "engine/audit/head_promise.hpp"
#include "engine/audit/life_pages.hpp"
#include "engine/audit/literal.hpp"
#include "engine/audit/reservation_promise.hpp"
#include "engine/audit/tier_law.hpp"
#include "engine/base/job_map.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/observer.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/settings.hpp"

namespace berth::audit {

// Light: capacity by numbers of processors.  Full: by the processors themselves, which
// costs what it costs to make them out.  All other rules are the same.
enum class Thoroughness : std::uint8_t { kLight, kFull };

class Auditor final : public sim::Observer {
 public:
  // REQUIRES: jobs as given to the simulation; they outlive the auditor.
  Auditor(const sim::Machine& machine, const sim::Settings& settings,
          std::span<const Job> jobs, const sim::PolicyTraits& policy,
          Thoroughness thoroughness = Thoroughness::kFull);

  [[nodiscard]] sim::RecordKinds wants() const override;
  void note(const sim::Record& record) override;
  void submitted(const sim::SubmitRecord& record) override;
  void started(const sim::StartRecord& record) override;
  void ended(const sim::EndRecord& record) override;
  void passed(const sim::PassRecord& record) override;
  void finish(Time at) override;

  // How often each rule was checked, of those that were.
  [[nodiscard]] std::map<std::string, std::int64_t> checked() const;
  // W5: a utilisation over the whole run must be the integral of processors held, over
  // all processors and this span.  Throws AuditFailure.  REQUIRES: the run is over.
  void check_utilisation(double reported, Duration span);

 private:
  // Of a job in the system.  One cache line: a record touches that of its job alone.
  struct alignas(64) Life {
    double key = 0;
    double rate = 0;
    double work = 0;  // ticks of dedicated work done in this attempt
    Time since = 0;   // last change
    Time planned_end = kNever;
    Duration waited = 0;
    Duration ran = 0;
    std::uint32_t place = 0;  // a hint where it waits, or what HeadPromise names it by
    bool frozen = false;
    bool background = false;
    bool is_undisturbed = true;  // its rate never changed, and it has no Past
  };
  // Of those of them that were suspended, moved or frozen.
  struct Past {
    double lost = 0;  // work of earlier attempts
    Time thaws = 0;
    Duration froze = 0;
    Duration suspended = 0;
    std::int32_t suspensions = 0;
    std::array<std::int32_t, 3> promotions{};  // by sim::Promotion
  };
  // Records that merely hold, where nothing else can be asked: light looks at a machine
  // without tiers.
  struct Plain {
    std::int64_t submits = 0;
    std::int64_t starts = 0;
    std::int64_t ends = 0;
    std::int64_t passes = 0;
  };

  void on(const sim::SubmitRecord& record);
  void on(const sim::RejectRecord& record);
  void on(const sim::StartRecord& record);
  void on(const sim::PromoteRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::UnfreezeRecord& record);
  void on(const sim::RateRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::LeftRecord& record);
  void on(const sim::ReservationRecord& record);
  void on(const sim::RekeyRecord& record);
  void on(const sim::PassRecord& record);
  template <class Other>
  void on(const Other&) {}
  template <class Kind>
  void see_and_judge(const Kind& record);
  // The same out of line, where each law is checked and named for itself.
  template <class Kind>
  [[gnu::noinline]] void look_closely(const Kind& record) {
    see_and_judge(record);
  }
  [[nodiscard]] bool is_plain(const sim::SubmitRecord& record) const;
  [[nodiscard]] bool is_plain(const sim::StartRecord& record) const;
  [[nodiscard]] bool is_plain(const sim::EndRecord& record) const;

  // Here and below, what is rare is kept out of line: so what is not stays short.
  [[nodiscard]] Life& begin_life(JobId id);
  [[nodiscard]] Life& life_of(JobId id);
  [[nodiscard, gnu::noinline]] Life& outside();
  // Disturbs it.
  [[nodiscard, gnu::noinline]] Past& past_of(JobId id, Life& life);
  void end_life(JobId id, const Life& life);
  [[nodiscard]] JobState& state_of(JobId id) { return states_[index(id)]; }
  [[nodiscard]] JobState state_of(JobId id) const { return states_[index(id)]; }
  [[nodiscard]] bool is_any(JobState state) const;
  [[nodiscard]] double work_of_present() const;
  void settle(JobId id, Life& life);
  void seat(JobId id, const sim::Seated& placement);
  [[gnu::noinline]] void seat_on_processors(JobId id, const Placement* placement);
  void seat_on(JobId id, const Placement* placement);
  void seat_in_tier(JobId id, const Placement* placement);
  void unseat(JobId id, const Life& life);
  [[gnu::noinline]] void unseat_from_processors(JobId id);
  void check_end(JobId id, const Life& life, const JobEntry& entry);
  void judge_start(JobId id);
  [[gnu::noinline]] void judge_reserved_start(JobId id);
  void judge_head(Time at);
  // Rules are a letter and a digit.
  static constexpr std::size_t kRules = std::size_t{26} * 10;
  [[nodiscard]] static constexpr std::size_t number(std::string_view rule) {
    return static_cast<std::size_t>(rule[0] - 'A') * 10 +
           static_cast<std::size_t>(rule[1] - '0');
  }
  [[nodiscard]] double expected_rate(JobId id, const Life& life) const;
  [[gnu::noinline]] void check_rates();
  void freeze_until(JobId id, Life& life, Time until);
  void run_in_foreground(JobId id, Life& life, Time from);
  void stop(JobId id, Life& life);
  void wait_for_head(JobId id, Life& life);
  void leave_line(JobId id, const Life& life);
  void see(Time at);
  void move(JobId id, Life& life, JobState from, JobState to);
  [[gnu::noinline]] void owe(JobId id, JobState from, JobState to);
  [[noreturn, gnu::noinline]] void misplaced(JobId id, JobState is, JobState to) const;
  [[noreturn, gnu::noinline]] void started_late(
      const HeadPromise::Broken& broken) const;
  [[noreturn, gnu::noinline]] void promised_earlier(
      const HeadPromise::Broken& broken) const;
  template <Literal kRule, Literal kWhat>
  void check(bool holds, std::optional<JobId> job) {
    ++checked_[number(kRule.text())];
    if (!holds) broken<kRule, kWhat>(job);
  }
  template <Literal kRule, Literal kWhat>
  [[noreturn, gnu::noinline]] void broken(std::optional<JobId> job) const {
    fail(kRule.text(), job, kWhat.text());
  }
  [[noreturn, gnu::noinline]] void fail(std::string_view rule, std::optional<JobId> job,
                                        std::string_view what) const;

  sim::Machine machine_;
  std::span<const Job> jobs_;
  sim::Promise promise_;
  bool judges_heads_;         // R1, until the order of the queue changes
  bool looks_at_processors_;  // who sits where, not just how many are idle
  bool is_plain_;             // so that a record may be plain
  Time now_;
  IntervalSet idle_;
  std::optional<TierLaw> tiers_;  // of machines that have them
  std::vector<JobState> states_;  // of all jobs
  LifePages<Life> lives_;         // of the jobs in the system
  Life outside_;                  // stands for one of those that are not
  JobMap<Past> pasts_;            // of those of them that have one
  JobMap<IntervalSet> seats_;     // of running jobs, where processors are looked at
  HeadPromise head_;
  ReservationPromise reservations_;
  std::set<JobId> unreserved_;  // waiting jobs that R2 asks a reservation for
  double delivered_ = 0;        // processor-ticks of work
  double in_finished_ = 0;      // of it, in jobs that left
  double lost_ = 0;             // of it, at restarts
  double held_ = 0;
  double merely_ran_ = 0;  // delivered, in jobs that left, held: of plain ends
  Plain plain_;
  std::array<std::int64_t, kRules> checked_{};
};

}  // namespace berth::audit
