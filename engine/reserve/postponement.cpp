#include "engine/reserve/postponement.hpp"

#include <algorithm>

namespace berth {

bool Postponement::begin(const Asked& asked) {
  end();
  const auto& late = asked.late;
  grace_ = late.front().at - asked.now;
  if (grace_ <= 0 || asked.members.size() > kMostMembers) return false;
  std::int64_t late_size = 0;
  for (const auto& release : late) late_size += release.size;
  if (!claim_running(asked, late_size)) return false;
  first_ = kNever;
  for (const auto& member : asked.members) {
    if (!place(member, asked.now)) return false;
  }
  // Whoever waits for those that are late is in their way one grace from now, again.
  const MovingProfile::Point freed{asked.now + grace_, true};
  const MovingProfile::Point behind{freed.at + grace_, true};
  if (first_ != freed.at || profile_.least(freed, behind) >= late_size) return false;
  steady_ = profile_.steady();
  if (steady_ <= grace_) return false;
  since_ = last_ = asked.now;
  members_.assign(asked.members.begin(), asked.members.end());
  late_.assign(late.begin(), late.end());
  is_pending_ = goes_on_ = true;
  return true;
}

bool Postponement::claim_running(const Asked& asked, std::int64_t late_size) {
  const MovingProfile::Point now{asked.now, true};
  profile_.reset(asked.now, asked.capacity);
  profile_.claim(late_size, now, {asked.now + grace_, true});
  for (const auto& [until, amount] : asked.in_time) {
    if (until == kNever) return false;
    profile_.claim(amount, now, {until, false});
  }
  return profile_.may_be_steady();
}

// False: nothing can be said, or it is due.
bool Postponement::place(const Request& member, Time now) {
  const auto start = profile_.earliest(member.size, member.planned);
  if (!start || start->at == now) return false;
  const Time end = after(start->at, member.planned);
  if (end == kNever) return false;
  profile_.claim(member.size, *start, {end, start->moves});
  first_ = std::min(first_, start->at);
  return profile_.may_be_steady();
}

bool Postponement::goes_on(std::span<const Request> members,
                           std::span<const Release> late, Time now) {
  goes_on_ =
      goes_on_ && now == next() && now - since_ < steady_ &&
      late.size() == late_.size() && late.front().at == now + grace_ &&
      std::equal(members.begin(), members.end(), members_.begin(), members_.end());
  if (!goes_on_) return false;
  last_ = now;
  is_pending_ = true;
  return true;
}

std::span<const Release> Postponement::late() {
  for (auto& release : late_) release.at = next();
  return late_;
}

}  // namespace berth
