#pragma once
// How much of the machine the running jobs of an array, a user, a group, a queue or an
// account may have, and how many of its jobs may wait for a start
// (docs/model.md#limits).
//
// A scope is one array, user, group, queue or account with a limit.  Jobs that count in
// the same scopes are a set: limits bar all members of a set alike, but for their
// sizes.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/refusal.hpp"
#include "engine/jobs/job.hpp"
#include "engine/jobs/label.hpp"

namespace berth {

enum class LimitScope : std::uint8_t { kArray, kUser, kGroup, kQueue, kAccount };
inline constexpr std::size_t kLimitScopes = 5;
// "array", "user", "group", "queue", "account".
[[nodiscard]] std::string_view name(LimitScope scope);

// nullopt: no limit.
struct ScopeLimits {
  // The running jobs of a scope have no more than this, at any instant.
  std::optional<std::int64_t> running_jobs{};
  std::optional<std::int64_t> processors{};
  // Only so many waiting jobs, the first in order of arrival, may start; >= 1.
  std::optional<std::int64_t> waiting_jobs{};
  std::optional<std::int64_t> tier{};  // of a queue
  // Of an account: a job whose start takes more than these processors borrows.
  std::optional<std::int64_t> guaranteed{};

  [[nodiscard]] bool is_scope() const {
    return running_jobs || processors || waiting_jobs || guaranteed;
  }

  friend bool operator==(const ScopeLimits&, const ScopeLimits&) = default;
};

// The arrays of which so many members may run at once.
struct LimitedArrays {
  std::unordered_map<std::int64_t, std::int32_t> of{};      // by the number of the job
  std::map<std::int32_t, ScopeLimits, LabelLess> limits{};  // by array
};

// A forest of accounts, in which a job counts in that of its group and in all above it.
class LimitedAccounts {
 public:
  struct Node {
    std::string name{};
    std::string parent{};  // empty: none
    std::vector<std::int32_t> groups{};
    friend bool operator==(const Node&, const Node&) = default;
  };
  // The label of an account is its place.  No two have a group in common.
  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
  // kUnknown: there is none of this name; no account has the group; it has no parent.
  [[nodiscard]] std::int32_t find(std::string_view name) const;
  [[nodiscard]] std::int32_t of_group(std::int32_t group) const;
  [[nodiscard]] std::int32_t parent(std::int32_t account) const;

  // The account of this name, made where there is none.
  std::int32_t make(std::string_view name);
  void put_parent(std::int32_t account, std::string parent);
  void put_groups(std::int32_t account, std::vector<std::int32_t> groups);

  friend bool operator==(const LimitedAccounts&, const LimitedAccounts&) = default;

 private:
  std::vector<Node> nodes_;
  std::map<std::string, std::int32_t, std::less<>> by_name_;
  std::map<std::int32_t, std::int32_t> of_group_;
};

struct LimitSettings {
  // One table for each kind of scope: what holds for each label, and by label, which
  // counts before it, limit by limit.
  struct Table {
    ScopeLimits each{};
    std::map<std::int32_t, ScopeLimits, LabelLess> named{};

    [[nodiscard]] ScopeLimits of(std::int32_t label) const;
    friend bool operator==(const Table&, const Table&) = default;
  };
  std::array<Table, kLimitScopes> tables{};
  // The first member of the queue that a limit of running jobs bars hides all behind
  // it.
  bool stop = false;
  std::shared_ptr<const LimitedArrays> arrays{};  // null: there are none
  LimitedAccounts accounts{};

  [[nodiscard]] const Table& table(LimitScope scope) const {
    return tables[static_cast<std::size_t>(scope)];
  }
  [[nodiscard]] Table& table(LimitScope scope) {
    return tables[static_cast<std::size_t>(scope)];
  }
  // What the job has of a scope's label: its array, user, group, queue or account;
  // kUnknown: none, which is a scope of its own.
  [[nodiscard]] std::int32_t label(LimitScope scope, const Job& job) const;
  // The label of the scope around this one, in which its jobs count, too; kUnknown:
  // there is none.
  [[nodiscard]] std::int32_t around(LimitScope scope, std::int32_t label) const {
    return scope == LimitScope::kAccount ? accounts.parent(label) : kUnknown;
  }
  // Whether an account has guaranteed processors.
  [[nodiscard]] bool has_guarantees() const;
  // Whether there is no limit, and no tier.
  [[nodiscard]] bool empty() const { return *this == LimitSettings(); }
  friend bool operator==(const LimitSettings&, const LimitSettings&) = default;
};

// Why a job may not start: of several limits the first by kind, and then by scope.
struct LimitBar {
  enum class Kind : std::uint8_t {
    kJobs,        // the scope has as many running jobs as it may
    kProcessors,  // with the job its running jobs would have more than they may
    kWaiting,     // the job is not among the first that wait in the scope
    kBorrowing,   // it would borrow while another job waits within its guarantees
    kAhead,       // a job before it is barred (LimitSettings::stop)
  };
  Kind kind;
  LimitScope scope{};
  std::int64_t limit = 0;
  std::int64_t held = 0;  // of it, by the running jobs of the scope

