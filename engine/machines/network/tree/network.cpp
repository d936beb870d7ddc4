#include "engine/machines/network/tree/network.hpp"

#include <bit>
#include <utility>

#include "engine/base/error.hpp"

namespace berth {

namespace {

constexpr std::size_t kWord = 64;

// REQUIRES: count is 1 .. 64.
std::uint64_t bits_of(std::int32_t first, std::int32_t count) {
  return ~std::uint64_t{0} >> (64 - count) << first;
}

// Adds the processors of the `count` lowest of these slots; slot 0 is `first`.
void add_lowest(std::uint64_t slots, std::int32_t first, std::int32_t count,
                std::vector<Interval>& to) {
  while (count > 0) {
    BERTH_ASSERT(slots != 0);
    const auto skipped = std::countr_zero(slots);
    const auto length = std::min(std::countr_one(slots >> skipped), count);
    to.push_back({first + skipped, first + skipped + length - 1});
    slots &= ~bits_of(skipped, length);
    count -= length;
  }
}

void flip(std::uint64_t& slots, std::uint64_t bits, bool gives) {
  BERTH_ASSERT((slots & bits) == (gives ? 0 : bits));
  slots ^= bits;
}

// Of the numbers first .. last those in the parts, as bits; goes on to the first part
// that reaches beyond them.
template <class Part>
std::uint64_t bits_from(Part& part, Part end, std::int32_t first, std::int32_t last) {
  std::uint64_t bits = 0;
  for (; part != end && part->first <= last; ++part) {
    const auto from = std::max(part->first, first);
    const auto to = std::min(part->last, last);
    bits |= bits_of(from - first, to - from + 1);
    if (part->last > last) break;
  }
  return bits;
}

}  // namespace

Network::Network(std::shared_ptr<const Topology> topology, Hose hose)
    : topology_(std::move(topology)),
      hose_(hose),
      idle_(index(topology_->servers())),
      below_(index(topology_->groups() - 1)),
      most_idle_((idle_.size() + kWord - 1) / kWord),
      classes_(index(topology_->most_slots()) + 1),
      buckets_(most_idle_.size() * classes_),
      sums_(index(topology_->links())) {
  links_.reserve(index(topology_->links()));
  for (NetworkLink link = 0; link < topology_->links(); ++link) {
    links_.push_back({topology_->capacity(link)});
  }
  for (NetworkNode server = 0; server < topology_->servers(); ++server) {
    const auto slots = topology_->slots(server);
    links_[index(server)].slots = bits_of(0, slots);
    set_idle(server, slots);
    change_below(server, slots);
  }
}

template <class Call>
void Network::for_each_need(const ClusterRequest& request, NetworkNode top,
                            std::span<const ServerVms> vms, const Call& call) const {
  if (request.bandwidth == 0 || vms.size() < 2) return;
  if (topology_->is_lowest(top)) {
    for (const auto& [server, count] : vms) {
      const auto need = hose_need(count, request.vms, request.bandwidth);
      if (need > 0) call(server, need);
    }
    return;
  }
  const bool adds_needs = hose_ == Hose::kPerPath;
  for (const auto& [server, count] : vms) {
    const auto amount = adds_needs ? hose_need(count, request.vms, request.bandwidth)
                                   : std::int64_t{count};
    if (amount == 0) continue;
    topology_->for_each_link(top, server, [&](NetworkLink link) {
      auto& sum = sums_[index(link)];
      if (sum == 0) touched_.push_back(link);
      sum += amount;
    });
  }
  for (const NetworkLink link : touched_) {
    const auto sum = std::exchange(sums_[index(link)], 0);
    const auto need = adds_needs ? sum : hose_need(sum, request.vms, request.bandwidth);
    if (need > 0) call(link, need);
  }
  touched_.clear();
}

std::int64_t Network::reserved(const ClusterRequest& request,
                               const Embedded& where) const {
  std::int64_t sum = 0;
  for_each_need(request, where.top, where.vms,
                [&](NetworkLink, std::int64_t need) { sum += need; });
  return sum;
}

std::vector<LinkShare> Network::shares_of_links(const ClusterRequest& request,
                                                const Embedded& where) const {
  std::vector<LinkShare> shares;
  for_each_need(request, where.top, where.vms,
                [&](NetworkLink link, std::int64_t need) {
                  shares.push_back({link, need});
                });
  return shares;
}

std::optional<Network::Shortage> Network::shortage(const ClusterRequest& request,
                                                   const Embedded& where) const {
  std::optional<Shortage> found;
  for_each_need(request, where.top, where.vms,
                [&](NetworkLink link, std::int64_t need) {
                  if (need > left(link) && !found) found = {link, need, left(link)};
                });
  return found;
}

std::optional<Network::Shortage> Network::tightest(const ClusterRequest& request,
                                                   NetworkNode top) const {
  std::optional<Shortage> found;
  std::int32_t most_lost = 0;
  std::vector<NetworkNode> open{top};
  const auto look = [&](NetworkNode child, NetworkLink link) {
    const auto wanted = std::min(idle_below(child), request.vms);
    auto passes = wanted;
    while (hose_need(passes, request.vms, request.bandwidth) > left(link)) --passes;
    if (wanted - passes > most_lost) {
      most_lost = wanted - passes;
      const auto needed = hose_need(passes + 1, request.vms, request.bandwidth);
      found = {link, needed, left(link)};
    }
    open.push_back(child);
  };
  for (std::size_t next = 0; next < open.size(); ++next) {
    if (!topology_->is_server(open[next])) topology_->for_each_child(open[next], look);
  }
  return found;
}

std::optional<std::int64_t> Network::least_left(const ClusterRequest& request,
                                                const Embedded& where) const {
  std::optional<std::int64_t> least;
  for_each_need(request, where.top, where.vms, [&](NetworkLink link, std::int64_t) {
    least = std::min(least.value_or(left(link)), left(link));
  });
  return least;
}

Placement Network::placement(const ClusterRequest& request, Embedded where) const {
  const auto by_server = [](const auto& a, const auto& b) {
    return a.server < b.server;
  };
  if (!std::is_sorted(where.vms.begin(), where.vms.end(), by_server)) {
    std::sort(where.vms.begin(), where.vms.end(), by_server);
  }
  VirtualCluster made;
  made.node = where.top;
  made.level = topology_->level(where.top);
  made.name = topology_->name(where.top);
  made.reserved = reserved(request, where);
  parts_.clear();
  for (const auto& [server, count] : where.vms) {
    add_lowest(links_[index(server)].slots, topology_->first_processor(server), count,
               parts_);
  }
  IntervalSet slots;
  slots.append(parts_);
  made.vms = std::move(where.vms);
  return placement_of(std::move(slots), std::move(made));
}

void Network::take(const ClusterRequest& request, const Placement& placement) {
  state_ = ++changes_;
  change_slots(placement, false);
  const auto& cluster = cluster_of(placement);
  for_each_need(request, cluster.node, cluster.vms,
                [&](NetworkLink link, std::int64_t need) {
                  auto& left = links_[index(link)].left;
                  left -= need;
                  BERTH_ASSERT(left >= 0);
                });
}

void Network::give(const ClusterRequest& request, const Placement& placement) {
  state_ = ++changes_;
  change_slots(placement, true);
  const auto& cluster = cluster_of(placement);
  for_each_need(
      request, cluster.node, cluster.vms,
      [&](NetworkLink link, std::int64_t need) { links_[index(link)].left += need; });
}

std::optional<NetworkNode> Network::first_server(std::int32_t idle) const {
  const auto word = most_idle_.next(0, idle);
  if (word == most_idle_.size()) return std::nullopt;
  std::uint64_t servers = 0;
  for (auto each = most_idle_.at(word); each >= idle; --each) {
    servers |= servers_with(each, word);
  }
  return static_cast<NetworkNode>(word * kWord) + std::countr_zero(servers);
}

void Network::set_idle(NetworkNode server, std::int32_t idle) {
  const auto word = index(server) / kWord;
  const auto bit = std::uint64_t{1} << (index(server) % kWord);
  const auto before =
      std::exchange(idle_[index(server)], static_cast<std::uint8_t>(idle));
  auto* const bucket = &buckets_[word * classes_];
  bucket[before] &= ~bit;
  bucket[idle] |= bit;
  auto most = most_idle_.at(word);
  if (idle > most) return most_idle_.set(word, idle);
  if (bucket[most] != 0 || most == 0) return;
  while (most > 0 && bucket[most] == 0) --most;
  most_idle_.set(word, most);
}

void Network::change_slots(const Placement& placement, bool gives) {
  auto part = placement.processors().intervals().begin();
  const auto end = placement.processors().intervals().end();
  const auto& vms = cluster_of(placement).vms;
  for (auto each = vms.begin(); each != vms.end();) {
    const auto first_server = each->server;
    const auto end_beside = topology_->end_beside(first_server);
    std::int32_t change = 0;
    for (; each != vms.end() && each->server < end_beside; ++each) {
      const auto first = topology_->first_processor(each->server);
      const auto last = first + topology_->slots(each->server) - 1;
      flip(links_[index(each->server)].slots, bits_from(part, end, first, last), gives);
      const auto count = gives ? each->vms : -each->vms;
      set_idle(each->server, idle(each->server) + count);
      change += count;
    }
    change_below(first_server, change);
  }
}

void Network::change_below(NetworkNode server, std::int32_t change) {
  idle_slots_ += change;
  topology_->for_each_group(server, [&](std::int32_t group) {
    const auto at = index(group);
    if (at < below_.size()) below_.set(at, below_.at(at) + change);
  });
}

}  // namespace berth
