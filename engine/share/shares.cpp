#include "engine/share/shares.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/memory.hpp"
#include "engine/share/fair_tree.hpp"

namespace berth {

namespace {

double or_one(const std::map<std::int32_t, double>& values, std::int32_t key) {
  const auto at = values.find(key);
  return at == values.end() ? 1.0 : at->second;
}

// What is charged for these needs each second, before the factor of a class.
double billed(const ShareSettings& settings, const std::vector<ResourceKind>& kinds,
              Shares::Amounts needs) {
  const bool is_dominant = settings.charge == Charge::kDominant;
  double sum = 0;
  double most = 0;
  for (std::size_t kind = 0; kind < needs.size(); ++kind) {
    const auto amount = static_cast<double>(needs[kind]);
    double term = 0;
    if (is_dominant) {
      const auto capacity = static_cast<double>(kinds[kind].capacity);
      const auto processors = static_cast<double>(kinds.front().capacity);
      term = amount == 0 ? 0 : amount / capacity * processors;
    } else {
      const auto weight = settings.billing.find(kinds[kind].name);
      if (weight == settings.billing.end()) continue;
      const bool is_memory = kinds[kind].name == "memory";
      term = weight->second * (is_memory ? amount / kKibPerGib : amount);
    }
    sum += term;
    most = std::max(most, term);
  }
  const bool is_max = is_dominant || settings.billing_rule == BillingRule::kMax;
  return is_max ? most : sum;
}

}  // namespace

std::string Shares::wrong_billing(const ShareSettings& settings,
                                  const std::vector<ResourceKind>& kinds) {
  if (settings.charge != Charge::kBilling) return {};
  std::vector<std::int64_t> all;
  all.reserve(kinds.size());
  for (const auto& kind : kinds) all.push_back(kind.capacity);
  double factor = 1;
  for (const auto& [label, own] : settings.class_factor) factor = std::max(factor, own);
  constexpr double kMost = 4e12;  // in millionths this is below 2^62
  if (factor * billed(settings, kinds, all) <= kMost) return {};
  return "shares.billing: all of the machine costs more than 4e12 a second; use "
         "smaller weights, since they count only against each other";
}

Shares::Shares(ShareSettings settings, std::vector<ResourceKind> kinds)
    : settings_(std::move(settings)), kinds_(std::move(kinds)) {
  for (const auto& [name, weight] : settings_.billing) {
    const bool is_known =
        std::any_of(kinds_.begin(), kinds_.end(),
                    [&name = name](const auto& kind) { return kind.name == name; });
    if (is_known) continue;
    throw Error(ErrorCode::kInput,
                "shares.billing." + name + ": the machine has no kind of this name");
  }
  if (const auto wrong = wrong_billing(settings_, kinds_); !wrong.empty()) {
    throw Error(ErrorCode::kInput, wrong);
  }
}

std::int64_t Shares::rate_of_processors(const ShareSettings& settings, const Job& job) {
  const double factor = or_one(settings.class_factor, job.queue_class);
  return std::llround(factor * DecayedUsage::kProcessor) * job.size;
}

bool Shares::have_users(std::span<const Job> jobs) {
  return std::any_of(jobs.begin(), jobs.end(),
                     [](const Job& job) { return job.user != kUnknown; });
}

void Shares::submitted(const Job& job) {
  if (places_.add(job.user) < users_.size()) return;
  User user;
  user.name = job.user;
  user.group = job.group;
  user.weight = or_one(settings_.users, job.user);
  user.more.assign(kinds_.size() - 1, 0);
  if (!told_.empty()) set_told(user);
  all_weight_ += user.weight;
  users_.push_back(std::move(user));
  table_.as_of = -1;
}

void Shares::told(std::map<std::int32_t, double> usage, Time now) {
  told_ = std::move(usage);
  told_at_ = now;
  for (auto& user : users_) set_told(user);
  all_.reset();
  factors_.clear();
  table_.as_of = -1;
}

// With a period, what was told counts up to the next multiple of it.
void Shares::set_told(User& user) const {
  const auto at = told_.find(user.name);
  if (at == told_.end()) return;
  user.usage.set(at->second, told_at_, settings_.half_life);
  user.read = at->second;
  user.read_at = instant(told_at_);
}

// In millionths of a processor.  All jobs that run at once are charged below 2^62: 10^7
// processors at a factor of 1000 are 10^16, at most 16 times that under the dominant
// share, and wrong_billing() bounds the rest.
std::int64_t Shares::rate(const Job& job, Amounts needs) const {
  if (settings_.charge == Charge::kProcessors)
    return rate_of_processors(settings_, job);
  const double factor = or_one(settings_.class_factor, job.queue_class);
  const std::int64_t size = job.size;
  const double units =
      billed(settings_, kinds_, needs.empty() ? Amounts(&size, 1) : needs);
  return std::llround(factor * units * DecayedUsage::kProcessor);
}

void Shares::charge(User& user, std::int64_t by, Time now) const {
  const Time read_at = instant(now);
  if (settings_.period != 0 && user.read_at != read_at &&
      user.usage.since() <= read_at) {
    user.read = user.usage.at(read_at, settings_.half_life);
    user.read_at = read_at;
  }
  user.usage.change_rate(by, now, settings_.half_life);
}

void Shares::charge(const Job& job, Time now, Amounts needs, int sign) {
  const auto number = of(job);
  auto& user = users_[number];
  const auto by = sign * rate(job, needs);
  charge(user, by, now);
  if (all_) charge(*all_, by, now);
  if (notes_changes_ && !std::exchange(user.is_changed, true)) {
    changed_.push_back(number);
  }
  user.held += std::int64_t{sign} * job.size;
  for (std::size_t kind = 1; kind < needs.size(); ++kind) {
    user.more[kind - 1] += sign * needs[kind];
  }
}

std::optional<Shares::Number> Shares::find(std::int32_t user) const {
  const auto place = places_.find(user);
  return place == LabelPlaces::kNone ? std::nullopt : std::optional(place);
}

void Shares::forget_changes() {
  for (const auto number : changed_) users_[number].is_changed = false;
  changed_.clear();
}

double Shares::dominant(Number user) const {
  double most = 0;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    const auto capacity = static_cast<double>(kinds_[kind].capacity);
    if (capacity > 0)
      most = std::max(most, static_cast<double>(held(user, kind)) / capacity);
  }
  return most;
}

