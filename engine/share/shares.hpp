#pragma once
// The users of a run: their decayed usage, their weights, and who is served first
// (docs/model.md#shares).
//
// A user is known from the first job submitted; jobs that name no user are one user,
// kUnknown.  A user's group is that of the first job.  With a period, usage is read as
// it was at the last multiple of it.
//
//   operation            time, u = users known
//   submitted, holds, releases, joined, left, usage, dominant    O(1)
//   standing, factor     O(1) by the rule of ratios; factor is kept for the instant
//   rank; standing, factor by other rules      O(u log u) once an instant, then O(1)

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/time.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/jobs/job.hpp"
#include "engine/jobs/label.hpp"
#include "engine/share/decayed_usage.hpp"
#include "engine/share/share_settings.hpp"

namespace berth {

class Shares {
 public:
  // Of a user, in the order of their first submits.
  using Number = std::uint32_t;

  // `kinds`: of the machine; at least processors.  Throws Error{kInput} for billing of
  // a kind that is not there or that costs too much.
  Shares(ShareSettings settings, std::vector<ResourceKind> kinds);

  // Why the weights of billing cannot be used on such a machine; empty: they can.  All
  // of a machine costs at most 4 * 10^12 a second, so that sums of charges are exact.
  [[nodiscard]] static std::string wrong_billing(
      const ShareSettings& settings, const std::vector<ResourceKind>& kinds);
  // What a job is charged for its processors each second, in millionths of one.
  [[nodiscard]] static std::int64_t rate_of_processors(const ShareSettings& settings,
                                                       const Job& job);
  // Whether any of the jobs names a user.
  [[nodiscard]] static bool have_users(std::span<const Job> jobs);

  // Events, in the order of time.  REQUIRES: the job was submitted; of joined and left,
  // holds and releases, each second one follows the first.
  void submitted(const Job& job);
  void joined(const Job& job) { ++users_[of(job)].waiting; }
  void left(const Job& job) { --users_[of(job)].waiting; }
  // `needs`: what the job holds of each kind; empty: its processors alone.
  using Amounts = std::span<const std::int64_t>;
  void holds(const Job& job, Time now, Amounts needs = {}) {
    charge(job, now, needs, 1);
  }
  void releases(const Job& job, Time now, Amounts needs = {}) {
    charge(job, now, needs, -1);
  }

  // What users, by their numbers in the trace, have been charged up to `now`, in the
  // units of usage(), whatever was counted of it here; of those to come, too.  Users
  // that are not named are left as they are.  `now` may be later than the last event.
  void told(std::map<std::int32_t, double> usage, Time now);

  // From the first call on, which users hold more or less since they were forgotten,
  // each once.
  void note_changes() { notes_changes_ = true; }
  [[nodiscard]] std::span<const Number> changed() const { return changed_; }
  void forget_changes();

  // Ask.
  [[nodiscard]] std::size_t known() const { return users_.size(); }
  // nullopt: no job of that user has been submitted.
  [[nodiscard]] std::optional<Number> find(std::int32_t user) const;
  // REQUIRES: the job was submitted.
  [[nodiscard]] Number of(const Job& job) const {
    const auto place = places_.find(job.user);
    BERTH_ASSERT(place != LabelPlaces::kNone);
    return place;
  }
  // The user's number in the trace.
  [[nodiscard]] std::int32_t name(Number user) const { return users_[user].name; }
  [[nodiscard]] double weight(Number user) const { return users_[user].weight; }
  [[nodiscard]] std::int64_t waiting(Number user) const { return users_[user].waiting; }
  // What the user's jobs hold now of a kind.
  [[nodiscard]] std::int64_t held(Number user, std::size_t kind = 0) const {
    return kind == 0 ? users_[user].held : users_[user].more[kind - 1];
  }
  // The largest part of the capacity of any kind that the user's jobs hold now.
  [[nodiscard]] double dominant(Number user) const;
  // In processor seconds, or the units of the billing weights.
  [[nodiscard]] double usage(Number user, Time now) const;
  // Smaller: served earlier; equal: together.
  [[nodiscard]] double standing(Number user, Time now) const;
  // From 1, equals share a place.
  [[nodiscard]] std::int64_t rank(Number user, Time now) const;
  // From 0 to 1, larger is better; 1 while no user has usage.
  [[nodiscard]] double factor(Number user, Time now) const {
    const bool is_kept = user < factors_.size() && factors_[user].as_of == now &&
                         factors_[user].known == users_.size();
    return is_kept ? factors_[user].value : found_factor(user, now);
  }

 private:
  struct User {
    std::int32_t name = kUnknown;
    std::int32_t group = kUnknown;
    double weight = 1;
    std::int64_t held = 0;             // processors
    std::vector<std::int64_t> more{};  // of further kinds
    std::int64_t waiting = 0;
    bool is_changed = false;  // and noted so
    DecayedUsage usage{};
    double read = 0;    // the usage at the last multiple of the period...
    Time read_at = -1;  // ...if it is this one
  };
  // What factor() found last, by the rule of ratios.
  struct Factor {
    Time as_of = -1;
    std::size_t known = 0;  // so many users then
    double value = 1;
  };
  // All users at one instant.
  struct Table {
    Time as_of = -1;
    std::vector<double> usage;
    std::vector<std::int64_t> before;  // how many users come before this one
  };

  void charge(const Job& job, Time now, Amounts needs, int sign);
  void charge(User& user, std::int64_t by, Time now) const;
  void set_told(User& user) const;
  [[nodiscard]] double found_factor(Number user, Time now) const;
  [[nodiscard]] double usage(const User& user, Time now) const;
  // All users as one, charged from the first call on.
  [[nodiscard]] const User& all(Time now) const;
  [[nodiscard]] std::int64_t rate(const Job& job, Amounts needs) const;
  // The instant whose usage counts at `now`.
  [[nodiscard]] Time instant(Time now) const {
    return settings_.period == 0 ? now : now / settings_.period * settings_.period;
  }
  [[nodiscard]] const Table& table(Time now) const;
  [[nodiscard]] std::vector<std::int64_t> places(const Table& table) const;

  ShareSettings settings_;
  std::vector<ResourceKind> kinds_;
  std::vector<User> users_;
  double all_weight_ = 0;
  mutable std::optional<User> all_;
  bool notes_changes_ = false;
  std::vector<Number> changed_;
  LabelPlaces places_;
  std::map<std::int32_t, double> told_{};  // usage, by number in the trace
  Time told_at_ = 0;
  mutable Table table_;
  mutable std::vector<Factor> factors_;  // by user
};

}  // namespace berth
