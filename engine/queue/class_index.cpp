#include "engine/queue/class_index.hpp"

#include <algorithm>
#include <bit>

#include "engine/base/error.hpp"

namespace berth {

ClassIndex::Query::Query(const ClassIndex& index, const Staircase& under) {
  for (const auto& [reach, free] : under.steps()) {
    corners_.push_back({free, reach, index.class_of(free)});
  }
}

void ClassIndex::rebuild(const SlotColumns& slots, std::int32_t largest) {
  classes_ = 1;
  if (largest > 0) {
    classes_ = static_cast<std::size_t>(std::bit_width(std::uint32_t(largest)));
    classes_ = std::max<std::size_t>(classes_, 2);
  }
  levels_.assign(1, {});
  const auto blocks = (slots.sizes.size() + kBlock - 1) / kBlock;
  for (std::size_t block = 0; block < blocks; ++block) {
    grow(0);
    gather_slots(block, slots);
  }
  for (std::size_t level = 1; level < levels_.size(); ++level) {
    for (std::size_t node = 0; node < nodes(level); ++node) gather_nodes(level, node);
  }
}

void ClassIndex::add(std::size_t slot, std::int32_t size, Duration planned) {
  auto node = slot / kBlock;
  if (node == blocks()) grow(0);
  for (auto& level : levels_) {
    if (!merge(level, node, size, planned)) return;
    node /= kArity;
  }
}

void ClassIndex::remove(std::size_t slot, const SlotColumns& slots, std::int32_t size,
                        Duration planned) {
  const auto block = slot / kBlock;
  const auto& level = levels_.front();
  const bool counted = size == level.smallest[block] ||
                       planned == level.shortest[block * classes_ + class_of(size)];
  if (counted) renew(block, slots);
}

void ClassIndex::renew(std::size_t block, const SlotColumns& slots) {
  gather_slots(block, slots);
  renew_above(block);
}

std::size_t ClassIndex::next(std::size_t block, const Query& query) const {
  std::size_t level = 0;
  auto node = block;
  while (node < nodes(level)) {
    const auto group = is_flat() ? nodes(level) : (node / kArity + 1) * kArity;
    const auto end = std::min(group, nodes(level));
    while (node < end && !may_hold(levels_[level], node, query)) ++node;
    if (node < end) {
      if (level == 0) return node;
      node *= kArity;
      --level;
    } else if (node == nodes(level)) {
      break;  // whoever follows on this level is on no level
    } else {
      node /= kArity;
      ++level;
    }
  }
  return blocks();
}

std::int32_t ClassIndex::smallest() const {
  const auto& top = levels_.back().smallest;
  return top.empty() ? kVacant : *std::min_element(top.begin(), top.end());
}

std::size_t ClassIndex::class_of(std::int64_t size) const {
  if (size <= 1 || is_flat()) return 0;
  const auto order = std::bit_width(static_cast<std::uint64_t>(size)) - 1;
  return std::min(static_cast<std::size_t>(order), classes_ - 1);
}

bool ClassIndex::may_hold(const Level& level, std::size_t node,
                          const Query& query) const {
  const auto smallest = level.smallest[node];
  const auto* shortest = &level.shortest[node * classes_];
  for (const auto& corner : query.corners_) {
    if (smallest <= corner.free && shortest[corner.size_class] <= corner.reach) {
      return smallest != kVacant;
    }
  }
  return false;
}

// One more node on this level, nobody in it, and above it what then is missing.
void ClassIndex::grow(std::size_t level) {
  levels_[level].smallest.push_back(kVacant);
  levels_[level].shortest.resize(levels_[level].shortest.size() + classes_, kNever);
  if (is_flat()) return;
  const auto here = nodes(level);
  if (level + 1 < levels_.size()) {
    if ((here - 1) / kArity == nodes(level + 1)) grow(level + 1);
  } else if (here > kArity) {
    levels_.emplace_back();
    grow(level + 1);
    gather_nodes(level + 1, 0);
    grow(level + 1);
  }
}

// Whether the node's figures changed.
bool ClassIndex::merge(Level& level, std::size_t node, std::int32_t size,
                       Duration planned) const {
  bool changed = size < level.smallest[node];
  if (changed) level.smallest[node] = size;
  auto* shortest = &level.shortest[node * classes_];
  for (auto at = class_of(size); at < classes_ && planned < shortest[at]; ++at) {
    shortest[at] = planned;
    changed = true;
  }
  return changed;
}

void ClassIndex::gather_slots(std::size_t block, const SlotColumns& slots) {
  auto& level = levels_.front();
  level.smallest[block] = kVacant;
  std::fill_n(&level.shortest[block * classes_], classes_, kNever);
  const auto end = std::min(slots.sizes.size(), (block + 1) * kBlock);
  for (auto slot = block * kBlock; slot < end; ++slot) {
    if (slots.sizes[slot] == kVacant) continue;
    (void)merge(level, block, slots.sizes[slot], slots.planned[slot]);
  }
}

void ClassIndex::gather_nodes(std::size_t level, std::size_t node) {
  const auto& below = levels_[level - 1];
  auto smallest = kVacant;
  auto* shortest = &levels_[level].shortest[node * classes_];
  std::fill_n(shortest, classes_, kNever);
  const auto end = std::min(nodes(level - 1), (node + 1) * kArity);
  for (auto child = node * kArity; child < end; ++child) {
    smallest = std::min(smallest, below.smallest[child]);
    const auto* theirs = &below.shortest[child * classes_];
    for (std::size_t at = 0; at < classes_; ++at) {
      shortest[at] = std::min(shortest[at], theirs[at]);
    }
  }
  levels_[level].smallest[node] = smallest;
}

void ClassIndex::renew_above(std::size_t block) {
  auto node = block;
  for (std::size_t level = 1; level < levels_.size(); ++level) {
    node /= kArity;
    gather_nodes(level, node);
  }
}

}  // namespace berth
