#include "engine/queue/class_index.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "engine/base/error.hpp"

namespace berth {

namespace {

constexpr int kRounding = 19;
constexpr std::int32_t kLongest = std::numeric_limits<std::int32_t>::max();

// In units of about half a second; everything from 35 years on is equal.
std::int32_t rounded(Duration planned) {
  const auto units = planned >> kRounding;
  return static_cast<std::int32_t>(std::min(units, Duration{kLongest}));
}

}  // namespace

ClassIndex::Query::Query(const ClassIndex& index, const Staircase& under) {
  for (const auto& [reach, free] : under.steps()) {
    if (free < 1) break;
    const auto most = std::min(free, std::int64_t{kHole} - 1);  // a hole never fits
    steps_.push_back(
        {static_cast<std::int32_t>(most), rounded(reach), index.class_of(free)});
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
    append_node(0);
    compute_leaf(block, slots);
  }
  for (std::size_t level = 1; level < levels_.size(); ++level) {
    for (std::size_t node = 0; node < levels_[level].nodes; ++node) {
      compute_node(level, node, {0, classes_});
    }
  }
}

void ClassIndex::add(std::size_t slot, std::int32_t size, Duration planned) {
  auto node = slot / kBlock;
  if (node == blocks()) append_node(0);
  for (auto& level : levels_) {
    if (!merge(level, node, size, rounded(planned))) return;
    node /= kArity;
  }
}

void ClassIndex::remove(std::size_t slot, const SlotColumns& slots, std::int32_t size,
                        Duration planned) {
  const auto first = class_of(size);
  const auto duration = rounded(planned);
  auto node = slot / kBlock;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const auto& [nodes, smallest, shortest] = levels_[level];
    auto end = first;
    while (end < classes_ && shortest[at(node, end)] == duration) ++end;
    // Values that the job did not determine here it did not determine above either.
    if (end == first && smallest[node] != size) return;
    if (level == 0) {
      compute_leaf(node, slots);
    } else {
      compute_node(level, node, {first, end});
    }
    node /= kArity;
  }
}

void ClassIndex::update_block(std::size_t block, const SlotColumns& slots) {
  compute_leaf(block, slots);
  auto node = block;
  for (std::size_t level = 1; level < levels_.size(); ++level) {
    node /= kArity;
    compute_node(level, node, {0, classes_});
  }
}

std::size_t ClassIndex::next(std::size_t block, const Query& query) const {
  std::size_t level = 0;
  auto node = block;
  while (node < levels_[level].nodes) {
    const auto found = candidates(levels_[level], node, query);
    if (found != 0) {
      node += static_cast<std::size_t>(std::countr_zero(found));
      if (level == 0) return node;
      node *= kArity;
      --level;
      continue;
    }
    node = (node / kArity + 1) * kArity;
    if (is_flat() || node >= levels_[level].nodes) continue;
    node /= kArity;
    ++level;
  }
  return blocks();
}

std::int32_t ClassIndex::smallest() const {
  const auto& top = levels_.back().smallest;
  return top.empty() ? kHole : *std::min_element(top.begin(), top.end());
}

std::size_t ClassIndex::class_of(std::int64_t size) const {
  // Without a branch; 0 if there is one class.
  const auto order = std::bit_width(static_cast<std::uint64_t>(size) | 1) - 1;
  return std::min(static_cast<std::size_t>(order), classes_ - 1);
}

// A bit for each node that may hold a job: the lowest for this node, then those behind
// it in its group.  Without branches, because the results are unpredictable.
unsigned ClassIndex::candidates(const Level& level, std::size_t node,
                                const Query& query) const {
  const auto first = node / kArity * kArity;
  const auto* smallest = &level.smallest[first];
  unsigned found = 0;
  for (const auto [free, reach, size_class] : query.steps_) {
    const auto* shortest = &level.shortest[at(first, size_class)];
    for (std::size_t each = 0; each < kArity; ++each) {
      const auto fits = static_cast<unsigned>(smallest[each] <= free);
      const auto ends = static_cast<unsigned>(shortest[each] <= reach);
      found |= (fits & ends) << each;
    }
  }
  return found >> (node - first);
}

// Appends an empty node on this level, and on the levels above where one is missing.
void ClassIndex::append_node(std::size_t level) {
  auto& [nodes, smallest, shortest] = levels_[level];
  if (nodes++ % kArity == 0) {
    smallest.resize(smallest.size() + kArity, kHole);
    shortest.resize(shortest.size() + kArity * classes_, kLongest);
  }
  if (is_flat()) return;
  const auto here = nodes;
  if (level + 1 < levels_.size()) {
    if ((here - 1) / kArity == levels_[level + 1].nodes) append_node(level + 1);
  } else if (here > kArity) {
    levels_.emplace_back();
    append_node(level + 1);
    compute_node(level + 1, 0, {0, classes_});
    append_node(level + 1);
  }
}

// Whether a value of the node changed.
bool ClassIndex::merge(Level& level, std::size_t node, std::int32_t size,
                       std::int32_t rounded) const {
  bool changed = size < level.smallest[node];
  if (changed) level.smallest[node] = size;
  auto* shortest = &level.shortest[at(node, class_of(size))];
  for (auto each = class_of(size); each < classes_ && rounded < *shortest; ++each) {
    *shortest = rounded;
    shortest += kArity;
    changed = true;
  }
  return changed;
}

void ClassIndex::compute_leaf(std::size_t block, const SlotColumns& slots) {
  std::array<std::int32_t, 32> in_class;
  std::fill_n(in_class.begin(), classes_, kLongest);
  auto smallest = kHole;
  const auto end = std::min(slots.sizes.size(), (block + 1) * kBlock);
  for (auto slot = block * kBlock; slot < end; ++slot) {
    const auto size = slots.sizes[slot];
    const auto planned = size == kHole ? kLongest : rounded(slots.planned[slot]);
    smallest = std::min(smallest, size);
    auto& shortest = in_class[class_of(size)];
    shortest = std::min(shortest, planned);
  }
  auto& level = levels_.front();
  level.smallest[block] = smallest;
  auto shortest = kLongest;
  for (std::size_t each = 0; each < classes_; ++each) {
    shortest = std::min(shortest, in_class[each]);
    level.shortest[at(block, each)] = shortest;
  }
}

// Recomputes the shortest planned times of these classes alone.
void ClassIndex::compute_node(std::size_t level, std::size_t node, ClassRange classes) {
  const auto& below = levels_[level - 1];
  const auto least = [](const std::int32_t* values) {
    auto so_far = values[0];
    for (std::size_t i = 1; i < kArity; ++i) so_far = std::min(so_far, values[i]);
    return so_far;
  };
  auto& here = levels_[level];
  const auto group = node * kArity;
  here.smallest[node] = least(&below.smallest[group]);
  for (auto each = classes.first; each < classes.end; ++each) {
    here.shortest[at(node, each)] = least(&below.shortest[at(group, each)]);
  }
}

}  // namespace berth
