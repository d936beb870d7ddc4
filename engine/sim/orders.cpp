#include "engine/sim/orders.hpp"

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/share/shares.hpp"
#include "engine/share/turns.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/policy.hpp"

namespace berth::sim {

Orders::Orders(World& world, Policy& policy, Simulation& simulation)
    : world_(world),
      policy_(policy),
      simulation_(simulation),
      queues_(world.traits().orders.size() + 2),
      keys_(world.traits().orders.size()),
      due_(world.traits().orders.size()),
      by_return_(world.machine().life.has_events() &&
                 world.machine().life.requeue_place == RequeuePlace::kLose) {
  queues_.front().is_used = true;
  const auto& orders = world.traits().orders;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    due_[i] = orders[i].refresh.value_or(0);
  }
}

Orders::~Orders() = default;

Place Orders::place(JobId job, std::size_t order) const {
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
  auto newcomer = member(job, arrival);
  queues_.front().members.insert(newcomer);
  if (auto* shares = world_.state().shares) enter_shares(*shares, newcomer);
  for (auto& view : of_users_) {
    if (view.user != world_.jobs().job(job).user) continue;
    newcomer.place.key = view.base == 0 ? arrival : keys[view.base - 1];
    view.kept.members.insert(newcomer);
  }
  newcomer.place.key = arrival;
  if (queues_.back().is_used) queues_.back().members.insert(newcomer);
  if (keys.empty()) return;
  const auto kept = world_.state().jobs.keys(job);
  std::copy(keys.begin(), keys.end(), kept.begin());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    newcomer.place.key = keys[i];
    if (queues_[i + 1].is_used) queues_[i + 1].members.insert(newcomer);
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

QueueView Orders::other_queue(std::size_t order) const {
  if (order < fair_share()) {
    begin(order);
    return queues_[order].members;
  }
  if (order == fair_share()) return fair();
  if (order == kTurns) return turns();
  return of_users_[order - fair_share() - 1].kept.members;
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
  queue(view.base).for_each([&](const JobQueue::Member& each) {
    if (world_.jobs().job(each.place.job).user == view.user) members.push_back(each);
  });
  fill(view.kept, members);
}

const FairOrder& Orders::fair() const {
  if (fair_) return *fair_;
  const auto* shares = world_.shares();
  if (shares == nullptr) {
    throw Error(ErrorCode::kPolicy, "order \"fair_share\": no job names a user");
  }
  fair_.emplace(*shares);
  queues_.front().members.for_each([&](const JobQueue::Member& each) {
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
  const bool is_candidate = from != From::kQueue && queues_.back().is_used;
  if (is_candidate) queues_.back().members.erase({arrival_key(job), job});
}

void Orders::leave_queue(JobId job) {
  for (std::size_t order = 0; order <= keys_.size(); ++order) {
    if (queues_[order].is_used) queues_[order].members.erase(place(job, order));
  }
  for (auto& view : of_users_) {
    if (view.user != world_.jobs().job(job).user) continue;
    view.kept.members.erase(place(job, view.base));
  }
  if (auto* shares = world_.state().shares) {
    if (fair_) fair_->leave(job, world_.jobs().job(job));
    if (turns_) turns_->leave(job, world_.jobs().job(job));
    shares->left(world_.jobs().job(job));
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
  if (fair_) fair_->refresh(world_.now());
  if (keys_.empty()) return;
  for (std::size_t order = 1; order <= keys_.size(); ++order) {
    if (is_due(order)) refresh(order);
  }
}

void Orders::refresh(std::size_t order) {
  const Duration every = *world_.traits().orders[order - 1].refresh;
  std::vector<JobId> jobs;
  jobs.reserve(queues_.front().members.length());
  queues_.front().members.for_each(
      [&](const JobQueue::Member& each) { jobs.push_back(each.place.job); });
  std::vector<double> keys(jobs.size());
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
  const auto key_of = [&](JobId job) { return table.keys(job)[order - 1]; };
  if (queues_[order].is_used) queues_[order].members.rekey(key_of);
  for (auto& view : of_users_) {
    if (view.base == order) view.kept.members.rekey(key_of);
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
  queues_.front().members.for_each([&](JobQueue::Member each) {
    if (order <= keys_.size()) each.place.key = jobs.keys(each.place.job)[order - 1];
    members.push_back(each);
  });
  for (std::uint32_t i = 0; adds_candidates && i < jobs.size(); ++i) {
    const JobId job{i};
    if (jobs.runs_without_expected_end(job))
      members.push_back(member(job, arrival_key(job)));
  }
  fill(queues_[order], members);
}

void Orders::fill(Kept& kept, std::vector<JobQueue::Member>& members) {
  std::sort(members.begin(), members.end(),
            [](const auto& a, const auto& b) { return a.place < b.place; });
  kept.members = {};
  for (const auto& each : members) kept.members.insert(each);
  kept.is_used = true;
}

}  // namespace berth::sim
