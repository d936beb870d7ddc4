#include "engine/sim/orders.hpp"

#include <algorithm>

namespace berth::sim {

Orders::Orders(World& world, Policy& policy, Simulation& simulation)
    : world_(world),
      policy_(policy),
      simulation_(simulation),
      queues_(world.traits().orders.size() + 2),
      keys_(world.traits().orders.size()),
      refreshed_(world.traits().orders.size(), Time{0}) {
  queues_.front().is_used = true;
}

Place Orders::place(JobId job, std::size_t order) const {
  if (order == 0 || order > keys_.size()) return {0.0, job};
  world_.require_state(job, world_.jobs().holds(job), "place");
  return {world_.jobs().keys(job)[order - 1], job};
}

void Orders::compute_keys(JobId job, JobState as) {
  if (keys_.empty()) return;
  const World::ReadingOnly reading(world_);
  auto& state = world_.jobs()[job].state;
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
}

void Orders::enter(JobId job) {
  auto newcomer = member(job, 0.0);
  queues_.front().members.insert(newcomer);
  if (queues_.back().is_used) queues_.back().members.insert(newcomer);
  if (keys_.empty()) return;
  const auto kept = world_.jobs().keys(job);
  std::copy(keys_.begin(), keys_.end(), kept.begin());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    newcomer.place.key = keys_[i];
    if (queues_[i + 1].is_used) queues_[i + 1].members.insert(newcomer);
  }
}

void Orders::leave(JobId job) {
  leave_queue(job);
  leave_candidates(job);
}

void Orders::leave_queue(JobId job) {
  for (std::size_t order = 0; order <= keys_.size(); ++order) {
    if (queues_[order].is_used) queues_[order].members.erase(place(job, order));
  }
}

void Orders::leave_candidates(JobId job) {
  if (queues_.back().is_used) queues_.back().members.erase({0.0, job});
}

void Orders::refresh() {
  const auto& orders = world_.traits().orders;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const auto& every = orders[i].refresh;
    if (every && world_.now() >= after(refreshed_[i], *every)) refresh(i + 1);
  }
}

void Orders::refresh(std::size_t order) {
  refreshed_[order - 1] = world_.now();
  const bool is_told =
      world_.traits().default_order == order && world_.wanted<RekeyRecord>();
  std::vector<JobQueue::Member> members;
  const World::ReadingOnly reading(world_);
  queues_.front().members.for_each([&](const JobQueue::Member& each) {
    const JobId job = each.place.job;
    const double key = policy_.key(simulation_, order - 1, job);
    world_.jobs().keys(job)[order - 1] = key;
    members.push_back(member(job, key));
    if (is_told) world_.tell(RekeyRecord{world_.now(), job, key});
  });
  if (queues_[order].is_used) fill(queues_[order], members);
}

void Orders::begin(std::size_t order) const {
  std::vector<JobQueue::Member> members;
  const auto& jobs = world_.jobs();
  queues_.front().members.for_each([&](JobQueue::Member each) {
    if (order <= keys_.size()) each.place.key = jobs.keys(each.place.job)[order - 1];
    members.push_back(each);
  });
  for (std::uint32_t i = 0; order == candidates() && i < jobs.size(); ++i) {
    const JobId job{i};
    if (world_.runs_without_expected_end(job)) members.push_back(member(job, 0.0));
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
