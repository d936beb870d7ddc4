#include "engine/jobs/limits.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace berth {

std::string_view name(LimitScope scope) {
  constexpr std::array<std::string_view, kLimitScopes> kScopes{"array", "user", "group",
                                                               "queue", "account"};
  return kScopes[static_cast<std::size_t>(scope)];
}

ScopeLimits LimitSettings::Table::of(std::int32_t label) const {
  auto limits = each;
  const auto at = named.find(label);
  if (at == named.end()) return limits;
  const auto& own = at->second;
  if (own.running_jobs) limits.running_jobs = own.running_jobs;
  if (own.processors) limits.processors = own.processors;
  if (own.waiting_jobs) limits.waiting_jobs = own.waiting_jobs;
  if (own.tier) limits.tier = own.tier;
  if (own.guaranteed) limits.guaranteed = own.guaranteed;
  return limits;
}

std::int32_t LimitedAccounts::find(std::string_view name) const {
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? kUnknown : at->second;
}

std::int32_t LimitedAccounts::of_group(std::int32_t group) const {
  const auto at = of_group_.find(group);
  return at == of_group_.end() ? kUnknown : at->second;
}

std::int32_t LimitedAccounts::parent(std::int32_t account) const {
  return account == kUnknown ? kUnknown
                             : find(nodes_[static_cast<std::size_t>(account)].parent);
}

std::int32_t LimitedAccounts::make(std::string_view name) {
  const auto [at, is_new] =
      by_name_.try_emplace(std::string(name), static_cast<std::int32_t>(nodes_.size()));
  if (is_new) nodes_.emplace_back().name = name;
  return at->second;
}

void LimitedAccounts::put_parent(std::int32_t account, std::string parent) {
  nodes_[static_cast<std::size_t>(account)].parent = std::move(parent);
}

void LimitedAccounts::put_groups(std::int32_t account,
                                 std::vector<std::int32_t> groups) {
  auto& node = nodes_[static_cast<std::size_t>(account)];
  for (const auto group : node.groups) of_group_.erase(group);
  node.groups = std::move(groups);
  for (const auto group : node.groups) of_group_[group] = account;
}

std::int32_t LimitSettings::label(LimitScope scope, const Job& job) const {
  switch (scope) {
    case LimitScope::kArray: {
      if (arrays == nullptr) return kUnknown;
      const auto at = arrays->of.find(job.id);
      return at == arrays->of.end() ? kUnknown : at->second;
    }
    case LimitScope::kUser: return job.user;
    case LimitScope::kGroup: return job.group;
    case LimitScope::kQueue: return job.queue_class;
    case LimitScope::kAccount: return accounts.of_group(job.group);
  }
  return kUnknown;
}

bool LimitSettings::has_guarantees() const {
  const auto& named = table(LimitScope::kAccount).named;
  return std::any_of(named.begin(), named.end(), [](const auto& each) {
    return each.second.guaranteed.has_value();
  });
}

Refusal LimitBar::refusal() const {
  if (kind == Kind::kWaiting) return kLimitWaitingWord;
  if (kind == Kind::kBorrowing) return kBorrowingWord;
  if (kind == Kind::kAhead) return kLimitAheadWord;
  const auto of_scope = 2 * static_cast<std::size_t>(scope);
  return kLimitWords[of_scope + (kind == Kind::kProcessors ? 1 : 0)];
}

// Labels of a kind without limits tell no sets apart.
LimitCounts::Set LimitCounts::set_of(const Job& job) {
  Labels labels;
  labels.fill(kUnknown);
  for (std::size_t kind = 0; kind < kLimitScopes; ++kind) {
    if (has_limits_[kind])
      labels[kind] = settings_.label(static_cast<LimitScope>(kind), job);
  }
  const auto at = by_labels_.find(labels);
  const auto set = at != by_labels_.end() ? at->second : make_set(labels);
  for (const auto number : sets_[set].scopes) {
    auto& scope = scopes_[number];
    if (job.size <= scope.largest) continue;
    scope.largest = job.size;
    find_room(scope);
  }
  return set;
}

