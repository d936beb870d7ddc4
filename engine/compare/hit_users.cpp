#include "engine/compare/hit_users.hpp"

#include <algorithm>
#include <utility>

#include "engine/compare/comparable.hpp"
#include "engine/jobs/label.hpp"
#include "engine/machines/metric_list.hpp"
#include "engine/metrics/compensated_sum.hpp"

namespace berth {

namespace {

using HitUsers = Comparison::HitUsers;

const UserSummary* find_user(const ComparedRun& run, std::int32_t user) {
  const auto& users = run.summary.users;
  const auto at = std::lower_bound(users.begin(), users.end(), user,
                                   [](const UserSummary& it, std::int32_t wanted) {
                                     return LabelLess()(it.user, wanted);
                                   });
  return at != users.end() && at->user == user ? &*at : nullptr;
}

// nullopt if the user has no finished job in some run.
std::optional<HitUsers::Change> change_of(std::int32_t user,
                                          const ComparedPolicy& base_policy,
                                          const ComparedPolicy& other_policy) {
  const auto distinct = distinct_runs(other_policy).size();
  HitUsers::Change change{user, 0.0, 0, distinct};
  CompensatedSum sum;
  const auto& base = base_policy.runs;
  const auto& other = other_policy.runs;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const auto* before = find_user(*base[i], user);
    const auto* after = find_user(*other[i], user);
    const bool has_both =
        before != nullptr && after != nullptr && before->mean_wait && after->mean_wait;
    if (!has_both) return std::nullopt;
    sum.add(*after->mean_wait - *before->mean_wait);
    if (i < distinct) change.jobs += after->finished;
  }
  change.wait = sum.value() / static_cast<double>(base.size());
  return change;
}

std::optional<HitUsers> hits(const ComparedPolicy& base, const ComparedPolicy& other) {
  if (!is_complete(base) || !is_complete(other)) return std::nullopt;
  if (!comparable(metric_record("mean_wait"), base, other)) return std::nullopt;
  std::optional<HitUsers> found;
  for (const auto& user : base.runs.front()->summary.users) {
    if (user.user < 0) continue;
    const auto change = change_of(user.user, base, other);
    if (!change) continue;
    if (!found) found = {0, other.label, *change, *change};
    if (change->wait < found->best.wait) found->best = *change;
    if (change->wait > found->worst.wait) found->worst = *change;
  }
  // One user has no other to be compared with.
  if (found && found->best.user == found->worst.user) return std::nullopt;
  return found;
}

}  // namespace

std::vector<Comparison::HitUsers> hit_users(std::span<const ComparedCell> cells) {
  std::vector<HitUsers> all;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto& policies = cells[i].policies;
    for (std::size_t other = 1; other < policies.size(); ++other) {
      auto found = hits(policies.front(), policies[other]);
      if (!found) continue;
      found->cell = i;
      all.push_back(std::move(*found));
    }
  }
  return all;
}

}  // namespace berth
