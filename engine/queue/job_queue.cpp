#include "engine/queue/job_queue.hpp"

#include <algorithm>
#include <limits>

#include "engine/base/error.hpp"

namespace berth {

void JobQueue::insert(const Member& member) {
  const auto at = behind(&member.place);
  BERTH_ASSERT(at == 0 || !slots_[at - 1].live ||
               slots_[at - 1].member.place != member.place);
  const bool reuses = at > 0 && slots_[at - 1].member.place == member.place;
  const auto slot = reuses ? at - 1 : at;
  if (reuses) {
    slots_[slot] = {member, true};
  } else {
    slots_.insert(slots_.begin() + static_cast<std::ptrdiff_t>(slot), {member, true});
  }
  ++members_;
  first_ = std::min(first_, slot);
  rebuild_blocks(slot);
}

void JobQueue::erase(Place place) {
  const auto at = behind(&place);
  BERTH_ASSERT(at > 0 && slots_[at - 1].live && slots_[at - 1].member.place == place);
  const auto slot = at - 1;
  slots_[slot].live = false;
  --members_;
  rebuild_block(slot / kBlock);
  while (first_ < slots_.size() && !slots_[first_].live) ++first_;
  if (slots_.size() > kBlock && members_ * 2 < slots_.size()) compact();
}

std::optional<Place> JobQueue::head() const {
  if (empty()) return std::nullopt;
  return slots_[first_].member.place;
}

std::optional<Place> JobQueue::next(const Place* after, const Staircase& under) const {
  auto slot = std::max(first_, behind(after));
  while (slot < slots_.size()) {
    const auto& block = blocks_[slot / kBlock];
    const auto end = std::min(slots_.size(), (slot / kBlock + 1) * kBlock);
    if (!under.covers(block.smallest, block.shortest)) {
      slot = end;
      continue;
    }
    for (; slot < end; ++slot) {
      const auto& [member, live] = slots_[slot];
      if (live && under.covers(member.size, member.planned)) return member.place;
    }
  }
  return std::nullopt;
}

std::optional<Place> JobQueue::next(const Place* after) const {
  for (auto slot = std::max(first_, behind(after)); slot < slots_.size(); ++slot) {
    if (slots_[slot].live) return slots_[slot].member.place;
  }
  return std::nullopt;
}

std::optional<Place> JobQueue::nth_behind(Place after, std::int64_t n) const {
  for (auto slot = behind(&after); slot < slots_.size(); ++slot) {
    if (slots_[slot].live && --n == 0) return slots_[slot].member.place;
  }
  return std::nullopt;
}

std::optional<std::int32_t> JobQueue::smallest() const {
  if (empty()) return std::nullopt;
  auto least = std::numeric_limits<std::int32_t>::max();
  for (const auto& block : blocks_) least = std::min(least, block.smallest);
  return least;
}

std::size_t JobQueue::behind(const Place* after) const {
  if (after == nullptr) return 0;
  const auto at = std::upper_bound(
      slots_.begin(), slots_.end(), *after,
      [](const Place& place, const Slot& slot) { return place < slot.member.place; });
  return static_cast<std::size_t>(at - slots_.begin());
}

void JobQueue::compact() {
  std::erase_if(slots_, [](const Slot& slot) { return !slot.live; });
  first_ = 0;
  rebuild_blocks(0);
}

void JobQueue::rebuild_blocks(std::size_t from_slot) {
  blocks_.resize((slots_.size() + kBlock - 1) / kBlock);
  for (auto block = from_slot / kBlock; block < blocks_.size(); ++block) {
    rebuild_block(block);
  }
}

void JobQueue::rebuild_block(std::size_t block) {
  Block summary{std::numeric_limits<std::int32_t>::max(), kNever};
  const auto end = std::min(slots_.size(), (block + 1) * kBlock);
  for (auto slot = block * kBlock; slot < end; ++slot) {
    if (!slots_[slot].live) continue;
    summary.smallest = std::min(summary.smallest, slots_[slot].member.size);
    summary.shortest = std::min(summary.shortest, slots_[slot].member.planned);
  }
  blocks_[block] = summary;
}

}  // namespace berth
