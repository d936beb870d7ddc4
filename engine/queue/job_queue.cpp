#include "engine/queue/job_queue.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "engine/base/error.hpp"

namespace berth {

namespace {

constexpr auto kNone = HeadedRow::kNone;

// In units of about half a second; everything from 35 years on is equal.
std::int32_t rounded(Duration planned) {
  constexpr int kRounding = 19;
  return static_cast<std::int32_t>(std::min(planned >> kRounding, Duration{kNone}));
}

// 1 for the size 1.
std::size_t class_of(std::int64_t size) {
  return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(size)));
}

}  // namespace

void JobQueue::insert(const Member& member) {
  if (blocks_.empty()) add_block(0);
  auto spot = found(member.place);
  BERTH_ASSERT(!holds(spot, member.place));
  known_ = {};
  if (++members_ == 1 || member.size < smallest_) {
    smallest_ = member.size;
    have_smallest_ = 1;
  } else if (member.size == smallest_) {
    ++have_smallest_;
  }
  spot = with_room(spot);
  first_ = std::min(first_, spot.block);
  block(spot).move(spot.at, spot.at + 1);
  block(spot).put(spot.at, member);
  if (has_rows()) read_newcomer(spot.block, member);
}

void JobQueue::erase(Place place) {
  BERTH_ASSERT(!empty());
  auto spot = known_.behind;
  const bool is_known = known_.place == place && spot.at > 0;
  spot = is_known ? Spot{spot.block, spot.at - 1} : found(place);
  BERTH_ASSERT(holds(spot, place));
  auto& home = block(spot);
  const auto size = home.sizes[spot.at];
  const auto planned = home.planned[spot.at];
  home.move(spot.at + 1, spot.at);
  known_ = {place, spot};
  --members_;
  if (size == smallest_ && have_smallest_ > 0) --have_smallest_;
  if (home.length == 0) first_ = settled({first_}).block;
  if (!has_rows()) return;
  read_without(spot.block, size, planned);
  if (blocks_.size() > members_ / kSparse + kScanned) refill(all());
}

std::optional<Place> JobQueue::nth_behind(Place after, std::int64_t n) const {
  auto left = static_cast<std::size_t>(n);
  for (auto spot = behind(&after); is_member(spot); spot = {spot.block + 1}) {
    const auto here = block(spot).length - spot.at;
    if (left <= here) return block(spot).places[spot.at + left - 1];
    left -= here;
  }
  return std::nullopt;
}

void JobQueue::find_smallest() const {
  smallest_ = has_rows() ? rows_[0].least() : kNone;
  have_smallest_ = 1;
  if (has_rows()) return;
  for_each([this](const Member& each) {
    if (each.size > smallest_) return;
    have_smallest_ = each.size == smallest_ ? have_smallest_ + 1 : 1;
    smallest_ = each.size;
  });
}

JobQueue::Spot JobQueue::found_under(const Staircase& under, Spot from) const {
  auto spot = from;
  for (; is_member(spot); spot = {spot.block + 1}) {
    const auto next = has_rows() ? next_block(spot.block, under) : spot.block;
    if (next != spot.block) spot = {next};
    if (!is_member(spot)) break;
    spot.at = block(spot).under(under, spot.at);
    if (spot.at < block(spot).length) break;
  }
  return spot;
}

// The first block from here on that may have a member under the staircase.
std::size_t JobQueue::next_block(std::size_t from, const Staircase& under) const {
  auto found = blocks_.size();
  for (const auto& [reach, free] : under.steps()) {
    if (free < 1) break;
    const auto time = rounded(reach);
    const auto most =
        static_cast<std::int32_t>(std::min(free, std::int64_t{kNone} - 1));
    found = time < kNone ? rows_[row_of(free)].first(time, from, found)
                         : rows_[0].first(most, from, found);
  }
  return found;
}

