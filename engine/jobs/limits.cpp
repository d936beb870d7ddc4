#include "engine/jobs/limits.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace berth {

ScopeLimits LimitSettings::Table::of(std::int32_t label) const {
  auto limits = each;
  const auto at = named.find(label);
  if (at == named.end()) return limits;
  const auto& own = at->second;
  if (own.running_jobs) limits.running_jobs = own.running_jobs;
  if (own.processors) limits.processors = own.processors;
  if (own.waiting_jobs) limits.waiting_jobs = own.waiting_jobs;
  if (own.tier) limits.tier = own.tier;
  return limits;
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
  }
  return kUnknown;
}

Refusal LimitBar::refusal() const {
  if (kind == Kind::kWaiting) return kLimitWaitingWord;
  if (kind == Kind::kAhead) return kLimitAheadWord;
  const auto of_scope = 2 * static_cast<std::size_t>(scope);
  return kLimitWords[of_scope + (kind == Kind::kProcessors ? 1 : 0)];
}

// Labels of a kind without limits tell no sets apart.
LimitCounts::Set LimitCounts::set_of(const Job& job) {
  Labels labels{};
  for (std::size_t kind = 0; kind < kLimitScopes; ++kind) {
    if (settings_.tables[kind] == LimitSettings::Table()) continue;
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
    const auto limits = settings_.tables[kind].of(labels[kind]);
    if (limits.tier) sets_[set].tier = static_cast<std::int32_t>(*limits.tier);
    if (!limits.is_scope()) continue;
    const auto number = scope_of(static_cast<LimitScope>(kind), labels[kind], limits);
    sets_[set].scopes.push_back(number);
    sets_[set].room = std::min(sets_[set].room, scopes_[number].room);
    scopes_[number].sets.push_back(set);
  }
  return set;
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
  if (room == scope.room) return;
  scope.room = room;
  for (const auto set : scope.sets) {
    auto least = kAnySize;
    for (const auto each : sets_[set].scopes) {
      least = std::min(least, scopes_[each].room);
    }
    if (std::exchange(sets_[set].room, least) != least) changed_.push_back(set);
  }
}

void LimitCounts::wait(Set set, JobId job) {
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

void LimitCounts::put_outside(JobId job) {
  if (++outside_[job] == 1) moved_.push_back(job);
}

void LimitCounts::put_inside(JobId job) {
  const auto at = outside_.find(job);
  if (--at->second > 0) return;
  outside_.erase(at);
  moved_.push_back(job);
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

std::optional<LimitBar> LimitCounts::never(Set set, std::int64_t size) const {
  for (const auto number : sets_[set].scopes) {
    if (auto found = bar(scopes_[number], 1, size)) return found;
  }
  return std::nullopt;
}

}  // namespace berth
