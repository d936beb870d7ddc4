#include "engine/hosts/host_room.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace berth {

namespace {

constexpr std::int32_t kAnyPartition = -1;

// Of one host, from `to` on; what follows it.
std::int64_t* write_amounts(const HostGroup& group, std::span<const ResourceKind> kinds,
                            const std::vector<std::size_t>& on_hosts,
                            std::int64_t* to) {
  for (const auto kind : on_hosts) *to++ = amount_of(group, kinds[kind].name);
  return to;
}

}  // namespace

HostRoom::HostRoom(std::span<const ResourceKind> kinds, const Resources& resources) {
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    free_.push_back(kinds[kind].capacity);
    place_.push_back(on_hosts_.size());
    (kinds[kind].is_on_hosts ? on_hosts_ : wide_).push_back(kind);
  }
  if (resources.hosts.empty()) return;
  for (const auto& group : resources.hosts) {
    const auto partition = group.partition.value_or(kAnyPartition);
    partitions_.insert(partitions_.end(), std::size_t(group.count), partition);
  }
  leaves_ = std::bit_ceil(partitions_.size());
  tree_.resize(2 * leaves_ * on_hosts_.size());
  auto* at = tree_.data() + leaves_ * on_hosts_.size();
  for (const auto& group : resources.hosts) {
    for (std::int32_t i = 0; i < group.count; ++i) {
      at = write_amounts(group, kinds, on_hosts_, at);
    }
  }
  for (auto node = leaves_ - 1; node > 0; --node) compute_node(node);
}

std::int64_t HostRoom::room(const Need& need, std::int32_t host) const {
  if (!may_use(need, host)) return 0;
  const auto* free = leaf(host);
  auto room = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < on_hosts_.size(); ++i) {
    const auto wanted = need[on_hosts_[i]];
    if (free[i] < wanted) return 0;
    if (wanted > 0) room = std::min(room, wanted == 1 ? free[i] : free[i] / wanted);
  }
  return room;
}

bool HostRoom::has_sums(const Need& need) const {
  const auto has = [&](std::size_t kind, std::int64_t times) {
    return need[kind] * times <= free_[kind];
  };
  return std::all_of(wide_.begin(), wide_.end(),
                     [&](std::size_t kind) { return has(kind, 1); }) &&
         std::all_of(on_hosts_.begin(), on_hosts_.end(),
                     [&](std::size_t kind) { return has(kind, need.chunks); });
}

// Calls put(HostChunks) for each host that the job would get; false: it does not fit.
template <class Put>
bool HostRoom::lay_out(const Need& need, const Put& put) const {
  if (!has_sums(need)) return false;
  refresh();
  std::int64_t left = need.chunks;
  for (auto host = next_host(0, need); host < hosts();) {
    const auto number = static_cast<std::int32_t>(host++);
    const auto chunks = std::min(left, room(need, number));
    if (chunks > 0) {  // the next host is likely to have room, too
      put(HostChunks{number, static_cast<std::int32_t>(chunks)});
      left -= chunks;
      if (left == 0) return true;
    } else {
      host = next_host(host, need);
    }
  }
  return false;
}

bool HostRoom::fits(const Need& need) const {
  if (on_hosts_.empty()) return has_sums(need);
  return lay_out(need, [](const HostChunks&) {});
}

bool HostRoom::spread(const Need& need, std::vector<HostChunks>& onto) const {
  onto.clear();
  return lay_out(need, [&](const HostChunks& at) { onto.push_back(at); });
}

std::size_t HostRoom::lacks(const Need& need) const {
  for (std::size_t kind = 0; kind < free_.size(); ++kind) {
    const bool is_wide = on_hosts_.empty() || place_[kind] >= on_hosts_.size() ||
                         on_hosts_[place_[kind]] != kind;
    if (need[kind] * (is_wide ? 1 : need.chunks) > free_[kind]) return kind;
  }
  return free_.size();
}

bool HostRoom::may_hold(std::size_t node, const Need& need) const {
  const auto* most = &tree_[node * on_hosts_.size()];
  for (std::size_t i = 0; i < on_hosts_.size(); ++i) {
    if (most[i] < need[on_hosts_[i]]) return false;
  }
  return true;
}

// The first host from here on that may have room for a chunk; hosts(): none.
std::size_t HostRoom::next_host(std::size_t from, const Need& need) const {
  if (from >= hosts()) return hosts();
  auto node = leaves_ + from;
  for (;;) {
    while (!may_hold(node, need)) {  // it and all before it are ruled out
      while ((node & 1U) != 0) node >>= 1U;
      if (node == 0) return hosts();
      ++node;
    }
    if (node >= leaves_) return std::min(node - leaves_, hosts());
    node *= 2;
  }
}

void HostRoom::change(const Need& need, std::span<const HostChunks> where, int sign) {
  for (const auto kind : wide_) free_[kind] += sign * need[kind];
  for (const auto& at : where) change_host(need, at, sign);
}

void HostRoom::change_host(const Need& need, const HostChunks& at, int sign) {
  auto* free = &tree_[(leaves_ + std::size_t(at.host)) * on_hosts_.size()];
  const auto times = sign * std::int64_t{at.chunks};
  for (std::size_t i = 0; i < on_hosts_.size(); ++i) {
    const auto kind = on_hosts_[i];
    const auto change = need[kind] * times;
    free[i] += change;
    free_[kind] += change;
  }
  changed_.push_back(at.host);
  if (shapes_) shapes_->change(at.host, need, times);
}

void HostRoom::count_shapes() const {
  shapes_.emplace(on_hosts_);
  for (std::size_t host = 0; host < hosts(); ++host) {
    const std::span free(leaf(static_cast<std::int32_t>(host)), on_hosts_.size());
    shapes_->add(partitions_[host], free);
  }
}

void HostRoom::refresh_changed() const {
  const auto levels = static_cast<std::size_t>(std::bit_width(leaves_));
  if (changed_.size() * levels > leaves_) {
    for (auto node = leaves_ - 1; node > 0; --node) compute_node(node);
  } else {
    std::sort(changed_.begin(), changed_.end());
    for (std::size_t i = 0; i < changed_.size(); ++i) compute_above(i);
  }
  changed_.clear();
}

// The nodes above one host that changed.  A node that the next one lies below, too, is
// left to it.
void HostRoom::compute_above(std::size_t i) const {
  auto next = i + 1 < changed_.size() ? leaves_ + std::size_t(changed_[i + 1]) : 0;
  auto node = leaves_ + std::size_t(changed_[i]);
  for (node /= 2, next /= 2; node > 0 && node != next; node /= 2, next /= 2) {
    compute_node(node);
  }
}

void HostRoom::compute_node(std::size_t node) const {
  const auto width = on_hosts_.size();
  auto* most = &tree_[node * width];
  const auto* low = &tree_[2 * node * width];
  for (std::size_t i = 0; i < width; ++i) most[i] = std::max(low[i], low[width + i]);
}

bool HostRoom::is_overdrawn() const {
  const auto below = [](std::int64_t free) { return free < 0; };
  const auto first = tree_.begin() + std::ptrdiff_t(leaves_ * on_hosts_.size());
  return std::any_of(free_.begin(), free_.end(), below) ||
         std::any_of(first, tree_.end(), below);
}

}  // namespace berth