JobQueue::Spot JobQueue::found_behind(const Place& after) const {
  if (blocks_.empty()) return {};
  const auto spot = found(after);
  return holds(spot, after) ? Spot{spot.block, spot.at + 1} : spot;
}

// The first spot whose member does not stand before the place; behind all members the
// end of the last block.
JobQueue::Spot JobQueue::found(const Place& place) const {
  const auto is_before = [&](const auto& each) { return each->last() < place; };
  const auto last = blocks_.end() - 1;
  if (is_before(*last)) return {blocks_.size() - 1, (*last)->length};
  const auto home = std::partition_point(blocks_.begin(), last, is_before);
  const auto* places = (*home)->places.data();
  const auto* at = std::lower_bound(places, places + (*home)->length, place);
  return {static_cast<std::size_t>(home - blocks_.begin()),
          static_cast<std::size_t>(at - places)};
}

// The same spot, where a member has room.
JobQueue::Spot JobQueue::with_room(Spot spot) {
  auto& home = block(spot);
  if (home.length < Block::kMost) return spot;
  // At the end nothing moves, so members that come there fill blocks.
  const auto cut = spot.at == Block::kMost ? spot.at : Block::kMost / 2;
  add_block(spot.block + 1);
  auto& added = *blocks_[spot.block + 1];
  for (auto at = cut; at < home.length; ++at) {
    added.put(added.length++, home.member(at));
  }
  home.length = cut;
  read(spot.block);
  read(spot.block + 1);
  return spot.at < cut ? spot : Spot{spot.block + 1, spot.at - cut};
}

void JobQueue::add_block(std::size_t at) {
  const bool had_rows = has_rows();
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(at),
                 std::make_unique<Block>());
  if (!has_rows()) return;
  if (!had_rows) return make_rows();
  for (auto& row : rows_) row.insert(at);
}

std::vector<JobQueue::Member> JobQueue::all() const {
  std::vector<Member> members;
  members.reserve(members_);
  for_each([&](const Member& member) { members.push_back(member); });
  return members;
}

// Puts all members, in this order, into as few blocks as can be.
void JobQueue::refill(const std::vector<Member>& members) {
  std::size_t filled = 0;
  for (const auto& member : members) {
    if (filled == 0 || blocks_[filled - 1]->length == Block::kMost) {
      blocks_[filled++]->length = 0;
    }
    auto& home = *blocks_[filled - 1];
    home.put(home.length++, member);
  }
  blocks_.resize(filled);
  begin_anew();
}

// Knows no more where members stand and what their sizes are.
void JobQueue::begin_anew() {
  first_ = 0;
  known_ = {};
  if (has_rows()) make_rows();
}

// Puts the members in order.  Most stand near their place.
void JobQueue::reorder() {
  std::erase_if(blocks_, [](const auto& block) { return block->length == 0; });
  if (shift_all()) return begin_anew();
  auto members = all();
  std::sort(members.begin(), members.end(),
            [](const auto& a, const auto& b) { return a.place < b.place; });
  refill(members);
}

// False: after some steps for each member they are not in order yet.
bool JobQueue::shift_all() {
  constexpr std::size_t kSteps = 8;
  auto left = 1 + kSteps * members_;
  const Place* before = nullptr;
  for (Spot spot; is_member(spot) && left > 0;
       spot = settled({spot.block, spot.at + 1})) {
    const auto& place = block(spot).places[spot.at];
    if (before != nullptr && place < *before) left -= shift(spot, left);
    before = &place;
  }
  return left > 0;
}

// Moves a member ahead, past those that belong behind it; returns how many these are,
// at most `most`.  REQUIRES: no block is empty; those ahead are in order.
std::size_t JobQueue::shift(Spot from, std::size_t most) {
  const auto moving = block(from).member(from.at);
  std::size_t steps = 0;
  for (; steps < most && (from.block > 0 || from.at > 0); ++steps) {
    auto ahead = from;
    if (ahead.at == 0) ahead.at = blocks_[--ahead.block]->length;
    const auto& home = block(ahead);
    if (!(moving.place < home.places[--ahead.at])) break;
    block(from).put(from.at, home.member(ahead.at));
    from = ahead;
  }
  block(from).put(from.at, moving);
  return steps;
}

