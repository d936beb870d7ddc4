#include "engine/sim/orders.hpp"

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/queue/parted_queue.hpp"
#include "engine/share/shares.hpp"
#include "engine/share/turns.hpp"
#include "engine/sim/limits.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/settings.hpp"

namespace berth::sim {

namespace {

// Whether some queue has a tier of its own.
bool has_tiers(const LimitSettings& limits) {
  const auto& queues = limits.table(LimitScope::kQueue);
  return queues.each.tier ||
         std::any_of(queues.named.begin(), queues.named.end(),
                     [](const auto& each) { return each.second.tier.has_value(); });
}

}  // namespace

Orders::Orders(World& world, Policy& policy, Simulation& simulation)
    : world_(world),
      policy_(policy),
      simulation_(simulation),
      queues_(world.traits().orders.size() + 2),
      keys_(world.traits().orders.size()),
      due_(world.traits().orders.size()),
      by_return_(world.machine().life.has_events() &&
                 world.machine().life.requeue_place == RequeuePlace::kLose) {
  queues_.front().use = Kept::Use::kPlain;
  if (world.settings().limits != nullptr) make_limits();
  const auto& orders = world.traits().orders;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    due_[i] = orders[i].refresh.value_or(0);
  }
}

Orders::~Orders() = default;

Place Orders::place(JobId job, std::size_t order) const {
  if (order == 0) return {arrival_key(job), job};
  if (order > fair_share()) order = of_users_[order - fair_share() - 1].base;
  if (order == fair_share()) {
    const auto& by_users = fair();
    return by_users.place(job, world_.jobs().job(job));
  }
  if (order == 0 || order > keys_.size()) return {arrival_key(job), job};
  world_.require_state(job, world_.jobs().holds(job), "place");
  return {world_.jobs().keys(job)[order - 1], job};
}

Orders::Keys Orders::keys_of(JobId job, JobState as) {
  if (keys_.empty()) return {};
  const World::ReadingOnly reading(world_);
  auto& state = world_.state().jobs[job].state;
  const auto before = std::exchange(state, as);
  try {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      keys_[i] = policy_.key(simulation_, i, job);
    }
  } catch (...) {
    state = before;
    throw;
  }
  state = before;
  return keys_;
}

// Exact up to 285 years of ticks; equal keys are ordered by job.
double Orders::key_by_return(JobId job) const {
  const auto at = returned_.find(job);
  return static_cast<double>(at != returned_.end() ? at->second
                                                   : world_.jobs().job(job).submit);
}

void Orders::note_return(JobId job) {
  const auto& entry = world_.jobs()[job];
  if (!entry.was_hit || entry.state != JobState::kWaiting) return;
  returned_[job] = world_.now();
}

void Orders::enter(JobId job, Keys keys) {
  if (by_return_) note_return(job);
  const double arrival = arrival_key(job);
  const auto newcomer = member(job, arrival);
  queues_.front().members.insert(newcomer);
  if (auto* shares = world_.state().shares) enter_shares(*shares, newcomer);
  if (!of_users_.empty()) enter_views(newcomer, keys);
  if (queues_.back().use != Kept::Use::kNone) {
    queues_.back().members.insert(newcomer);
  }
  if (!keys.empty()) enter_orders(newcomer, keys);
  if (limits_) limits_->entered(job, world_.jobs().state(job), world_.now());
}

void Orders::enter_orders(JobQueue::Member newcomer, Keys keys) {
  const auto kept = world_.state().jobs.keys(newcomer.place.job);
  std::copy(keys.begin(), keys.end(), kept.begin());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    newcomer.place.key = keys[i];
    if (queues_[i + 1].use != Kept::Use::kNone) {
      queues_[i + 1].members.insert(newcomer);
    }
  }
}

void Orders::enter_views(JobQueue::Member newcomer, Keys keys) {
  const auto user = world_.jobs().job(newcomer.place.job).user;
  const double arrival = newcomer.place.key;
  for (auto& view : of_users_) {
    if (view.user != user) continue;
    newcomer.place.key = view.base == 0 ? arrival : keys[view.base - 1];
    view.kept.members.insert(newcomer);
  }
}

