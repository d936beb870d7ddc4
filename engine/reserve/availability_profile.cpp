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

// Puts the parts at the top one level below it, for as long as they are too many.
template <class Amount>
void ProfileOf<Amount>::raise() {
  const auto each = static_cast<std::ptrdiff_t>(most_in_a_part_ / 2 + 1);
  while (parts_.size() > 16 * most_in_a_part_) {
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

// It is the first if all begin later.
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
  Time end = 0;  // until then the room must last
  [[nodiscard]] std::optional<Time> found() const {
    return has_start ? std::optional(start) : std::nullopt;
  }
};

// Seeks the first step with room.
template <class Amount>
struct ProfileOf<Amount>::RoomSeeker {
  static const Part* skip(const Part* part, const Part* end, const Note& above,
                          Amount amount) {
    const Amount needed = amount - above.added;
    while (part != end && part->bounds.most < needed) ++part;
    return part;
  }
  static const Step* next(const Step* step, const Part& leaf, const Note& above,
                          Amount amount) {
    const Amount needed = amount - leaf.note.added - above.added;
    const auto* const end = leaf.end();
    while (step != end && step->free < needed) ++step;
    return step;
  }
  static Time begins(const Search& search, const Part& /*leaf*/, const Step* step,
                     Amount /*needed*/) {
    return std::max(search.from, step->from);
  }
};

// Seeks the first step that gained room, and where the room around it begins.
template <class Amount>
struct ProfileOf<Amount>::GainSeeker {
  const ProfileOf& profile;
  const std::size_t since = profile.since_;
  const Part* skip(const Part* part, const Part* end, const Note& above,
                   Amount amount) const {
    if (above.keeps(since)) {
      while (part != end && !part->bounds.gains[since].has(amount)) ++part;
    } else {
      while (part != end && !part->bounds.gains_with(above, since).has(amount)) ++part;
    }
    return part;
  }
  const Step* next(const Step* step, const Part& leaf, const Note& above,
                   Amount amount) const {
    const auto* const end = leaf.end();
    if (leaf.note.keeps(since) && above.keeps(since)) {
      while (step != end && !step->gained_for(amount, since)) ++step;
      return step;
    }
    auto note = leaf.note;
    note.append(above);
    while (step != end && !step->with(note).gained_for(amount, since)) ++step;
    return step;
  }
  [[nodiscard]] Time begins(const Search& search, const Part& leaf, const Step* step,
                            Amount needed) const {
    return profile.room_begins(leaf, step, needed, search.amount);
  }
};

// Looks in these parts, for all of which `above` is noted; true: the search is over.
template <class Amount>
template <class Seeker>
bool ProfileOf<Amount>::find(Search& search, const Seeker& seeker, const Parts& parts,
                             const Note& above) const {
  const auto amount = search.amount;
  const auto* part = &parts[part_at(parts, search.from)];
  const auto* const end = parts.data() + parts.size();
  for (;; ++part) {
    Time until = search.before;
    if (search.has_start) {
      until = search.end;
      const Amount needed = amount - above.added;
      while (part != end && part->bounds.least >= needed) ++part;
    } else {
      part = seeker.skip(part, end, above, amount);
    }
    if (part == end) return false;
    if (part->from >= until) return true;
    const bool is_vain =
        !search.has_start &&
        is_too_short(search, part, parts, Amount(amount - above.added));
    if (is_vain) continue;
    const bool is_over = part->is_leaf() ? find_in_leaf(search, seeker, *part, above)
                                         : find_below(search, seeker, *part, above);
    if (is_over) return true;
  }
}

// Whether all room that passes through this leaf ends in its neighbours, which begin
// and end too close to each other.
template <class Amount>
bool ProfileOf<Amount>::is_too_short(const Search& search, const Part* part,
                                     const Parts& parts, Amount needed) {
  const bool has_neighbours =
      part->is_leaf() && part > parts.data() && parts.data() + parts.size() - part > 2;
  if (!has_neighbours) return false;
  const auto lacks_room = [&](const Part& leaf) {
    return leaf.bounds.least < needed && leaf.widened == 0;
  };
  return part[2].from <= search.before &&
         part[2].from - part[-1].from <= search.length && lacks_room(part[-1]) &&
         lacks_room(part[1]);
}

template <class Amount>
template <class Seeker>
bool ProfileOf<Amount>::find_below(Search& search, const Seeker& seeker,
                                   const Part& part, const Note& above) const {
  if (part.note.is_empty) return find(search, seeker, part.parts, above);
  if (above.is_empty) return find(search, seeker, part.parts, part.note);
  auto note = part.note;
  note.append(above);
  return find(search, seeker, part.parts, note);
}

template <class Amount>
template <class Seeker>
bool ProfileOf<Amount>::find_in_leaf(Search& search, const Seeker& seeker,
                                     const Part& leaf, const Note& above) const {
  const Amount needed = search.amount - leaf.note.added - above.added;
  const auto* step = &leaf.steps[step_at(leaf.steps, search.from)];
  const auto* const end = leaf.end();
  for (bool has_start = search.has_start;; has_start = search.has_start = false) {
    if (!has_start) {
      step = seeker.next(step, leaf, above, search.amount);
      if (step == end) return false;
      if (step->from >= search.before) return true;
      search.start = seeker.begins(search, leaf, step, needed);
      if (search.start >= search.before) return true;
      search.has_start = true;
      search.end = std::min(after(search.start, search.length), search.before);
    }
    while (step != end && step->free >= needed) ++step;
    if (step == end) return false;
    if (step->from >= search.end) return true;
  }
}

template <class Amount>
std::optional<Time> ProfileOf<Amount>::earliest_before(std::int64_t amount,
                                                       Duration length, Time from,
                                                       Time before) const {
  BERTH_ASSERT(from >= start() && amount > 0 && length > 0);
  if (amount > capacity_) return std::nullopt;
  Search search{static_cast<Amount>(amount), length, from, before};
  (void)find(search, RoomSeeker{}, parts_, kNothing);
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
  (void)find(search, GainSeeker{*this}, parts_, kNothing);
  return search.found();
}

template <class Amount>
bool ProfileOf<Amount>::has_gained(std::int64_t amount, Time before) const {
  const auto needed = static_cast<Amount>(amount);
  if (!bounds_.gains[since_].has(needed)) return false;
  Search search{needed, 0, start(), before};
  (void)find(search, GainSeeker{*this}, parts_, kNothing);
  return search.has_start;
}

// Where the room around this step begins; `needed` is the amount without what is noted.
template <class Amount>
Time ProfileOf<Amount>::room_begins(const Part& leaf, const Step* step, Amount needed,
                                    Amount amount) const {
  for (const auto* const first = leaf.steps.data(); step != first; --step) {
    if (step[-1].free < needed) return step->from;
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
    if (part.bounds.gains[since_].are_none()) continue;
    if (part.is_leaf() && part.note.is_empty) {
      for (auto& step : part.steps) step.low[since_] = step.free;
      part.bounds.gains[since_] = {};
    } else {
      note(Note::anew(since_), part);
    }
  }
  since_ = 1 - since_;
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
  if (parts_.size() == 1) lower();
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
    settle(part);
    steps.erase(steps.begin(), std::next(steps.begin(), std::ptrdiff_t(step)));
    note_widened(part);
  }
  steps.front().from = now;
}

