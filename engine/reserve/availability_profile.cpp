#include "engine/reserve/availability_profile.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/base/error.hpp"

// Bounded in this file: each function passes the parts of one profile at most once,
// and the owner of a profile charges its parts for each search.

namespace berth {

template <class Amount>
void ProfileOf<Amount>::Note::append(const Note& next) {
  for (std::size_t i = 0; i < kSince; ++i) {
    const Amount low = added + next.dip[i];
    dip[i] = next.is_anew[i] ? low : std::min(dip[i], low);
    is_anew[i] = is_anew[i] || next.is_anew[i];
  }
  added += next.added;
  is_empty = is_empty && next.is_empty;
}

template <class Amount>
void ProfileOf<Amount>::Step::add(const Note& note) {
  for (std::size_t i = 0; i < kSince; ++i) {
    const Amount dip = free + note.dip[i];
    low[i] = note.is_anew[i] ? dip : std::min(low[i], dip);
  }
  free += note.added;
}

template <class Amount>
void ProfileOf<Amount>::Bounds::widen(const Bounds& other) {
  least = std::min(least, other.least);
  most = std::max(most, other.most);
  for (std::size_t i = 0; i < kSince; ++i) gains[i].widen(other.gains[i]);
}

template <class Amount>
void ProfileOf<Amount>::Bounds::widen(const Step& step) {
  least = std::min(least, step.free);
  most = std::max(most, step.free);
  widen_gains(step);
}

template <class Amount>
void ProfileOf<Amount>::Bounds::widen_gains(const Step& step) {
  for (std::size_t i = 0; i < kSince; ++i) {
    if (step.low[i] < step.free) gains[i].widen({Amount(step.low[i] + 1), step.free});
  }
}

// A step that is now above its dip has gained from there on, whatever it was.  The most
// may be too wide, but is never above the capacity.
template <class Amount>
void ProfileOf<Amount>::Bounds::add(const Note& note, std::int64_t capacity) {
  const auto highest = std::min(std::int64_t{most} + note.added, capacity);
  most = static_cast<Amount>(highest);
  for (std::size_t i = 0; i < kSince; ++i) {
    if (note.is_anew[i]) gains[i] = {};
    if (note.added > note.dip[i]) {
      gains[i].widen({Amount(least + note.dip[i] + 1), most});
    }
  }
  least += note.added;
}

template <class Amount>
ProfileOf<Amount>::ProfileOf(Time now, std::int64_t capacity,
                             std::size_t most_in_a_part)
    : capacity_(capacity), most_in_a_part_(most_in_a_part) {
  BERTH_ASSERT(capacity > 0 && most_in_a_part >= 2);
  BERTH_ASSERT(capacity <= std::numeric_limits<Amount>::max());
  reset(now, {});
}

template <class Amount>
void ProfileOf<Amount>::reset(Time now, std::span<const Taken> taken) {
  auto free = capacity_;
  for (const auto& each : taken) free -= each.amount;
  BERTH_ASSERT(free >= 0);
  std::vector<Step> steps;
  if (!parts_.empty()) steps = std::exchange(parts_.front().steps, {});
  const auto step = [&](Time from) {
    return Step{from, Amount(free), {Amount(free), Amount(free)}};
  };
  steps.assign(1, step(now));
  for (const auto& [until, amount] : taken) {
    free += amount;
    if (steps.back().from == until) {
      steps.back() = step(until);
    } else if (until != kNever) {
      steps.push_back(step(until));
    }
  }
  bounds_ = {};
  cut(std::move(steps));
}

// Into leaves that have room for more, unless they fit into one.
template <class Amount>
void ProfileOf<Amount>::cut(std::vector<Step> steps) {
  parts_.clear();
  if (steps.size() <= most_in_a_part_) {
    const Time from = steps.front().from;
    parts_.push_back({.from = from, .steps = std::move(steps)});
    return compute_bounds(parts_.back());
  }
  const auto each = static_cast<std::ptrdiff_t>(most_in_a_part_ / 2);
  for (auto at = steps.begin(); at != steps.end();) {
    const auto until = steps.end() - at <= each ? steps.end() : at + each;
    parts_.push_back({.from = at->from, .steps = {at, until}});
    compute_bounds(parts_.back());
    at = until;
  }
  raise();
}

// Puts what is at the top one level below it, for as long as it is too much.
template <class Amount>
void ProfileOf<Amount>::raise() {
  const auto each = static_cast<std::ptrdiff_t>(most_in_a_part_ / 2 + 1);
  while (parts_.size() > 4 * most_in_a_part_) {
    Parts below = std::exchange(parts_, {});
    for (auto at = below.begin(); at != below.end();) {
      const auto until = below.end() - at <= each ? below.end() : at + each;
      parts_.push_back(
          {.from = at->from,
           .parts = {std::make_move_iterator(at), std::make_move_iterator(until)}});
      compute_bounds(parts_.back());
      at = until;
    }
  }
}

template <class Amount>
void ProfileOf<Amount>::lower() {
  while (parts_.size() == 1 && !parts_.front().is_leaf()) {
    settle(parts_.front());
    auto below = std::move(parts_.front().parts);
    parts_ = std::move(below);
  }
}

template <class Amount>
std::size_t ProfileOf<Amount>::parts() const {
  auto count = parts_.size();
  for (const auto* part = &parts_.front(); !part->is_leaf();
       part = &part->parts.front()) {
    count += most_in_a_part_;
  }
  return count;
}

template <class Amount>
std::size_t ProfileOf<Amount>::breakpoints_in(const Parts& parts) {
  std::size_t count = 0;
  for (const auto& part : parts) {
    count += part.steps.size() + breakpoints_in(part.parts);
  }
  return count;
}

// 0: all begin later, or the first is meant.
template <class Amount>
std::size_t ProfileOf<Amount>::part_at(const Parts& parts, Time t) {
  if (parts.size() < 2 || t < parts[1].from) return 0;
  const auto behind =
      std::upper_bound(parts.begin(), parts.end(), t,
                       [](Time time, const Part& part) { return time < part.from; });
  return static_cast<std::size_t>(behind - parts.begin()) - 1;
}

template <class Amount>
std::size_t ProfileOf<Amount>::step_at(const std::vector<Step>& steps, Time t) {
  if (t <= steps.front().from) return 0;
  const auto behind =
      std::upper_bound(steps.begin(), steps.end(), t,
                       [](Time time, const Step& step) { return time < step.from; });
  return static_cast<std::size_t>(behind - steps.begin()) - 1;
}

template <class Amount>
std::int64_t ProfileOf<Amount>::free_at(Time t) const {
  BERTH_ASSERT(t >= start());
  const auto* part = &parts_[part_at(parts_, t)];
  auto added = part->note.added;
  while (!part->is_leaf()) {
    part = &part->parts[part_at(part->parts, t)];
    added += part->note.added;
  }
  return part->steps[step_at(part->steps, t)].free + added;
}

template <class Amount>
std::int64_t ProfileOf<Amount>::least(Time from, Time to) const {
  BERTH_ASSERT(from >= start());
  return least_in(parts_, from, to, static_cast<Amount>(capacity_));
}

// The least in [from, to), or the limit if that is less.
template <class Amount>
Amount ProfileOf<Amount>::least_in(const Parts& parts, Time from, Time to,
                                   Amount limit) {
  auto at = part_at(parts, from);
  for (; at < parts.size() && parts[at].from < to; ++at) {
    const auto& part = parts[at];
    if (part.bounds.least >= limit) continue;
    const auto added = part.note.added;
    if (!part.is_leaf()) {
      limit = added + least_in(part.parts, from, to, Amount(limit - added));
      continue;
    }
    auto step = step_at(part.steps, from);
    for (; step < part.steps.size() && part.steps[step].from < to; ++step) {
      limit = std::min(limit, Amount(part.steps[step].free + added));
    }
  }
  return limit;
}

// A start is sought, and then a step without room before the end; if there is one, the
// search goes on behind it.
template <class Amount>
struct ProfileOf<Amount>::Search {
  Amount amount;
  Duration length;
  Time from;
  Time before;  // only starts before, and only room up to it
  bool has_start = false;
  Time start = 0;
  Time end = 0;
  // False: it is too late.
  bool begin(Time at) {
    start = at;
    end = std::min(after(at, length), before);
    has_start = at < before;
    return has_start;
  }
  [[nodiscard]] std::optional<Time> found() const {
    return has_start ? std::optional(start) : std::nullopt;
  }
};

// Seeks the first step with room.
template <class Amount>
struct ProfileOf<Amount>::RoomSeeker {
  static bool may_be_in(const Part& part, const Note& above, Amount amount) {
    return part.bounds.most + above.added >= amount;
  }
  static std::size_t next(const Part& leaf, std::size_t number, const Note& above,
                          Amount amount) {
    const Amount needed = amount - leaf.note.added - above.added;
    const auto& steps = leaf.steps;
    while (number < steps.size() && steps[number].free < needed) ++number;
    return number;
  }
  static Time begins(const Search& search, const Part& leaf, std::size_t step,
                     Amount /*added*/) {
    return std::max(search.from, leaf.steps[step].from);
  }
};

// Seeks the first step that gained room, and where the room around it begins.
template <class Amount>
struct ProfileOf<Amount>::GainSeeker {
  const ProfileOf& profile;
  [[nodiscard]] bool may_be_in(const Part& part, const Note& above,
                               Amount amount) const {
    if (above.is_empty) return part.bounds.gains[profile.since_].has(amount);
    auto bounds = part.bounds;
    bounds.add(above, profile.capacity_);
    return bounds.gains[profile.since_].has(amount);
  }
  [[nodiscard]] std::size_t next(const Part& leaf, std::size_t number,
                                 const Note& above, Amount amount) const {
    const auto& steps = leaf.steps;
    const auto since = profile.since_;
    if (leaf.note.is_empty && above.is_empty) {
      while (number < steps.size() && !steps[number].gained_for(amount, since)) {
        ++number;
      }
      return number;
    }
    auto note = leaf.note;
    note.append(above);
    for (; number < steps.size(); ++number) {
      auto step = steps[number];
      step.add(note);
      if (step.gained_for(amount, since)) break;
    }
    return number;
  }
  [[nodiscard]] Time begins(const Search& search, const Part& leaf, std::size_t step,
                            Amount added) const {
    return profile.room_begins(leaf, step, Amount(search.amount - added),
                               search.amount);
  }
};

// True: the search is over.
template <class Amount>
template <class Seeker>
bool ProfileOf<Amount>::find(Search& search, const Seeker& seeker, const Parts& parts,
                             const Note& above) const {
  auto at = part_at(parts, search.from);
  for (; at < parts.size(); ++at) {
    const auto& part = parts[at];
    if (search.has_start) {
      if (part.from >= search.end) return true;
      if (part.bounds.least + above.added >= search.amount) continue;
    } else {
      if (part.from >= search.before) return true;
      if (!seeker.may_be_in(part, above, search.amount)) continue;
    }
    if (part.is_leaf()) {
      if (find_in_leaf(search, seeker, part, above)) return true;
      continue;
    }
    auto note = part.note;
    note.append(above);
    if (find(search, seeker, part.parts, note)) return true;
  }
  return false;
}

template <class Amount>
template <class Seeker>
bool ProfileOf<Amount>::find_in_leaf(Search& search, const Seeker& seeker,
                                     const Part& leaf, const Note& above) const {
  const auto& steps = leaf.steps;
  const Amount added = leaf.note.added + above.added;
  const Amount needed = search.amount - added;
  for (auto at = step_at(steps, search.from);; search.has_start = false) {
    if (!search.has_start) {
      at = seeker.next(leaf, at, above, search.amount);
      if (at == steps.size()) return false;
      if (steps[at].from >= search.before) return true;
      if (!search.begin(seeker.begins(search, leaf, at, added))) return true;
    }
    while (at < steps.size() && steps[at].free >= needed) ++at;
    if (at == steps.size()) return false;
    if (steps[at].from >= search.end) return true;
  }
}

template <class Amount>
std::optional<Time> ProfileOf<Amount>::earliest(std::int64_t amount, Duration length,
                                                Time not_before) const {
  BERTH_ASSERT(amount > 0 && length > 0);
  return earliest_before(amount, length, not_before, kNever);
}

template <class Amount>
std::optional<Time> ProfileOf<Amount>::earliest_before(std::int64_t amount,
                                                       Duration length, Time from,
                                                       Time before) const {
  BERTH_ASSERT(from >= start());
  if (amount > capacity_) return std::nullopt;
  Search search{static_cast<Amount>(amount), length, from, before};
  (void)find(search, RoomSeeker{}, parts_, {});
  return search.found();
}

// A claim that can move forward now could not before.  So its new span contains a step
// that gained room for it, and only the room around such steps is searched.
template <class Amount>
std::optional<Time> ProfileOf<Amount>::earlier(const Claim& held,
                                               Budget& budget) const {
  BERTH_ASSERT(held.amount > 0 && held.length > 0);
  const auto needed = static_cast<Amount>(held.amount);
  if (!bounds_.gains[since_].has(needed)) return std::nullopt;
  budget.charge();
  Search search{needed, held.length, start(), held.start};
  (void)find(search, GainSeeker{*this}, parts_, {});
  return search.found();
}

template <class Amount>
bool ProfileOf<Amount>::has_gained(std::int64_t amount, Time before) const {
  const auto needed = static_cast<Amount>(amount);
  if (!bounds_.gains[since_].has(needed)) return false;
  Search search{needed, 0, start(), before};
  (void)find(search, GainSeeker{*this}, parts_, {});
  return search.has_start;
}

// Where the room around this step begins; `needed` is the amount without what is noted.
template <class Amount>
Time ProfileOf<Amount>::room_begins(const Part& leaf, std::size_t step, Amount needed,
                                    Amount amount) const {
  for (; step > 0; --step) {
    if (leaf.steps[step - 1].free < needed) return leaf.steps[step].from;
  }
  if (leaf.from == start()) return leaf.from;
  return room_ended(parts_, leaf.from, amount).value_or(start());
}

// The end, at most `before`, of the last step that begins before it and has no room.
template <class Amount>
std::optional<Time> ProfileOf<Amount>::room_ended(const Parts& parts, Time before,
                                                  Amount amount) {
  Time end = before;
  for (auto at = part_at(parts, before - 1) + 1; at-- > 0; end = parts[at].from) {
    const auto& part = parts[at];
    if (part.bounds.least >= amount) continue;
    const Amount needed = amount - part.note.added;
    if (!part.is_leaf()) {
      const auto ended = room_ended(part.parts, end, needed);
      if (ended) return ended;
      continue;
    }
    const auto last = step_at(part.steps, end - 1);
    for (auto step = last + 1; step-- > 0; end = part.steps[step].from) {
      if (part.steps[step].free < needed) return end;
    }
  }
  return std::nullopt;
}

template <class Amount>
void ProfileOf<Amount>::begin_round() {
  bounds_.gains[since_] = {};
  for (auto& part : parts_) {
    if (!part.bounds.gains[since_].are_none()) note(Note::anew(since_), part);
  }
  since_ = 1 - since_;
}

template <class Amount>
void ProfileOf<Amount>::claim(std::int64_t amount, Time from, Time to) {
  add({static_cast<Amount>(-amount), from, to});
}

template <class Amount>
void ProfileOf<Amount>::release(std::int64_t amount, Time from, Time to) {
  add({static_cast<Amount>(amount), from, to});
}

template <class Amount>
void ProfileOf<Amount>::move(const Claim& held, Time start) {
  const Time until = after(start, held.length);
  claim(held.amount, start, std::min(until, held.start));
  release(held.amount, std::max(until, held.start), after(held.start, held.length));
}

template <class Amount>
void ProfileOf<Amount>::advance(Time now) {
  BERTH_ASSERT(now >= start());
  drop_before(now, parts_);
  lower();
}

template <class Amount>
void ProfileOf<Amount>::drop_before(Time now, Parts& parts) {
  const auto number = part_at(parts, now);
  if (number > 0) {
    parts.erase(parts.begin(), std::next(parts.begin(), std::ptrdiff_t(number)));
  }
  auto& part = parts.front();
  part.from = now;
  if (!part.is_leaf()) return drop_before(now, part.parts);
  auto& steps = part.steps;
  const auto step = step_at(steps, now);
  if (step > 0) {
    steps.erase(steps.begin(), std::next(steps.begin(), std::ptrdiff_t(step)));
  }
  steps.front().from = now;
}

// The number of the step that begins at `t`, made if there is none; `number` is that of
// a step at or before it.
template <class Amount>
std::size_t ProfileOf<Amount>::split(std::vector<Step>& steps, std::size_t number,
                                     Time t) {
  while (number < steps.size() && steps[number].from < t) ++number;
  if (number == steps.size() || steps[number].from != t) {
    Step second = steps[number - 1];
    second.from = t;
    steps.insert(std::next(steps.begin(), std::ptrdiff_t(number)), second);
  }
  return number;
}

template <class Amount>
void ProfileOf<Amount>::halve(Parts& parts, std::size_t number) {
  auto& lower = parts[number];
  settle(lower);
  const auto move_half = [](auto& from, auto& to) {
    const auto middle = std::next(from.begin(), std::ptrdiff_t(from.size() / 2));
    to.assign(std::make_move_iterator(middle), std::make_move_iterator(from.end()));
    from.erase(middle, from.end());
    return to.front().from;
  };
  Part upper{};
  upper.from = lower.is_leaf() ? move_half(lower.steps, upper.steps)
                               : move_half(lower.parts, upper.parts);
  compute_bounds(lower);
  compute_bounds(upper);
  parts.insert(std::next(parts.begin(), std::ptrdiff_t(number) + 1), std::move(upper));
}

template <class Amount>
void ProfileOf<Amount>::add(const Change& change) {
  if (change.from >= change.to) return;
  BERTH_ASSERT(change.from >= start());
  add_within(change, parts_, kNever, bounds_);
  raise();
  lower();
}

// Adds in the parts that the change reaches; the last of them all ends at `end`.
template <class Amount>
void ProfileOf<Amount>::add_within(const Change& change, Parts& parts, Time end,
                                   Bounds& above) {
  const auto first = part_at(parts, change.from);
  auto at = first;
  for (; at < parts.size() && parts[at].from < change.to; ++at) {
    auto& part = parts[at];
    add_to(change, part, at + 1 < parts.size() ? parts[at + 1].from : end);
    if (change.amount < 0) {
      above.least = std::min(above.least, part.bounds.least);
    } else {
      above.widen(part.bounds);
    }
  }
  const auto last = at - 1;
  if (at < parts.size() && parts[at].from == change.to) join(parts, at);
  if (last != first) halve_if_full(parts, last);
  if (first > 0 && parts[first].from == change.from) join(parts, first);
  halve_if_full(parts, first);
}

template <class Amount>
void ProfileOf<Amount>::add_to(const Change& change, Part& part, Time end) {
  const bool is_whole = change.from <= part.from && end <= change.to;
  if (is_whole && !part.is_leaf()) return note(Note::of(change.amount), part);
  settle(part);
  if (part.is_leaf()) return add_in_leaf(change, part, end);
  add_within(change, part.parts, end, part.bounds);
  note_widened(part);
}

template <class Amount>
void ProfileOf<Amount>::add_in_leaf(const Change& change, Part& leaf, Time end) {
  auto& steps = leaf.steps;
  const auto first = change.from <= leaf.from ? 0 : split(steps, 0, change.from);
  const auto last = end <= change.to ? steps.size() : split(steps, first, change.to);
  add_to_steps(change.amount, leaf, {&steps[first], last - first});
  if (last < steps.size()) drop_if_same(steps, last);
  if (first > 0) drop_if_same(steps, first);
}

// Bounds are widened, and made tight again after as many times as a leaf has room for
// steps.  A claim gains no room, so it lowers the least alone.
template <class Amount>
void ProfileOf<Amount>::add_to_steps(Amount amount, Part& leaf, std::span<Step> steps) {
  if (amount < 0) {
    auto least = leaf.bounds.least;
    for (auto& step : steps) {
      step.take(Amount(-amount));
      least = std::min(least, step.free);
    }
    leaf.bounds.least = least;
  } else {
    auto bounds = leaf.bounds;
    for (auto& step : steps) {
      step.free += amount;
      bounds.widen(step);
    }
    leaf.bounds = bounds;
  }
  note_widened(leaf);
  BERTH_ASSERT(leaf.bounds.most <= capacity_);
}

template <class Amount>
void ProfileOf<Amount>::note(const Note& note, Part& part) {
  part.bounds.add(note, capacity_);
  part.note.append(note);
}

template <class Amount>
void ProfileOf<Amount>::write_note(Part& part) {
  for (auto& step : part.steps) step.add(part.note);
  for (auto& each : part.parts) note(part.note, each);
  part.note = {};
}

// Drops the breakpoint that this part begins with if nothing changes there.
template <class Amount>
void ProfileOf<Amount>::join(Parts& parts, std::size_t number) {
  auto& part = parts[number];
  auto& before = parts[number - 1];
  if (part.first_free() != before.last_free()) return;
  widen_last(before, drop_first(part));
  if (part.is_empty()) {
    parts.erase(std::next(parts.begin(), std::ptrdiff_t(number)));
  }
}

template <class Amount>
typename ProfileOf<Amount>::Step ProfileOf<Amount>::drop_first(Part& part) {
  settle(part);
  if (part.is_leaf()) {
    const Step dropped = part.steps.front();
    part.steps.erase(part.steps.begin());
    if (!part.steps.empty()) part.from = part.steps.front().from;
    return dropped;
  }
  const Step dropped = drop_first(part.parts.front());
  if (part.parts.front().is_empty()) part.parts.erase(part.parts.begin());
  if (!part.parts.empty()) part.from = part.parts.front().from;
  return dropped;
}

// The last step lasts as long as the one dropped behind it did, too, and has gained
// what either has.
template <class Amount>
void ProfileOf<Amount>::widen_last(Part& part, const Step& dropped) {
  settle(part);
  part.bounds.widen_gains(dropped);
  if (!part.is_leaf()) return widen_last(part.parts.back(), dropped);
  part.steps.back().join(dropped);
}

template <class Amount>
void ProfileOf<Amount>::compute_bounds(Part& part) {
  Bounds bounds;
  for (const auto& step : part.steps) bounds.widen(step);
  for (const auto& each : part.parts) bounds.widen(each.bounds);
  part.bounds = bounds;
  part.widened = 0;
}

template class ProfileOf<std::int32_t>;
template class ProfileOf<std::int64_t>;

}  // namespace berth