  [[nodiscard]] Refusal refusal() const;
};

// The running and waiting jobs of each scope.
//
// A set of jobs with guaranteed processors claims them while its smallest waiting job
// is barred by no limit and stays within them; while some set does, no job borrows.
//
//   operation            time, s = sets that count in a scope, w = its waiting jobs,
//                        g = sets with guaranteed processors
//   set_of               O(log sets)
//   hold, release        O(1); O(s) where the room of a scope changes
//   wait, leave          O(1); O(log w) in a scope with a limit of waiting jobs, or
//                        with guaranteed processors
//   these four           O(g) where the first set claims, or the last no longer does
//   bar, borrows, never  O(scopes of the set)
class LimitCounts {
 public:
  using Set = std::uint32_t;
  static constexpr std::int64_t kAnySize = std::numeric_limits<std::int64_t>::max();

  // The settings outlive it.
  explicit LimitCounts(const LimitSettings& settings)
      : settings_(settings), has_guarantees_(settings.has_guarantees()) {
    for (std::size_t kind = 0; kind < kLimitScopes; ++kind) {
      has_limits_[kind] = settings.tables[kind] != LimitSettings::Table();
    }
  }

  // The set of a job, made where the job is the first of it.
  [[nodiscard]] Set set_of(const Job& job);
  [[nodiscard]] std::int32_t tier(Set set) const { return sets_[set].tier; }
  // The largest size that may start now; 0: none; kAnySize: no job of the set so far is
  // too large.
  [[nodiscard]] std::int64_t room(Set set) const {
    const auto& members = sets_[set];
    return claims_ == 0 ? members.room : std::min(members.room, members.own);
  }

  // A job of the set starts or stops.
  void hold(Set set, std::int64_t size) { count(set, 1, size); }
  void release(Set set, std::int64_t size) { count(set, -1, -size); }
  // Sets whose room changed since they were forgotten; some more than once.
  [[nodiscard]] std::span<const Set> changed() const { return changed_; }

  // A job of the set waits, or no longer.
  void wait(Set set, JobId job, std::int64_t size);
  void leave(Set set, JobId job);
  // The job, if it waits, claims nothing until it is given back.
  void put_aside(JobId job) { claim(job, -1); }
  void give_back(JobId job) { claim(job, 1); }
  // Whether it waits, and is not among the first of a scope.
  [[nodiscard]] bool is_outside(JobId job) const {
    return !outside_.empty() && outside_.contains(job);
  }
  // The first scope of which it is none of those that may start.
  [[nodiscard]] std::optional<LimitBar> bar_outside(Set set, JobId job) const;
  // Waiting jobs that came to be among the first, or were and are not, since they were
  // forgotten; some more than once.
  [[nodiscard]] std::span<const JobId> moved() const { return moved_; }
  void forget_changes();

  // What bars a job of this size by what runs now; nullopt: nothing does.
  [[nodiscard]] std::optional<LimitBar> bar(Set set, std::int64_t size) const;
  // Whether it would borrow, and may not, though no limit bars it.
  [[nodiscard]] std::optional<LimitBar> borrows(Set set, std::int64_t size) const;
  // What bars it whatever runs.
  [[nodiscard]] std::optional<LimitBar> never(Set set, std::int64_t size) const;

 private:
  using Labels = std::array<std::int32_t, kLimitScopes>;
  struct Scope {
    LimitScope kind;
    ScopeLimits limits;
    std::int64_t jobs = 0;
    std::int64_t processors = 0;
    std::int64_t largest = 0;  // size of a job of it so far
    std::int64_t room = kAnySize;
    std::int64_t own = kAnySize;  // that is left of what is guaranteed
    std::vector<Set> sets{};
    // With a limit of waiting jobs.
    std::set<JobId> first{};  // so many, or all
    std::set<JobId> rest{};
  };
  struct Members {
    std::vector<std::uint32_t> scopes{};  // in the order of LimitScope, from within
    std::int32_t tier = 0;
    std::int64_t room = kAnySize;
    std::int64_t own = kAnySize;  // the largest size that borrows nothing
    // With guaranteed processors.
    bool is_guaranteed = false;
    bool claims = false;
    std::map<std::int64_t, std::int64_t> waiting{};  // how many of each size
  };
  struct Waiter {
    Set set;
    std::int64_t size;
  };

  [[nodiscard]] Set make_set(const Labels& labels);
  [[nodiscard]] std::uint32_t scope_of(LimitScope kind, std::int32_t label,
                                       const ScopeLimits& limits);
  void count(Set set, std::int64_t jobs, std::int64_t processors);
  void find_room(Scope& scope);
  void count_in(std::uint32_t scope, Set set);
  void find_claim(Set set);
  void claim(JobId job, std::int64_t sign);
  void count_waiter(const Waiter& waiter, std::int64_t sign);
  void put_outside(JobId job);
  void put_inside(JobId job);
  [[nodiscard]] static std::optional<LimitBar> bar(const Scope& scope,
                                                   std::int64_t jobs,
                                                   std::int64_t processors);

