#include "engine/queue/job_queue.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/base/error.hpp"

namespace berth {

namespace {

constexpr std::size_t kDeep = 256;   // with more members the index has a tree
constexpr std::size_t kShort = 64;   // up to so many slots there is no index
constexpr std::size_t kHoles = 8;    // allowed besides one for each member
constexpr std::size_t kReach = 32;   // an insertion moves at most so many slots
constexpr std::size_t kPerHole = 3;  // members to a hole after spread()

// REQUIRES: size >= 1.
unsigned class_of(std::int32_t size) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint32_t>(size))) - 1;
}

}  // namespace

void JobQueue::insert(const Member& member) {
  if (places_.empty() || places_.back() < member.place) {
    count(member.size);
    append(member);
  } else {
    insert_inside(member);
  }
  if (members_ > kDeep && index_.is_flat()) rebuild();
}

void JobQueue::insert_inside(const Member& member) {
  const auto slot = behind(&member.place);
  BERTH_ASSERT(!has(member.place, slot));
  count(member.size);
  if (insert_before(slot, member)) return;
  needs_holes_ = true;
  rebuild();
  put_in_hole(member);
}

void JobQueue::erase(Place place) {
  const auto slot = slot_of(place);
  const auto size = std::exchange(sizes_[slot], ClassIndex::kHole);
  discount(size);
  if (is_indexed_) index_.remove(slot, columns(), size, planned_[slot]);
  first_ = live_from(first_);
  if (places_.size() > 2 * members_ + kHoles) rebuild();
}

std::size_t JobQueue::found_under(const Staircase& under, std::size_t slot) const {
  if (!is_indexed_) return scan_to(places_.size(), slot, under);
  constexpr auto kBlock = ClassIndex::kBlock;
  const ClassIndex::Query query(index_, under);
  while (slot < places_.size()) {
    const auto block = index_.next(slot / kBlock, query);
    const auto end = std::min(places_.size(), (block + 1) * kBlock);
    const auto found = scan_to(end, std::max(slot, block * kBlock), under);
    if (found < end) return found;
    slot = end;
  }
  return places_.size();
}

// The first slot in from..end whose member lies under the staircase; `end`: none.
std::size_t JobQueue::scan_to(std::size_t end, std::size_t from,
                              const Staircase& under) const {
  const auto steps = under.steps();
  if (steps.size() <= 2) return scan_to(end, from, steps.front(), steps.back().free);
  auto slot = from;
  const auto covers = [&] {
    return is_live(slot) && under.covers(sizes_[slot], planned_[slot]);
  };
  while (slot < end && !covers()) ++slot;
  return std::min(slot, end);
}

// The same for a staircase of at most two steps, without unpredictable branches.
std::size_t JobQueue::scan_to(std::size_t end, std::size_t from,
                              const Staircase::Step& low, std::int64_t beyond) const {
  // Holes have the size kHole and so are never found.
  constexpr std::int64_t kMost = ClassIndex::kHole - 1;
  const auto most = static_cast<std::int32_t>(std::min(low.free, kMost));
  const auto most_for_long = static_cast<std::int32_t>(std::min(beyond, kMost));
  const auto* sizes = sizes_.data();
  const auto* planned = planned_.data();
  for (auto slot = from; slot < end; ++slot) {
    const auto allowed = planned[slot] <= low.reach ? most : most_for_long;
    if (sizes[slot] <= allowed) return slot;
  }
  return end;
}

std::optional<Place> JobQueue::nth_behind(Place after, std::int64_t n) const {
  for (auto slot = behind(&after); slot < places_.size(); ++slot) {
    if (is_live(slot) && --n == 0) return places_[slot];
  }
  return std::nullopt;
}

bool JobQueue::has_up_to(std::int64_t size) const {
  if (size <= none_up_to_) return false;
  const auto reached = class_of(
      static_cast<std::int32_t>(std::min(size, std::int64_t{ClassIndex::kHole} - 1)));
  const auto smaller = classes_ & ((std::uint32_t{1} << reached) - 1);
  if (smaller != 0 || in_class_[reached] == 0) return smaller != 0;
  const auto first = sizes_.begin() + static_cast<std::ptrdiff_t>(first_);
  const bool has_one = is_indexed_
                           ? index_.smallest() <= size
                           : std::any_of(first, sizes_.end(),
                                         [size](auto each) { return each <= size; });
  if (!has_one) none_up_to_ = size;
  return has_one;
}

void JobQueue::count(std::int32_t size) {
  ++members_;
  largest_ = std::max(largest_, size);
  none_up_to_ = std::min(none_up_to_, std::int64_t{size} - 1);
  ++in_class_[class_of(size)];
  classes_ |= std::uint32_t{1} << class_of(size);
}

void JobQueue::discount(std::int32_t size) {
  --members_;
  const auto reached = class_of(size);
  const bool was_last = --in_class_[reached] == 0;
  classes_ ^= std::uint32_t{was_last} << reached;
}

std::size_t JobQueue::found_behind(const Place& after) const {
  const auto at = std::upper_bound(places_.begin(), places_.end(), after);
  return static_cast<std::size_t>(at - places_.begin());
}