double Shares::usage(Number user, Time now) const { return usage(users_[user], now); }

double Shares::usage(const User& user, Time now) const {
  const Time as_of = instant(now);
  if (user.read_at == as_of) return user.read;
  return user.usage.at(std::max(as_of, user.usage.since()), settings_.half_life);
}

double Shares::standing(Number user, Time now) const {
  if (settings_.rule == ShareRule::kRatio)
    return usage_by_weight(usage(user, now), users_[user].weight);
  return static_cast<double>(table(now).before[user]);
}

std::int64_t Shares::rank(Number user, Time now) const {
  return table(now).before[user] + 1;
}

double Shares::found_factor(Number user, Time now) const {
  if (settings_.rule == ShareRule::kFairTree) {
    const auto n = static_cast<double>(users_.size());
    return (n - static_cast<double>(table(now).before[user])) / n;
  }
  if (factors_.size() < users_.size()) factors_.resize(users_.size());
  auto& kept = factors_[user];
  kept = {now, users_.size(), 1};
  const double total = usage(all(now), now);
  if (total == 0) return 1;
  const double part = usage(user, now) / total;
  return kept.value = std::exp2(-part / (users_[user].weight / all_weight_));
}

const Shares::User& Shares::all(Time now) const {
  if (all_) return *all_;
  all_.emplace(User());
  for (const auto& user : users_) {
    all_->read += usage(user, now);
    all_->usage.add(user.usage, now, settings_.half_life);
  }
  all_->read_at = instant(now);
  return *all_;
}

const Shares::Table& Shares::table(Time now) const {
  const Time as_of = instant(now);
  if (table_.as_of == as_of && table_.usage.size() == users_.size()) return table_;
  table_ = {as_of, {}, {}};
  table_.usage.reserve(users_.size());
  for (const auto& user : users_) table_.usage.push_back(usage(user, now));
  table_.before = places(table_);
  return table_;
}

std::vector<std::int64_t> Shares::places(const Table& all) const {
  if (settings_.rule == ShareRule::kFairTree) {
    std::vector<TreeUser> tree;
    for (std::size_t i = 0; i < users_.size(); ++i) {
      tree.push_back({users_[i].group, users_[i].weight, all.usage[i]});
    }
    return fair_tree(tree, settings_.groups);
  }
  std::vector<double> ratios;
  ratios.reserve(users_.size());
  for (std::size_t i = 0; i < users_.size(); ++i) {
    ratios.push_back(usage_by_weight(all.usage[i], users_[i].weight));
  }
  auto sorted = ratios;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t> before;
  before.reserve(ratios.size());
  for (const double ratio : ratios) {
    before.push_back(std::lower_bound(sorted.begin(), sorted.end(), ratio) -
                     sorted.begin());
  }
  return before;
}

}  // namespace berth