LimitCounts::Set LimitCounts::make_set(const Labels& labels) {
  const auto set = static_cast<Set>(sets_.size());
  by_labels_.emplace(labels, set);
  sets_.emplace_back();
  for (std::size_t kind = 0; kind < kLimitScopes; ++kind) {
    const auto scope = static_cast<LimitScope>(kind);
    auto label = labels[kind];
    do {
      const auto limits = settings_.tables[kind].of(label);
      if (limits.tier) sets_[set].tier = static_cast<std::int32_t>(*limits.tier);
      if (limits.is_scope()) count_in(scope_of(scope, label, limits), set);
      label = settings_.around(scope, label);
    } while (label != kUnknown);
  }
  if (sets_[set].is_guaranteed) guaranteed_.push_back(set);
  return set;
}

void LimitCounts::count_in(std::uint32_t number, Set set) {
  auto& scope = scopes_[number];
  auto& members = sets_[set];
  scope.sets.push_back(set);
  members.scopes.push_back(number);
  members.room = std::min(members.room, scope.room);
  members.own = std::min(members.own, scope.own);
  members.is_guaranteed = members.is_guaranteed || scope.limits.guaranteed.has_value();
}

std::uint32_t LimitCounts::scope_of(LimitScope kind, std::int32_t label,
                                    const ScopeLimits& limits) {
  const auto number = static_cast<std::uint32_t>(scopes_.size());
  const auto [at, is_new] =
      by_label_[static_cast<std::size_t>(kind)].try_emplace(label, number);
  if (is_new) {
    scopes_.push_back({kind, limits});
    find_room(scopes_.back());
  }
  return at->second;
}

void LimitCounts::count(Set set, std::int64_t jobs, std::int64_t processors) {
  for (const auto number : sets_[set].scopes) {
    auto& scope = scopes_[number];
    scope.jobs += jobs;
    scope.processors += processors;
    find_room(scope);
  }
}

// Room for the largest job is room for any, so that limits which are far off change
// nothing.
void LimitCounts::find_room(Scope& scope) {
  auto room = kAnySize;
  const auto& limits = scope.limits;
  if (limits.running_jobs && scope.jobs >= *limits.running_jobs) room = 0;
  if (limits.processors) {
    const auto left = std::max(std::int64_t{0}, *limits.processors - scope.processors);
    if (left < scope.largest) room = std::min(room, left);
  }
  auto own = kAnySize;
  if (limits.guaranteed) {
    const auto left = std::max(std::int64_t{0}, *limits.guaranteed - scope.processors);
    if (left < scope.largest) own = left;
  }
  if (room == scope.room && own == scope.own) return;
  scope.room = room;
  scope.own = own;
  for (const auto set : scope.sets) {
    auto& members = sets_[set];
    const auto before = this->room(set);
    members.room = members.own = kAnySize;
    for (const auto each : members.scopes) {
      members.room = std::min(members.room, scopes_[each].room);
      members.own = std::min(members.own, scopes_[each].own);
    }
    if (this->room(set) != before) changed_.push_back(set);
    find_claim(set);
  }
}

void LimitCounts::find_claim(Set set) {
  auto& members = sets_[set];
  const bool claims =
      !members.waiting.empty() &&
      members.waiting.begin()->first <= std::min(members.room, members.own);
  if (std::exchange(members.claims, claims) == claims) return;
  claims_ += claims ? 1 : -1;
  if (claims_ > (claims ? 1 : 0)) return;
  changed_.insert(changed_.end(), guaranteed_.begin(), guaranteed_.end());
}

// A job outside claims nothing.
void LimitCounts::claim(JobId job, std::int64_t sign) {
  const auto at = waiting_.find(job);
  if (at == waiting_.end() || is_outside(job)) return;
  count_waiter(at->second, sign);
}

void LimitCounts::count_waiter(const Waiter& waiter, std::int64_t sign) {
  auto& waiting = sets_[waiter.set].waiting;
  const auto at = waiting.try_emplace(waiter.size, 0).first;
  at->second += sign;
  if (at->second == 0) waiting.erase(at);
  find_claim(waiter.set);
}

