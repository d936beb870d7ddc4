// How often each rule was checked, worked out from how many records there were of each
// kind; and sums over the run.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "engine/audit/auditor.hpp"

namespace berth::audit {

namespace {

using sim::kKind;
using sim::Promise;

// How often a record of a kind is held to a rule.  Every record is held to W6 once;
// what the law checks at starts and promotions is not in here.
struct Check {
  unsigned kind;
  Rule rule;
  std::int64_t times;
};
constexpr std::array kChecks{
    Check{kKind<sim::SubmitRecord>, kJobStates, 1},
    Check{kKind<sim::SubmitRecord>, kTimeOrder, 1},
    Check{kKind<sim::RejectRecord>, kJobStates, 2},
    Check{kKind<sim::StartRecord>, kJobStates, 1},
    Check{kKind<sim::StartRecord>, kTimeOrder, 1},
    Check{kKind<sim::StartRecord>, kRates, 2},
    Check{kKind<sim::ChangeRecord>, kRates, 1},
    Check{kKind<sim::SuspendRecord>, kJobStates, 2},
    Check{kKind<sim::UnfreezeRecord>, kRates, 1},
    Check{kKind<sim::RateRecord>, kRates, 1},
    Check{kKind<sim::EndRecord>, kJobStates, 2},
    Check{kKind<sim::EndRecord>, kWorkDone, 1},
    Check{kKind<sim::EndRecord>, kTimeBalance, 2},
    Check{kKind<sim::EndRecord>, kActionCount, 3},
    Check{kKind<sim::LeftRecord>, kWholePlacement, 1},
};

constexpr std::array kCounted{kCapacity};

Rule rule_of(Promise promise) {
  switch (promise) {
    case Promise::kEasy: return kHeadPromise;
    case Promise::kConservative: return kKeptReservation;
    case Promise::kTopFirst: return kTopFirst;
    case Promise::kInOrder: return kInOrder;
    case Promise::kFirstIfItFits: return kFirstIfItFits;
    case Promise::kNone: break;
  }
  return {};
}

}  // namespace

std::map<std::string, std::int64_t> Auditor::checked() const {
  std::map<std::string, std::int64_t> out;
  const auto add = [&](const Rule& rule, std::int64_t times) {
    if (times > 0) out[std::string(rule.code)] += times;
  };
  const auto add_all = [&](std::span<const Rule> rules, std::int64_t times) {
    for (const auto& rule : rules) add(rule, times);
  };
  for (const auto& check : kChecks) add(check.rule, check.times * records_[check.kind]);
  for (const auto times : records_) add(kTimeOrder, times);
  add_all(asks_law_ ? law_->terms().of_start : std::span<const Rule>(kCounted),
          records_[kKind<sim::StartRecord>]);
  const auto changes = records_[kKind<sim::ChangeRecord>];
  add_all(law_->terms().of_change, changes);
  add(kRates, promoted_);
  add(kJobStates, changes - promoted_);
  // Where jobs never move a record of the machine is a figure, and no half of a
  // bracket.
  const auto of_machine = records_[kKind<sim::MachineRecord>];
  const bool has_figures = law_->terms().of_change.empty();
  add_all(law_->terms().of_bracket, has_figures ? of_machine : of_machine / 2);
  add(kRates, rates_checked_);
  if (const auto& speeds = law_->terms().speeds) {
    add(speeds->rule, records_[kKind<sim::EndRecord>]);
  }
  add(rule_of(promise_), promises_judged());
  add(kPassesLeftOut, records_[kKind<sim::SparePassRecord>] / 2);
  add(kConstantKey, records_[kKind<sim::KeyRecord>]);
  add(kUtilisation, utilisations_checked_);
  add(kUsage, usages_checked_);
  if (releases_) add(kDependencies, releases_->judged());
  if (up_) add(kHostsUp, up_->judged());
  if (windows_) add(kWindows, windows_->judged());
  if (limits_) add(kLimits, limits_->judged());
  add(kAttempts, 3 * records_[kKind<sim::HitRecord>]);
  if (attempts_) add(kAttempts, attempts_->judged());
  add(kEstimates, estimates_judged_);
  if (!is_over_) return out;
  add(kTimeOrder, 1);
  add(kJobStates, static_cast<std::int64_t>(jobs_.size()));
  add(kWorkBalance, 1);
  return out;
}

// One byte each, and a million of them: not one by one.
bool Auditor::is_any(JobState state) const {
  static_assert(sizeof(JobState) == 1);
  return !states_.empty() && std::memchr(states_.data(), static_cast<int>(state),
                                         states_.size()) != nullptr;
}

double Auditor::work_of_present() const {
  double work = 0;
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    if (!queues(states_[i]) && states_[i] != JobState::kRunning) continue;
    work += lives_[JobId{i}].work * static_cast<double>(jobs_[i].size);
  }
  return work;
}

void Auditor::check_utilisation(double reported, Duration span) {
  ++utilisations_checked_;
  const double offered = static_cast<double>(machine_.processors) * to_seconds(span) -
                         total_seconds(missing_at_end_);
  const double used = total_seconds(held_);
  require(std::abs(reported * offered - used) <= 1e-9 * std::max(1.0, used),
          kUtilisation, std::nullopt,
          "the utilisation reported is not that of the processors held");
}

}  // namespace berth::audit
