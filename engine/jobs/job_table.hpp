#pragma once
// The state of each job in the system: one entry a job, from its arrival until it is
// forgotten.
//
// Memory       The workload is read, never copied.  Entries lie in pages of 256 jobs; a
//              page is reused once all its jobs are forgotten.  So memory grows with
//              the jobs in the system, plus one byte (the last state) for each
//              forgotten job.
//
//   operation   time
//   every one   O(1)

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/jobs/job.hpp"
#include "engine/jobs/job_state.hpp"

namespace berth {

// Where the time of a job went besides its length, and what it went through.
struct Account {
  Duration suspended = 0;
  Duration frozen = 0;
  Duration lost_work = 0;
  // Part of its running time that no walltime limits: in the background of a machine
  // with tiers, or on checkpoints.
  Duration unlimited = 0;
  std::int32_t kills = 0;
  std::int32_t migrations = 0;
  std::int32_t swaps = 0;
  std::int32_t suspensions = 0;
};

struct alignas(64) JobEntry {  // two cache lines
  JobState state = JobState::kFuture;
  bool frozen = false;
  bool ends_at_limit = false;  // its pending end event is the kill at its walltime
  bool was_hit = false;        // it lost a host; then Account::kills counts how often
  std::uint32_t version = 0;   // of its pending events, modulo 2^kVersionBits
  Time first_start = kNever;
  Time attempt_start = kNever;  // of the present attempt; kept while suspended
  Time planned_end = kNever;    // while running: start + planned duration
  Time limit = kNever;          // when its walltime ends, if the machine kills
  Time state_since = kNever;    // last start, suspension or freeze
  Time settled = kNever;        // the instant for which `progress` holds
  double progress = 0.0;        // ticks of dedicated work done in this attempt; where
                                // jobs write checkpoints see there
  double rate = 0.0;            // work per tick, 0..1
  Duration used = 0;            // of its walltime, up to the last World::stop()
  Account account;

  // Adds what the job has done since it was last settled, at the rate it had.
  void settle(Time now) {
    progress += rate * static_cast<double>(now - settled);
    settled = now;
  }
};

class JobTable {
 public:
  // Keeps `keys` keys for each job, one for each order of the queue.
  // REQUIRES: jobs in the order (submit, id); they outlive the table.
  explicit JobTable(std::span<const Job> jobs, std::size_t keys = 0)
      : jobs_(jobs), keys_(keys) {}

  // Jobs of the workload, arrived or not.
  [[nodiscard]] std::size_t size() const { return jobs_.size(); }
  [[nodiscard]] const Job& job(JobId id) const { return jobs_[index(id)]; }
  // What the machine does to itself is a job of the system
  // (MachineEvents::SystemClaim), of which the table has nothing but the number.
  [[nodiscard]] JobId system_job(std::uint32_t number) const {
    return JobId{static_cast<std::uint32_t>(jobs_.size()) + number};
  }
  [[nodiscard]] bool is_of_system(JobId id) const { return index(id) >= jobs_.size(); }
  // Prefetches the job a few arrivals ahead of this one.
  void fetch_ahead(JobId id) const {
    constexpr std::size_t kAhead = 8;
    const auto ahead = index(id) + kAhead;
    if (ahead < jobs_.size()) __builtin_prefetch(&jobs_[ahead]);
  }
  // Of any job.
  [[nodiscard]] JobState state(JobId id) const;

  // Whether the job runs and no end is expected of it, as in a background tier.
  [[nodiscard]] bool runs_without_expected_end(JobId id) const {
    return state(id) == JobState::kRunning && (*this)[id].planned_end == kNever;
  }

  // Makes the entry of the next job.  REQUIRES: all jobs before it are admitted.
  void admit(JobId id);
  // Whether there is an entry.
  [[nodiscard]] bool holds(JobId id) const {
    return index(id) < admitted_ && pages_[index(id) / kPage] != nullptr;
  }
  // The entry; null if there is none.
  [[nodiscard]] const JobEntry* find(JobId id) const {
    return holds(id) ? &(*this)[id] : nullptr;
  }
  // REQUIRES: holds(id).
  [[nodiscard]] const JobEntry& operator[](JobId id) const {
    return pages_[index(id) / kPage]->entries[index(id) % kPage];
  }
  [[nodiscard]] JobEntry& operator[](JobId id) {
    return pages_[index(id) / kPage]->entries[index(id) % kPage];
  }
  // REQUIRES: holds(id).
  [[nodiscard]] std::span<const double> keys(JobId id) const {
    return {pages_[index(id) / kPage]->keys.data() + index(id) % kPage * keys_, keys_};
  }
  [[nodiscard]] std::span<double> keys(JobId id) {
    return {pages_[index(id) / kPage]->keys.data() + index(id) % kPage * keys_, keys_};
  }
  // The job leaves the system in this state; its entry stays readable until it is
  // forgotten.  REQUIRES: holds(id); called once a job.
  void depart(JobId id, JobState as, Time now) {
    auto& entry = (*this)[id];
    entry.state = as;
    entry.state_since = now;
    departed_.push_back(id);
    ++departures_;
  }
  // How many jobs have left the system.
  [[nodiscard]] std::size_t departures() const { return departures_; }
  // Releases the entries of the jobs that have left; they stay readable until their
  // pages are reused.
  void forget_departed() {
    for (const JobId id : departed_) {
      const auto number = index(id) / kPage;
      if (++pages_[number]->forgotten == kPage) retire(number);
    }
    departed_.clear();
  }

 private:
  static constexpr std::uint32_t kPage = 256;
  struct Page {
    explicit Page(std::size_t keys_a_job) : keys(keys_a_job * kPage) {}
    std::array<JobEntry, kPage> entries;
    std::vector<double> keys;
    std::uint32_t forgotten = 0;
  };

  // All jobs of this page are forgotten.
  [[gnu::noinline]] void retire(std::size_t number);

  std::span<const Job> jobs_;
  std::size_t keys_;
  std::uint32_t admitted_ = 0;
  std::size_t departures_ = 0;
  std::vector<JobId> departed_;               // and are not forgotten
  std::vector<std::unique_ptr<Page>> pages_;  // null: all its jobs are forgotten
  std::vector<std::unique_ptr<Page>> spare_;
  std::vector<JobState> last_states_;  // of forgotten jobs, page by page
};

}  // namespace berth
