#include "engine/reserve/moving_profile.hpp"

#include <algorithm>
#include <iterator>

namespace berth {

void MovingProfile::reset(Time now, std::int64_t capacity) {
  steps_.assign(1, {{now, true}, capacity});
  steady_ = kNever;
}

void MovingProfile::claim(std::int64_t amount, Point from, Point to) {
  const auto first = split(from);
  const auto last = split(to);
  for (auto step = first; step < last; ++step) steps_[step].free -= amount;
}

std::optional<MovingProfile::Point> MovingProfile::earliest(std::int64_t amount,
                                                            Duration length) {
  for (std::size_t step = 0; step < steps_.size(); ++step) {
    if (steps_[step].free < amount) continue;
    const Point start = steps_[step].from;
    step = blocked_from(step, amount);
    if (step == steps_.size()) return start;
    const Point blocked = steps_[step].from;
    const Time end = after(start.at, length);
    if (end <= blocked.at) return start;
    if (blocked.moves && !start.moves) steady_ = std::min(steady_, end - blocked.at);
  }
  return std::nullopt;
}

std::int64_t MovingProfile::least(Point from, Point to) {
  const auto first = static_cast<std::ptrdiff_t>(split(from));
  const auto last = static_cast<std::ptrdiff_t>(split(to));
  return std::min_element(std::next(steps_.begin(), first),
                          std::next(steps_.begin(), last),
                          [](const Step& a, const Step& b) { return a.free < b.free; })
      ->free;
}

Duration MovingProfile::steady() const {
  auto steady = steady_;
  for (std::size_t step = 1; step < steps_.size(); ++step) {
    const auto& before = steps_[step - 1].from;
    const auto& behind = steps_[step].from;
    if (before.moves && !behind.moves) steady = std::min(steady, behind.at - before.at);
  }
  return steady;
}

// The step that begins at the point.  One that moves and one that does not part at
// once: nothing can be said where they meet.
std::size_t MovingProfile::split(Point point) {
  const auto behind =
      std::upper_bound(steps_.begin(), steps_.end(), point.at,
                       [](Time at, const Step& step) { return at < step.from.at; });
  const auto before = std::prev(behind);
  const auto step = static_cast<std::size_t>(before - steps_.begin());
  if (before->from.at != point.at) {
    steps_.insert(behind, {point, before->free});
    return step + 1;
  }
  if (before->from.moves != point.moves) steady_ = 0;
  return step;
}

// The first step at or behind this one that has less than `amount`.
std::size_t MovingProfile::blocked_from(std::size_t step, std::int64_t amount) const {
  while (step < steps_.size() && steps_[step].free >= amount) ++step;
  return step;
}

}  // namespace berth