// Sizes beyond the classes share the last row.
std::size_t JobQueue::row_of(std::int64_t size) const {
  return std::min(class_of(size), rows_.size() - 1);
}

void JobQueue::make_rows() {
  std::int32_t largest = 1;
  for_each([&](const Member& each) { largest = std::max(largest, each.size); });
  rows_.resize(1 + class_of(largest));
  for (auto& row : rows_) row.reset(blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) read(i);
}

void JobQueue::read(std::size_t block) {
  if (!has_rows()) return;
  const auto& home = *blocks_[block];
  std::array<std::int32_t, 33> shortest;
  std::fill_n(shortest.begin(), rows_.size(), kNone);
  for (std::size_t at = 0; at < home.length; ++at) {
    auto& so_far = shortest[row_of(home.sizes[at])];
    so_far = std::min(so_far, rounded(home.planned[at]));
  }
  rows_[0].set(block, home.smallest());
  auto time = kNone;
  for (std::size_t row = 1; row < rows_.size(); ++row) {
    time = std::min(time, shortest[row]);
    rows_[row].set(block, time);
  }
}

void JobQueue::read_newcomer(std::size_t block, const Member& member) {
  if (class_of(member.size) >= rows_.size()) return make_rows();
  rows_[0].set(block, std::min(member.size, rows_[0][block]));
  const auto time = rounded(member.planned);
  for (auto row = class_of(member.size); row < rows_.size(); ++row) {
    if (time >= rows_[row][block]) return;
    rows_[row].set(block, time);
  }
}

void JobQueue::read_without(std::size_t block, std::int32_t size, Duration planned) {
  // A time that the member did not determine in its class it did not determine above.
  if (rows_[row_of(size)][block] == rounded(planned)) return read(block);
  if (rows_[0][block] == size) rows_[0].set(block, blocks_[block]->smallest());
}

std::int32_t JobQueue::Block::smallest() const {
  auto so_far = kNone;
  for (std::size_t at = 0; at < length; ++at) so_far = std::min(so_far, sizes[at]);
  return so_far;
}

void JobQueue::Block::put(std::size_t at, const Member& member) {
  // Field by field: copying the whole struct right after it was written stalls.
  const auto& [key, job] = member.place;
  places[at] = {key, job};
  sizes[at] = member.size;
  planned[at] = member.planned;
}

// Moves the members from this one on to where they make room or close a gap.
void JobQueue::Block::move(std::size_t from, std::size_t to) {
  const auto count = length - from;
  length = to + count;
  if (count == 0) return;
  const auto move_in = [&](auto& column) {
    std::memmove(column.data() + to, column.data() + from, count * sizeof column[0]);
  };
  move_in(places);
  move_in(sizes);
  move_in(planned);
}

// The first one from here on that lies under the staircase; `length`: none.
std::size_t JobQueue::Block::under(const Staircase& stairs, std::size_t from) const {
  const auto clipped = [](std::int64_t size) {
    return static_cast<std::int32_t>(std::min(size, std::int64_t{kNone}));
  };
  // The first two steps decide without unpredictable branches; most have no others.
  const auto steps = stairs.steps();
  const bool has_others = steps.size() > 2;
  const auto reach = steps.front().reach;
  const auto most = clipped(steps.front().free);
  const auto most_for_long = clipped(steps[steps.size() > 1 ? 1 : 0].free);
  for (auto at = from; at < length; ++at) {
    const auto allowed = planned[at] <= reach ? most : most_for_long;
    if (sizes[at] > allowed) continue;
    if (!has_others || stairs.covers(sizes[at], planned[at])) return at;
  }
  return length;
}

}  // namespace berth
