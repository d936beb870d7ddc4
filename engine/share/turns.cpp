#include "engine/share/turns.hpp"

#include "engine/share/shares.hpp"

namespace berth {

Turns::Turns(Shares& shares) : shares_(shares) { shares.note_changes(); }

Turns::User& Turns::user(Number number) {
  if (number >= users_.size()) users_.resize(number + 1);
  return users_[number];
}

void Turns::show(Number number) {
  auto& owner = users_[number];
  if (owner.members.empty()) return;
  owner.share = shares_.dominant(number) / shares_.weight(number);
  auto head = owner.members.first();
  head.place.key = owner.share;
  heads_.insert(head);
}

void Turns::hide(const User& user) {
  if (user.members.empty()) return;
  heads_.erase({user.share, user.members.first().place.job});
}

void Turns::enter(const JobQueue::Member& newcomer, const Job& asked) {
  const auto number = shares_.of(asked);
  auto& owner = user(number);
  const bool is_head =
      owner.members.empty() || newcomer.place < owner.members.first().place;
  if (is_head) hide(owner);
  owner.members.insert(newcomer);
  if (is_head) show(number);
}

void Turns::leave(JobId job, const Job& asked) {
  const auto number = shares_.of(asked);
  auto& owner = users_[number];
  const bool is_head = owner.members.first().place.job == job;
  if (is_head) hide(owner);
  owner.members.erase({0.0, job});
  if (is_head) show(number);
}

const JobQueue& Turns::heads() {
  for (const auto number : shares_.changed()) {
    if (number >= users_.size()) continue;
    hide(users_[number]);
    show(number);
  }
  shares_.forget_changes();
  return heads_;
}

}  // namespace berth