void Orders::enter_shares(Shares& shares, const JobQueue::Member& newcomer) {
  const JobId job = newcomer.place.job;
  const auto& asked = world_.jobs().job(job);
  const auto& traits = world_.traits();
  shares.joined(asked);
  if (turns_) turns_->enter(newcomer, asked);
  if (!fair_ && traits.default_order == traits.fair_share()) fair_.emplace(shares);
  if (fair_) fair_->enter(job, asked, newcomer.planned, world_.now());
}

const Orders::Kept& Orders::kept(std::size_t order) const {
  if (order > fair_share()) return of_users_[order - fair_share() - 1].kept;
  if (queues_[order].use == Kept::Use::kNone) begin(order);
  return queues_[order];
}

QueueView Orders::other_queue(std::size_t order) const {
  if (limits_ == nullptr) return all(order);
  if (order == kTurns) {
    throw Error(ErrorCode::kPolicy,
                "the order of the users by their dominant shares knows no limits; "
                "leave [limits] out");
  }
  if (order != fair_share()) return kept(order).parted->shown();
  if (has_tiers(*world_.settings().limits)) {
    throw Error(ErrorCode::kPolicy,
                "order \"fair_share\": it knows no tiers of queues; leave "
                "limits.queues.*.tier out");
  }
  if (shown_fair_ == nullptr) {
    shown_fair_ = std::make_unique<ShownOrder>(fair(), *limits_);
  }
  return *shown_fair_;
}

QueueView Orders::all(std::size_t order) const {
  if (order == fair_share()) return fair();
  if (order == kTurns) return turns();
  const auto& members = kept(order);
  if (members.use == Kept::Use::kParted) return members.parted->all();
  return members.members;
}

std::size_t Orders::of_user(std::size_t order, std::int32_t user) {
  if (order == world_.traits().candidates()) {
    throw Error(ErrorCode::kPolicy, "of: the candidates are no view of one user");
  }
  if (order > fair_share()) order = of_users_[order - fair_share() - 1].base;
  const auto base = order == fair_share() ? 0 : order;  // one user's jobs, by arrival
  const auto found = std::find_if(
      of_users_.begin(), of_users_.end(),
      [&](const auto& each) { return each.base == base && each.user == user; });
  const auto number = static_cast<std::size_t>(found - of_users_.begin());
  if (found == of_users_.end()) fill(of_users_.emplace_back(OfUser{base, user, {}}));
  return fair_share() + 1 + number;
}

std::optional<std::int32_t> Orders::user_of(std::size_t order) const {
  if (order <= fair_share()) return std::nullopt;
  return of_users_[order - fair_share() - 1].user;
}

void Orders::fill(OfUser& view) const {
  std::vector<JobQueue::Member> members;
  all(view.base).for_each([&](const JobQueue::Member& each) {
    if (world_.jobs().job(each.place.job).user == view.user) members.push_back(each);
  });
  fill(view.kept, members, false);
}

const FairOrder& Orders::fair() const {
  if (fair_) return *fair_;
  const auto* shares = world_.shares();
  if (shares == nullptr) {
    throw Error(ErrorCode::kPolicy, "order \"fair_share\": no job names a user");
  }
  fair_.emplace(*shares);
  all(0).for_each([&](const JobQueue::Member& each) {
    fair_->enter(each.place.job, world_.jobs().job(each.place.job), each.planned,
                 world_.now());
  });
  return *fair_;
}

const JobQueue& Orders::turns() const {
  if (turns_ == nullptr) {
    BERTH_ASSERT(world_.shares() != nullptr);
    turns_ = std::make_unique<Turns>(*world_.state().shares);
    queues_.front().members.for_each([&](const JobQueue::Member& each) {
      turns_->enter(each, world_.jobs().job(each.place.job));
    });
  }
  return turns_->heads();
}