std::size_t JobQueue::slot_of(const Place& place) const {
  if (last_returned_ < places_.size() && is_live(last_returned_) &&
      places_[last_returned_] == place) {
    return last_returned_;
  }
  return found_slot_of(place);
}

std::size_t JobQueue::found_slot_of(const Place& place) const {
  const auto at = std::lower_bound(places_.begin(), places_.end(), place);
  const auto slot = live_from(static_cast<std::size_t>(at - places_.begin()));
  BERTH_ASSERT(slot < places_.size() && places_[slot] == place);
  return slot;
}

// Whether there is a member at this place; `behind` is the first slot behind it.
bool JobQueue::has(const Place& place, std::size_t behind) const {
  auto slot = behind;
  while (slot > 0 && places_[slot - 1] == place) {
    if (is_live(--slot)) return true;
  }
  return false;
}

void JobQueue::put(std::size_t slot, const Member& member) {
  places_[slot] = member.place;
  sizes_[slot] = member.size;
  planned_[slot] = member.planned;
}

void JobQueue::append(const Member& member) {
  // Field by field: copying the whole struct right after it was written stalls.
  const auto& [key, job] = member.place;
  places_.push_back({key, job});
  sizes_.push_back(member.size);
  planned_.push_back(member.planned);
  if (is_indexed_) {
    index_.add(places_.size() - 1, member.size, member.planned);
  } else if (places_.size() > kShort) {
    rebuild_index();
  }
}

// Puts the member before this slot, into the nearest hole; false: none is near.
bool JobQueue::insert_before(std::size_t slot, const Member& member) {
  auto right = slot;
  while (right < places_.size() && right < slot + kReach && is_live(right)) ++right;
  auto left = slot;
  while (left > 0 && left + kReach > slot && is_live(left - 1)) --left;
  if (left > 0 && !is_live(left - 1)) {
    for (auto to = left - 1; to + 1 < slot; ++to) copy_slot(to + 1, to);
    put(slot - 1, member);
    update_blocks(left - 1, slot - 1);
    first_ = std::min(first_, left - 1);
    return true;
  }
  if (right == places_.size()) append({places_.back(), ClassIndex::kHole, kNever});
  if (is_live(right)) return false;
  for (auto to = right; to > slot; --to) copy_slot(to - 1, to);
  put(slot, member);
  update_blocks(slot, right);
  first_ = std::min(first_, slot);
  return true;
}

// As insert_before, when there are holes everywhere.
void JobQueue::put_in_hole(const Member& member) {
  const auto slot = behind(&member.place);
  if (slot == places_.size()) return append(member);
  const bool is_put = insert_before(slot, member);
  BERTH_ASSERT(is_put);
}

void JobQueue::copy_slot(std::size_t from, std::size_t to) {
  places_[to] = places_[from];
  sizes_[to] = sizes_[from];
  planned_[to] = planned_[from];
}

void JobQueue::update_blocks(std::size_t first_slot, std::size_t last_slot) {
  if (!is_indexed_) return;
  for (auto block = first_slot / ClassIndex::kBlock;
       block <= last_slot / ClassIndex::kBlock; ++block) {
    index_.update_block(block, columns());
  }
}

// Puts the members in order into the slots where members are.
void JobQueue::sort_members() {
  std::vector<Member> members;
  members.reserve(members_);
  for_each([&](const Member& member) { members.push_back(member); });
  std::sort(members.begin(), members.end(),
            [](const Member& a, const Member& b) { return a.place < b.place; });
  auto next = members.begin();
  for (auto slot = first_; slot < places_.size(); ++slot) {
    if (is_live(slot)) put(slot, *next++);
  }
  if (is_indexed_) rebuild_index();
}

// Gives each hole the place of the member before it; those before all members, the
// first one's.
void JobQueue::place_holes() {
  if (members_ == 0) return;
  auto before = first_;
  for (std::size_t slot = 0; slot < places_.size(); ++slot) {
    if (is_live(slot)) {
      before = slot;
    } else {
      places_[slot] = places_[before];
    }
  }
}

// Compacts the row; leaves holes in between if there are insertions in the middle.
void JobQueue::rebuild() {
  close_up();
  if (needs_holes_) spread();
  first_ = 0;
  last_returned_ = 0;
  rebuild_index();
}

void JobQueue::rebuild_index() {
  is_indexed_ = places_.size() > kShort;
  index_.rebuild(is_indexed_ ? columns() : SlotColumns{},
                 members_ > kDeep ? largest_ : 0);
}

void JobQueue::close_up() {
  std::size_t to = 0;
  for (std::size_t slot = 0; slot < places_.size(); ++slot) {
    if (is_live(slot)) copy_slot(slot, to++);
  }
  resize(to);
}

void JobQueue::spread() {
  const auto count = places_.size();
  resize(count + count / kPerHole);
  for (auto from = count; from-- > 0;) copy_slot(from, from + from / kPerHole);
  constexpr auto kRun = kPerHole + 1;
  for (auto slot = kPerHole; slot < places_.size(); slot += kRun) {
    put(slot, {places_[slot - 1], ClassIndex::kHole, 0});
  }
}

void JobQueue::resize(std::size_t slots) {
  places_.resize(slots);
  sizes_.resize(slots);
  planned_.resize(slots);
}

}  // namespace berth