  const LimitSettings& settings_;
  std::array<bool, kLimitScopes> has_limits_{};  // by kind
  std::vector<Scope> scopes_;
  std::vector<Members> sets_;
  std::map<Labels, Set> by_labels_;  // of those kinds that have limits; looked up only
  std::array<std::map<std::int32_t, std::uint32_t>, kLimitScopes>
      by_label_;  // likewise
  std::vector<Set> changed_;
  std::map<JobId, int> outside_;  // of how many scopes
  std::vector<JobId> moved_;
  bool has_guarantees_;
  std::map<JobId, Waiter> waiting_;  // of sets with guaranteed processors
  std::vector<Set> guaranteed_;      // these sets
  std::int64_t claims_ = 0;          // sets that do
};

inline constexpr WhyRecord kArrayJobsWhy{
    0, "limit_array", "limit of running members of its array", "JobArrayTaskLimit",
    "As many members of its array run as workload.arrays allows."};
inline constexpr WhyRecord kUserJobsWhy{
    0, "limit_user_jobs", "limit of running jobs of its user", "QOSMaxJobsPerUserLimit",
    "Its user has as many running jobs as limits.users allows."};
inline constexpr WhyRecord kUserProcessorsWhy{
    0, "limit_user_processors", "limit of processors of its user",
    "QOSMaxCpuPerUserLimit",
    "With it the running jobs of its user would have more processors than limits.users "
    "allows."};
inline constexpr WhyRecord kGroupJobsWhy{
    0, "limit_group_jobs", "limit of running jobs of its group", "AssocGrpJobsLimit",
    "Its group has as many running jobs as limits.groups allows."};
inline constexpr WhyRecord kGroupProcessorsWhy{
    0, "limit_group_processors", "limit of processors of its group", "AssocGrpCpuLimit",
    "With it the running jobs of its group would have more processors than "
    "limits.groups allows."};
inline constexpr WhyRecord kQueueJobsWhy{
    0, "limit_queue_jobs", "limit of running jobs of its queue", "QOSGrpJobsLimit",
    "Its queue has as many running jobs as limits.queues allows."};
inline constexpr WhyRecord kQueueProcessorsWhy{
    0, "limit_queue_processors", "limit of processors of its queue", "QOSGrpCpuLimit",
    "With it the running jobs of its queue would have more processors than "
    "limits.queues allows."};
inline constexpr WhyRecord kAccountJobsWhy{
    0, "limit_account_jobs", "limit of running jobs of its account",
    "AssocGrpJobsLimit",
    "Its account, or one above it, has as many running jobs as limits.accounts "
    "allows."};
inline constexpr WhyRecord kAccountProcessorsWhy{
    0, "limit_account_processors", "limit of processors of its account",
    "AssocGrpCpuLimit",
    "With it the running jobs of its account, or of one above it, would have more "
    "processors than limits.accounts allows."};

inline constexpr WhyRecord kLimitWaitingWhy{
    0, "limit_waiting", "behind the first that wait", "",
    "It is not among the first waiting jobs of its user, group or queue, of which "
    "waiting_jobs may start."};
inline constexpr WhyRecord kBorrowingWhy{
    0, "borrowing", "it would borrow", "Priority",
    "With it an account would have more than is guaranteed to it, while another job "
    "waits for what is guaranteed to its own."};
inline constexpr WhyRecord kLimitAheadWhy{
    0, "limit_ahead", "behind a job that a limit bars", "Priority",
    "A limit bars a job before it, and limits.stop = true."};

// One refusal for a policy, whichever limit it is; arrays have none of processors.
inline constexpr std::array<RefusalWord, 2 * kLimitScopes> kLimitWords{
    RefusalWord{"limit", kArrayJobsWhy},   RefusalWord{"limit", kArrayJobsWhy},
    RefusalWord{"limit", kUserJobsWhy},    RefusalWord{"limit", kUserProcessorsWhy},
    RefusalWord{"limit", kGroupJobsWhy},   RefusalWord{"limit", kGroupProcessorsWhy},
    RefusalWord{"limit", kQueueJobsWhy},   RefusalWord{"limit", kQueueProcessorsWhy},
    RefusalWord{"limit", kAccountJobsWhy}, RefusalWord{"limit", kAccountProcessorsWhy}};
inline constexpr RefusalWord kLimitWaitingWord{"limit", kLimitWaitingWhy};
inline constexpr RefusalWord kBorrowingWord{"limit", kBorrowingWhy};
inline constexpr RefusalWord kLimitAheadWord{"limit", kLimitAheadWhy};

}  // namespace berth