void Orders::leave(JobId job, From from) {
  if (from != From::kCandidates) leave_queue(job);
  if (queues_.back().use == Kept::Use::kNone) return;
  if (from != From::kQueue) return erase(queues_.back(), {arrival_key(job), job});
  if (limits_) stay_candidate(job);
}

void Orders::leave_queue(JobId job) {
  using Use = Kept::Use;
  const bool is_plain = limits_ == nullptr;
  if (is_plain) queues_.front().members.erase({arrival_key(job), job});
  for (std::size_t order = is_plain ? 1 : 0; order <= keys_.size(); ++order) {
    auto& kept = queues_[order];
    if (kept.use == Use::kPlain) {
      kept.members.erase(place(job, order));
    } else if (kept.use == Use::kParted) {
      if (order == 0) limits_->left(job, world_.now());
      erase(kept, place(job, order));
    }
  }
  if (!of_users_.empty()) leave_views(job);
  if (auto* shares = world_.state().shares) {
    if (fair_) fair_->leave(job, world_.jobs().job(job));
    if (turns_) turns_->leave(job, world_.jobs().job(job));
    shares->left(world_.jobs().job(job));
  }
}

void Orders::leave_views(JobId job) {
  for (auto& view : of_users_) {
    if (view.user != world_.jobs().job(job).user) continue;
    erase(view.kept, place(job, view.base));
  }
}

bool Orders::is_due(std::size_t order) const {
  const auto& refresh = world_.traits().orders[order - 1].refresh;
  return refresh && world_.now() >= due_[order - 1];
}

bool Orders::is_refresh_due() const {
  const auto& orders = world_.traits().orders;
  for (std::size_t order = 1; order <= orders.size(); ++order) {
    if (orders[order - 1].refresh.value_or(0) > 0 && is_due(order)) return true;
  }
  return false;
}

void Orders::refresh() {
  if (fair_) {
    fair_->refresh(world_.now());
    if (limits_) limits_->reordered();
  }
  if (keys_.empty()) return;
  for (std::size_t order = 1; order <= keys_.size(); ++order) {
    if (is_due(order)) refresh(order);
  }
}

void Orders::refresh(std::size_t order) {
  const Duration every = *world_.traits().orders[order - 1].refresh;
  const auto members = all(0);
  auto& jobs = refreshed_.jobs;
  auto& keys = refreshed_.keys;
  jobs.resize(members.length());
  std::size_t at = 0;
  members.for_each([&](const JobQueue::Member& each) { jobs[at++] = each.place.job; });
  keys.resize(jobs.size());
  {
    const World::ReadingOnly reading(world_);
    policy_.keys(simulation_, order - 1, jobs, keys);
  }
  if (every > 0) due_[order - 1] = after(world_.now() / every * every, every);
  const bool is_told =
      world_.traits().default_order == order && world_.audience().wants<RekeyRecord>();
  auto& table = world_.state().jobs;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    table.keys(jobs[i])[order - 1] = keys[i];
    if (is_told) world_.audience().tell(RekeyRecord{world_.now(), jobs[i], keys[i]});
  }
  const auto rekey = [&](Kept& kept) {
    const auto key_of = [&](JobId job) { return table.keys(job)[order - 1]; };
    kept.members.rekey(key_of);
    if (kept.parted) kept.parted->rekey(key_of);
  };
  if (limits_) limits_->reordered();
  if (queues_[order].use != Kept::Use::kNone) rekey(queues_[order]);
  for (auto& view : of_users_) {
    if (view.base == order) rekey(view.kept);
  }
}

void Orders::tell_keys(JobId job) const {
  if (!world_.audience().wants<KeyRecord>()) return;
  const auto& orders = world_.traits().orders;
  const World::ReadingOnly reading(world_);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (orders[i].refresh) continue;
    const double entered = world_.jobs().keys(job)[i];
    world_.audience().tell(KeyRecord{world_.now(), job, orders[i].name, entered,
                                     policy_.key(simulation_, i, job)});
  }
}

