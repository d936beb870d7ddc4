#pragma once
// L4: no scope ever has more than its limits allow, and no job starts while one bars
// it.
//
// It also tells R1, R2, R4 and R5 which members of the queue no limit bars.
//
// Cost         O(log q) a change of the queue; O(s) a start or stop, s = sets of jobs
//              that count in a scope of it; head(), and with LimitSettings::stop each
//              change: O(sets), and the members before the first that is not barred,
//              or that is, in each; with guaranteed processors each change: O(sets that
//              have some)
// Memory       8 bytes a job, and some a job in the queue.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/audit/law.hpp"
#include "engine/audit/promises.hpp"
#include "engine/audit/waiting_line.hpp"
#include "engine/jobs/job_state.hpp"
#include "engine/jobs/limits.hpp"

namespace berth::audit {

class LimitCheck {
 public:
  // `knows_order`: keys tell the order of the queue; else LimitSettings::stop is not
  // judged.
  LimitCheck(std::shared_ptr<const LimitSettings> settings, bool knows_order)
      : settings_(std::move(settings)), stops_(settings_->stop && knows_order) {}

  LimitCheck(const LimitCheck&) = delete;
  LimitCheck& operator=(const LimitCheck&) = delete;
  ~LimitCheck() = default;

  // A job that has come in is rejected, by a limit or not.
  [[nodiscard]] Verdict reject(JobId id, const Job& job, bool by_limit);
  // It is in the queue, or no longer.  One that is not in may leave.
  void join(JobId id, const Job& job, double key, JobState as);
  void leave(JobId id, const Job& job, double key, Time now);
  // It starts, with this key in the queue, or stops for good or for a time.
  [[nodiscard]] Verdict start(JobId id, const Job& job, double key, Time now);
  void stop(JobId id, const Job& job);
  // Which member is first has changed within a pass: a job was suspended, so that
  // limits bar less, the start of another one bars the first, or no job waits any more
  // for what is guaranteed to its account.
  void ease(Time now) { eased_at_ = now; }
  // Whether it may be that no limit bars the member only since this instant, so that a
  // policy had passed it already.
  [[nodiscard]] bool may_be_new(JobId id, Time now) const {
    return eased_at_ == now || (came_in_at_ == now && came_in_.contains(id));
  }
  // Nothing more comes.
  [[nodiscard]] Verdict finish() const;

  // The first member that no limit bars; nullopt: there is none.  `jobs`: of the run.
  [[nodiscard]] std::optional<WaitingLine::Member> head(
      std::span<const Job> jobs) const;
  // REQUIRES: it is in the queue, with this key.
  [[nodiscard]] bool shows(JobId id, const Job& job, double key) const;
  // Whether it would borrow, and may not, though no limit of running jobs bars it.
  // REQUIRES: it has joined.
  [[nodiscard]] bool borrows_only(JobId id, const Job& job) const;
  // Another number than before, if a limit barred such a job since.  REQUIRES: it has
  // joined.
  [[nodiscard]] std::int64_t times_barred(JobId id, const Job& job) const;
  [[nodiscard]] std::int64_t judged() const { return judged_; }

 private:
  using Labels = std::array<std::int32_t, kLimitScopes>;
  struct Set;
  struct Scope {
    ScopeLimits limits;
    std::int64_t jobs = 0;
    std::int64_t processors = 0;
    std::vector<Set*> sets{};
    std::set<JobId> waiting{};      // with a limit of waiting jobs
    std::int64_t came_between = 0;  // jobs that began to wait before another one
  };
  struct Earlier {
    std::int64_t until;  // as a number of changes
    std::int64_t room;
  };
  // It is where a member stands.
  struct At {
    std::int64_t tier;
    double key;
    JobId job;
    friend bool operator<(const At& a, const At& b) {
      if (a.tier != b.tier) return a.tier > b.tier;
      return a.key != b.key ? a.key < b.key : a.job < b.job;
    }
    friend bool operator==(const At&, const At&) = default;
  };
  // Jobs with the same labels, which limits bar alike, but for their sizes.
  struct Set {
    std::int64_t tier = 0;
    std::int64_t room = 0;  // the largest size that nothing bars now
    std::vector<Scope*> scopes{};
    std::map<std::pair<double, JobId>, std::int32_t> members{};  // sizes
    std::size_t place = 0;  // among the sets with members
    bool is_guaranteed = false;
    bool has_inside = false;  // a scope limits its waiting jobs
    std::set<std::pair<std::int32_t, JobId>> waiting{};  // by size, where guaranteed
    // Rooms that it had, both numbers ascending: of one that had no less room than a
    // later one nothing is kept.
    std::vector<Earlier> earlier{};
  };
  [[nodiscard]] Labels labels_of(const Job& job) const;
  [[nodiscard]] Set& set_of(JobId id, const Job& job);
  [[nodiscard]] Set& set_with(const Labels& labels);
  void note_queued(Set& set, bool is_queued);
  void count_in(std::size_t kind, std::int32_t label, Set& set);
  [[nodiscard]] static std::int64_t unlimited(const Set& set);
  [[nodiscard]] static std::int64_t own(const Set& set);
  [[nodiscard]] std::int64_t room(const Set& set) const;
  [[nodiscard]] static bool is_never(const Set& set, const Job& job);
  [[nodiscard]] static bool is_outside(JobId id, const Set& set);
  template <class Is>
  [[nodiscard]] std::optional<At> first_member(const Is& is) const;
  [[nodiscard]] std::optional<At> first_that_stops() const;
  [[nodiscard]] bool is_behind_stop(const At& at) const;
  void follow_stop();
  [[nodiscard]] bool claims(const Set& set) const;
  void follow_claims();
  void count(Set& set, const Job& job, std::int64_t sign);
  void find_room(Set& set);

  std::shared_ptr<const LimitSettings> settings_;
  std::array<std::map<std::int32_t, Scope>, kLimitScopes> scopes_;
  std::map<Labels, Set> sets_;
  std::vector<Set*> of_jobs_;     // null: none was asked for
  std::vector<Set*> queued_;      // sets with members, in no order
  std::vector<Set*> guaranteed_;  // sets with guaranteed processors
  bool is_claimed_ = false;       // a job waits within them: none borrows
  std::set<JobId> never_;         // in the queue
  std::set<JobId> came_in_;       // among the first that wait, at that instant
  Time came_in_at_ = -1;
  Time eased_at_ = -1;
  bool stops_;
  std::optional<At> stop_{};  // the first member that a limit of running jobs bars
  std::int64_t changes_ = 0;
  std::int64_t stop_changes_ = 0;
  std::int64_t judged_ = 0;
};

// The line of a head promise has the first member that no limit bars, alone.
class ShownHead {
 public:
  // Makes the line so, as HeadPromise::ask_head wants.
  void settle(const LimitCheck& limits, std::span<const Job> jobs, Time now,
              HeadPromise& line);

 private:
  std::optional<WaitingLine::Member> head_{};
  std::uint32_t hint_ = 0;
  std::int64_t barred_ = 0;
};

}  // namespace berth::audit