// The number of the step that begins at `t`, made if there is none; `number` is that of
// a step at or before it.
template <class Amount>
std::size_t ProfileOf<Amount>::split(std::vector<Step>& steps, std::size_t number,
                                     Time t) {
  auto step = std::next(steps.begin(), std::ptrdiff_t(number));
  while (step != steps.end() && step->from < t) ++step;
  if (step == steps.end() || step->from != t) {
    step = steps.insert(step, step[-1]);
    step->from = t;
  }
  return static_cast<std::size_t>(step - steps.begin());
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
  if (parts_.size() > 16 * most_in_a_part_) raise();
  if (parts_.size() == 1) lower();
}

// Adds in the parts that the change reaches; the last of them all ends at `end`.
template <class Amount>
void ProfileOf<Amount>::add_within(const Change& change, Parts& parts, Time end,
                                   Bounds& above) {
  const auto first = part_at(parts, change.from);
  auto* part = &parts[first];
  auto* const behind = parts.data() + parts.size();
  do {
    add_to(change, *part, part + 1 != behind ? part[1].from : end);
    if (change.amount < 0) {
      above.least = std::min(above.least, part->bounds.least);
    } else {
      above.widen_upwards(part->bounds);
    }
  } while (++part != behind && part->from < change.to);
  const auto next = static_cast<std::size_t>(part - parts.data());
  if (part != behind && part->from == change.to) join(parts, next);
  if (next - 1 != first) halve_if_full(parts, next - 1);
  if (first > 0 && parts[first].from == change.from) join(parts, first);
  halve_if_full(parts, first);
}

template <class Amount>
void ProfileOf<Amount>::add_to(const Change& change, Part& part, Time end) {
  const bool is_whole = change.from <= part.from && end <= change.to;
  if (is_whole && (!part.is_leaf() || change.amount < 0)) {
    return note(Note::of(change.amount), part);
  }
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
// steps; in a long list at once.
template <class Amount>
void ProfileOf<Amount>::add_to_steps(Amount amount, Part& leaf, std::span<Step> steps) {
  for (auto& step : steps) {
    if (amount < 0) {
      step.take(Amount(-amount));
    } else {
      step.free += amount;
    }
  }
  auto bounds = leaf.bounds;
  if (!keeps_tight(leaf)) {
    for (const auto& step : steps) bounds.widen(step);
  }
  leaf.bounds = bounds;
  note_widened(leaf);
  BERTH_ASSERT(leaf.bounds.most <= capacity_);
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
    if (part.steps.empty()) return dropped;
    part.from = part.steps.front().from;
    note_widened(part);
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