void LimitCounts::wait(Set set, JobId job, std::int64_t size) {
  if (sets_[set].is_guaranteed) {
    waiting_.emplace(job, Waiter{set, size});
    claim(job, 1);
  }
  for (const auto number : sets_[set].scopes) {
    auto& scope = scopes_[number];
    if (!scope.limits.waiting_jobs) continue;
    const auto most = static_cast<std::size_t>(*scope.limits.waiting_jobs);
    const bool is_full = scope.first.size() >= most;
    if (is_full && *scope.first.rbegin() < job) {
      scope.rest.insert(job);
      put_outside(job);
      continue;
    }
    scope.first.insert(job);
    if (!is_full) continue;
    const auto last = std::prev(scope.first.end());
    put_outside(*last);
    scope.rest.insert(scope.first.extract(last));
  }
}

void LimitCounts::leave(Set set, JobId job) {
  if (has_guarantees_) {
    claim(job, -1);
    waiting_.erase(job);
  }
  for (const auto number : sets_[set].scopes) {
    auto& scope = scopes_[number];
    if (!scope.limits.waiting_jobs) continue;
    if (scope.rest.erase(job) > 0) {
      put_inside(job);
    } else if (scope.first.erase(job) > 0 && !scope.rest.empty()) {
      put_inside(*scope.rest.begin());
      scope.first.insert(scope.rest.extract(scope.rest.begin()));
    }
  }
}

std::optional<LimitBar> LimitCounts::bar_outside(Set set, JobId job) const {
  for (const auto number : sets_[set].scopes) {
    const auto& scope = scopes_[number];
    if (!scope.rest.contains(job)) continue;
    return LimitBar{LimitBar::Kind::kWaiting, scope.kind, *scope.limits.waiting_jobs,
                    static_cast<std::int64_t>(scope.first.size())};
  }
  return std::nullopt;
}

void LimitCounts::put_outside(JobId job) {
  auto& scopes = outside_[job];
  if (++scopes > 1) return;
  moved_.push_back(job);
  if (const auto at = waiting_.find(job); at != waiting_.end()) {
    count_waiter(at->second, -1);
  }
}

void LimitCounts::put_inside(JobId job) {
  const auto at = outside_.find(job);
  if (--at->second > 0) return;
  outside_.erase(at);
  moved_.push_back(job);
  claim(job, 1);
}

void LimitCounts::forget_changes() {
  changed_.clear();
  moved_.clear();
}

std::optional<LimitBar> LimitCounts::bar(const Scope& scope, std::int64_t jobs,
                                         std::int64_t processors) {
  using Kind = LimitBar::Kind;
  const auto& limits = scope.limits;
  if (limits.running_jobs && jobs > *limits.running_jobs) {
    return LimitBar{Kind::kJobs, scope.kind, *limits.running_jobs, scope.jobs};
  }
  if (limits.processors && processors > *limits.processors) {
    return LimitBar{Kind::kProcessors, scope.kind, *limits.processors,
                    scope.processors};
  }
  return std::nullopt;
}

std::optional<LimitBar> LimitCounts::bar(Set set, std::int64_t size) const {
  for (const auto number : sets_[set].scopes) {
    const auto& scope = scopes_[number];
    if (auto found = bar(scope, scope.jobs + 1, scope.processors + size)) return found;
  }
  return std::nullopt;
}

std::optional<LimitBar> LimitCounts::borrows(Set set, std::int64_t size) const {
  if (claims_ == 0) return std::nullopt;
  for (const auto number : sets_[set].scopes) {
    const auto& scope = scopes_[number];
    const auto guaranteed = scope.limits.guaranteed;
    if (!guaranteed || scope.processors + size <= *guaranteed) continue;
    return LimitBar{LimitBar::Kind::kBorrowing, scope.kind, *guaranteed,
                    scope.processors};
  }
  return std::nullopt;
}

std::optional<LimitBar> LimitCounts::never(Set set, std::int64_t size) const {
  for (const auto number : sets_[set].scopes) {
    if (auto found = bar(scopes_[number], 1, size)) return found;
  }
  return std::nullopt;
}

}  // namespace berth