void Orders::begin(std::size_t order) const {
  std::vector<JobQueue::Member> members;
  const auto& jobs = world_.jobs();
  const bool adds_candidates = order == world_.traits().candidates();
  all(0).for_each([&](JobQueue::Member each) {
    if (order <= keys_.size()) each.place.key = jobs.keys(each.place.job)[order - 1];
    members.push_back(each);
  });
  for (std::uint32_t i = 0; adds_candidates && i < jobs.size(); ++i) {
    const JobId job{i};
    if (jobs.runs_without_expected_end(job))
      members.push_back(member(job, arrival_key(job)));
  }
  fill(queues_[order], members, order == world_.traits().default_order);
}

void Orders::fill(Kept& kept, std::vector<JobQueue::Member>& members,
                  bool is_default) const {
  std::sort(members.begin(), members.end(),
            [](const auto& a, const auto& b) { return a.place < b.place; });
  kept.members = {};
  kept.use = Kept::Use::kPlain;
  if (limits_) begin_parts(kept, is_default);
  for (const auto& each : members) {
    const JobId job = each.place.job;
    kept.members.insert(each);
    const bool is_apart =
        limits_ && queues(world_.jobs().state(job)) && limits_->is_apart(job);
    if (!is_apart) continue;
    const Part part = limits_->parts().part_of(job);
    move(kept, each, nullptr, &part);
  }
}

// --- limits ---

void Orders::make_limits() {
  limits_ = std::make_unique<Limits>(
      world_.settings().limits, world_.jobs(),
      [this](JobId job, const Part* from, const Part* to) { move(job, from, to); },
      [this](JobId job) {
        if (!queues(world_.jobs().state(job))) return false;
        const auto order = world_.traits().default_order;
        const auto& stop = limits_->stop([this] { return first_stopping(); });
        return stop && all(order).is_before(*stop, place(job, order));
      });
  begin_parts(queues_.front(), world_.traits().default_order == 0);
}

void Orders::begin_parts(Kept& kept, bool is_default) const {
  kept.parted =
      std::make_unique<PartedQueue>(kept.members, limits_->parts(), is_default);
  kept.use = Kept::Use::kParted;
}

// The first member of the queue that a limit of running jobs bars.
std::optional<Place> Orders::first_stopping() const {
  const auto members = all(world_.traits().default_order);
  for (auto at = members.head(); at; at = members.next(&*at)) {
    world_.decision().budget.charge();
    if (limits_->may_stop(at->job)) return at;
  }
  return std::nullopt;
}

void Orders::move(JobId job, const Part* from, const Part* to) {
  for (std::size_t order = 0; order < queues_.size(); ++order) {
    auto& kept = queues_[order];
    if (kept.use == Kept::Use::kNone) continue;
    move(kept, member(job, place(job, order).key), from, to);
  }
  for (auto& view : of_users_) {
    if (view.user != world_.jobs().job(job).user) continue;
    move(view.kept, member(job, place(job, view.base).key), from, to);
  }
}

void Orders::move(Kept& kept, const JobQueue::Member& member, const Part* from,
                  const Part* to) const {
  if (from == nullptr) {
    kept.members.erase(member.place);
  } else {
    kept.parted->erase(*from, member.place);
  }
  if (to == nullptr) {
    kept.members.insert(member);
  } else {
    kept.parted->insert(*to, member);
  }
}

// The job is about to run as a candidate.
void Orders::stay_candidate(JobId job) {
  if (!limits_->is_apart(job)) return;
  const auto stays = member(job, arrival_key(job));
  erase(queues_.back(), stays.place);
  queues_.back().members.insert(stays);
}

// A job that runs, and is a candidate, stands with those that no limit hides.
void Orders::erase(Kept& kept, Place place) const {
  const bool is_apart = kept.parted && limits_->is_apart(place.job) &&
                        world_.jobs().state(place.job) != JobState::kRunning;
  if (is_apart) {
    kept.parted->erase(limits_->parts().part_of(place.job), place);
  } else {
    kept.members.erase(place);
  }
}

}  // namespace berth::sim
