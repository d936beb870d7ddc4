#include "engine/audit/fair_line.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/memory.hpp"

namespace berth::audit {

namespace {

constexpr double kNear = 1e-9;
const double kNaturalOfTwo = std::log(2.0);

// Usage so near to the least one may be none to a sum with other rounding errors.
bool may_be_none(double usage) { return usage < kLeastUsage * (1 + kNear); }
bool is_none(double usage) { return usage < kLeastUsage * (1 - kNear); }

}  // namespace

// What is charged for it each second, before the factor of its class.
double FairLine::units(const Job& job, Amounts amounts) const {
  double sum = 0;
  double most = 0;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    const auto all = static_cast<double>(kinds_[kind].capacity);
    double amount = kind == 0 ? job.size : 0;
    if (kind < amounts.size()) amount = static_cast<double>(amounts[kind]);
    double charged = 0;
    if (settings_.charge == Charge::kDominant) {
      const auto processors = static_cast<double>(kinds_.front().capacity);
      charged = amount == 0 ? 0 : amount / all * processors;
    } else if (const auto by = settings_.billing.find(kinds_[kind].name);
               by != settings_.billing.end()) {
      const bool is_memory = kinds_[kind].name == "memory";
      charged = by->second * (is_memory ? amount / kKibPerGib : amount);
    }
    sum += charged;
    most = std::max(most, charged);
  }
  const bool is_largest = settings_.charge == Charge::kDominant ||
                          settings_.billing_rule == BillingRule::kMax;
  return is_largest ? most : sum;
}

// To a millionth, by the model.
double FairLine::rate(const Job& job, Amounts amounts) const {
  const auto factor = settings_.class_factor.find(job.queue_class);
  const double by = factor == settings_.class_factor.end() ? 1.0 : factor->second;
  if (settings_.charge == Charge::kProcessors) {
    return std::round(by * 1e6) / 1e6 * job.size;
  }
  return std::round(by * units(job, amounts) * 1e6) / 1e6;
}

Time FairLine::instant(Time now) const {
  return settings_.period == 0 ? now : now - now % settings_.period;
}

// For the time since it was held.
double FairLine::charge(const Held& held, Time now) const {
  const double span = to_seconds(now - held.since);
  if (settings_.half_life == 0) return held.rate * span;
  const double half_life = to_seconds(settings_.half_life);
  const double faded = -std::expm1(-span / half_life * kNaturalOfTwo);
  return held.rate * half_life / kNaturalOfTwo * faded;
}

double FairLine::decayed(double usage, Duration span) const {
  if (settings_.half_life == 0) return usage;
  return usage * std::exp2(-to_seconds(span) / to_seconds(settings_.half_life));
}

double FairLine::usage(const User& user, Time at) const {
  double sum = decayed(user.past, at - user.past_at);
  for (const auto& held : user.running) sum += charge(held, at);
  return sum;
}

// Usage counts as of the last multiple of the period: it is read before it changes.
void FairLine::read_before(User& user, Time now) const {
  const Time at = instant(now);
  if (settings_.period == 0 || user.read_at == at) return;
  user.read = usage(user, at);
  user.read_at = at;
}

void FairLine::join(JobId id, const Job& job) {
  auto& user = users_[job.user];
  if (user.members.empty()) waiting_.emplace(job.user, &user);
  user.members.insert(id);
}

void FairLine::leave(JobId id, const Job& job) {
  auto& user = users_[job.user];
  user.members.erase(id);
  if (user.members.empty()) waiting_.erase(job.user);
}

void FairLine::hold(const Job& job, Time now, Amounts amounts) {
  auto& user = users_[job.user];
  read_before(user, now);
  user.running.push_back({rate(job, amounts), now});
}

void FairLine::release(const Job& job, Time now, Amounts amounts) {
  auto& user = users_[job.user];
  read_before(user, now);
  // Of equal rates any will do: the sum of their charges is that of all of them.
  const double own = rate(job, amounts);
  const auto at = std::find_if(user.running.begin(), user.running.end(),
                               [&](const Held& held) { return held.rate == own; });
  BERTH_ASSERT(at != user.running.end());
  user.past = decayed(user.past, now - user.past_at) + charge(*at, now);
  user.past_at = now;
  user.running.erase(at);
}

double FairLine::weight(std::int32_t user) const {
  const auto weight = settings_.users.find(user);
  return weight == settings_.users.end() ? 1.0 : weight->second;
}

// As of the last multiple of the period.
double FairLine::read(const User& user, Time now) const {
  const Time at = instant(now);
  return user.read_at == at ? user.read : usage(user, at);
}

double FairLine::usage(std::int32_t user, Time now) const {
  const auto at = users_.find(user);
  const double usage = at == users_.end() ? 0 : read(at->second, now);
  return usage < kLeastUsage ? 0 : usage;
}

bool FairLine::is_usage(double reported, std::int32_t user, Time now) const {
  const auto at = users_.find(user);
  const double own = at == users_.end() ? 0 : read(at->second, now);
  if (reported == 0) return may_be_none(own);
  return !is_none(own) && std::abs(reported - own) <= kNear * std::max(reported, own);
}

std::vector<JobId> FairLine::first(Time now) const {
  struct Candidate {
    JobId job;
    double usage;
    double standing;
  };
  std::vector<Candidate> all;
  std::optional<JobId> without;  // the first job of a user who has certainly none
  double least = 0;
  for (const auto& [number, user] : waiting_) {
    const JobId job = *user->members.begin();
    const double usage = read(*user, now);
    if (is_none(usage)) {
      without = std::min(without.value_or(job), job);
      continue;
    }
    const double standing = usage_by_weight(usage, weight(number));
    least = all.empty() ? standing : std::min(least, standing);
    all.push_back({job, usage, standing});
  }
  std::vector<JobId> jobs;
  if (without) jobs.push_back(*without);
  for (const auto& each : all) {
    const bool ties_with_none =
        may_be_none(each.usage) && (!without || each.job < *without);
    const bool is_least = !without && each.standing <= least * (1 + kNear);
    if (ties_with_none || is_least) jobs.push_back(each.job);
  }
  std::sort(jobs.begin(), jobs.end());
  return jobs;
}

}  // namespace berth::audit
