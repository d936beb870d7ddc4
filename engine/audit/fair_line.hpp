#pragma once
// The waiting jobs in the fair order, and the usage of each user, as the auditor
// derives them (docs/model.md#shares).
//
// Usage is summed job by job in its closed form, not step by step as the engine does.
// Standings that differ by less than one part in 10^9 cannot be told apart by rounding:
// any of these users may come first, but users without usage stand by (submit, id).
// Usage below kLeastUsage is none.  Under the fair tree the order is not judged.
//
// Cost         O(log q) a change, q = waiting jobs of the user; O(u r) a judgement, u =
//              users that wait, r = running jobs of a user

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/jobs/job.hpp"
#include "engine/share/share_settings.hpp"

namespace berth::audit {

class FairLine {
 public:
  // `kinds`: of the machine.
  FairLine(ShareSettings settings, std::vector<ResourceKind> kinds)
      : settings_(std::move(settings)), kinds_(std::move(kinds)) {}

  [[nodiscard]] bool judges() const { return settings_.rule == ShareRule::kRatio; }

  // The job joins or leaves the queue.  One that is not in may leave.
  void join(JobId id, const Job& job);
  void leave(JobId id, const Job& job);
  // It has processors from now on, or no longer; `amounts` is what it holds of each
  // kind, empty: its processors alone.
  using Amounts = std::span<const std::int64_t>;
  void hold(const Job& job, Time now, Amounts amounts);
  // REQUIRES: it has.
  void release(const Job& job, Time now, Amounts amounts);

  // The members that may be first now; more than one where standings are too close.
  // Empty: there are no members.
  [[nodiscard]] std::vector<JobId> first(Time now) const;

  // Usage of a user as of the last multiple of the period; 0 for one without jobs.
  [[nodiscard]] double usage(std::int32_t user, Time now) const;
  // Whether `reported` cannot be told apart from it by more than rounding.
  [[nodiscard]] bool is_usage(double reported, std::int32_t user, Time now) const;

 private:
  struct Held {
    double rate;  // processors, or what is charged for instead
    Time since;
  };
  struct User {
    std::set<JobId> members;
    std::vector<Held> running;
    double past = 0;    // processor seconds charged for jobs that have released...
    Time past_at = 0;   // ...as of then
    double read = 0;    // the usage at the last multiple of the period...
    Time read_at = -1;  // ...if it is this one
  };

  [[nodiscard]] double units(const Job& job, Amounts amounts) const;
  [[nodiscard]] double rate(const Job& job, Amounts amounts) const;
  [[nodiscard]] Time instant(Time now) const;
  [[nodiscard]] double charge(const Held& held, Time now) const;
  [[nodiscard]] double decayed(double usage, Duration span) const;
  [[nodiscard]] double usage(const User& user, Time at) const;
  [[nodiscard]] double weight(std::int32_t user) const;
  // Not yet none where it is below kLeastUsage.
  [[nodiscard]] double read(const User& user, Time now) const;
  void read_before(User& user, Time now) const;

  ShareSettings settings_;
  std::vector<ResourceKind> kinds_;
  std::map<std::int32_t, User> users_;
  std::map<std::int32_t, const User*> waiting_;  // those with members
};

}  // namespace berth::audit
