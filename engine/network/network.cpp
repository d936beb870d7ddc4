#include "engine/network/network.hpp"

#include <bit>
#include <utility>

#include "engine/base/error.hpp"

namespace berth {

namespace {

constexpr std::size_t kWord = 64;

std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

std::uint64_t bits_of(std::int32_t first, std::int32_t count) {
  const auto all = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  return all << first;
}

// Adds the processors of the `count` lowest of these slots; slot 0 is `first`.
void add_lowest(std::uint64_t slots, std::int32_t first, std::int32_t count,
                IntervalSet& to) {
  for (std::int32_t i = 0; i < count; ++i, slots &= slots - 1) {
    BERTH_ASSERT(slots != 0);
    const auto processor = first + std::countr_zero(slots);
    to.insert(Interval{processor, processor});
  }
}

void flip(std::uint64_t& slots, std::uint64_t bits, bool gives) {
  BERTH_ASSERT((slots & bits) == (gives ? 0 : bits));
  slots ^= bits;
}

}  // namespace

std::int64_t moved_vms(std::span<const ServerVms> before,
                       std::span<const ServerVms> now) {
  std::int64_t moved = 0;
  for (const auto& each : now) {
    const auto at = std::find_if(before.begin(), before.end(), [&](const auto& old) {
      return old.server == each.server;
    });
    moved += std::max(0, each.vms - (at == before.end() ? 0 : at->vms));
  }
  return moved;
}

Network::Network(std::shared_ptr<const Topology> topology, Hose hose)
    : topology_(std::move(topology)),
      hose_(hose),
      slots_(index(topology_->servers())),
      idle_(slots_.size()),
      below_(index(topology_->groups())),
      most_idle_((slots_.size() + kWord - 1) / kWord),
      buckets_(most_idle_.size() * (index(topology_->most_slots()) + 1)) {
  links_.reserve(index(topology_->links()));
  for (NetworkLink link = 0; link < topology_->links(); ++link) {
    links_.push_back({topology_->capacity(link)});
  }
  for (NetworkNode server = 0; server < topology_->servers(); ++server) {
    const auto slots = topology_->slots(server);
    slots_[index(server)] = bits_of(0, slots);
    set_idle(server, slots);
    topology_->for_each_group(server, [&](std::int32_t group) {
      below_.set(index(group), below_.at(index(group)) + slots);
    });
  }
}

template <class Call>
void Network::for_each_need(const ClusterRequest& request, NetworkNode top,
                            std::span<const ServerVms> vms, const Call& call) const {
  if (request.bandwidth == 0 || vms.size() < 2) return;
  const bool adds_needs = hose_ == Hose::kPerPath;
  for (const auto& [server, count] : vms) {
    const auto amount = adds_needs ? hose_need(count, request.vms, request.bandwidth)
                                   : std::int64_t{count};
    if (amount == 0) continue;
    topology_->for_each_link(top, server, [&](NetworkLink link) {
      auto& sum = links_[index(link)].sum;
      if (sum == 0) touched_.push_back(link);
      sum += amount;
    });
  }
  for (const NetworkLink link : touched_) {
    const auto sum = std::exchange(links_[index(link)].sum, 0);
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

VirtualCluster Network::placement(const ClusterRequest& request,
                                  const Embedded& where) const {
  VirtualCluster made;
  made.node = where.top;
  made.level = topology_->level(where.top);
  made.name = topology_->name(where.top);
  made.vms = where.vms;
  std::sort(made.vms.begin(), made.vms.end(),
            [](const auto& a, const auto& b) { return a.server < b.server; });
  made.reserved = reserved(request, where);
  for (const auto& [server, count] : made.vms) {
    add_lowest(slots_[index(server)], topology_->first_processor(server), count,
               made.processors);
  }
  return made;
}

void Network::take(const ClusterRequest& request, const VirtualCluster& placement) {
  state_ = ++changes_;
  change_slots(placement, false);
  for_each_need(request, placement.node, placement.vms,
                [&](NetworkLink link, std::int64_t need) {
                  auto& left = links_[index(link)].left;
                  left -= need;
                  BERTH_ASSERT(left >= 0);
                });
}

void Network::give(const ClusterRequest& request, const VirtualCluster& placement) {
  state_ = ++changes_;
  change_slots(placement, true);
  for_each_need(
      request, placement.node, placement.vms,
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
  buckets_[before * most_idle_.size() + word] &= ~bit;
  buckets_[index(idle) * most_idle_.size() + word] |= bit;
  auto most = std::max(most_idle_.at(word), idle);
  while (most > 0 && servers_with(most, word) == 0) --most;
  if (most != most_idle_.at(word)) most_idle_.set(word, most);
}

void Network::change_slots(const VirtualCluster& placement, bool gives) {
  const auto& parts = placement.processors.intervals();
  auto part = parts.begin();
  std::int32_t change = 0;  // of the servers that follow one another in one group
  for (std::size_t i = 0; i < placement.vms.size(); ++i) {
    const auto [server, count] = placement.vms[i];
    const auto first = topology_->first_processor(server);
    const auto last = first + topology_->slots(server) - 1;
    auto& slots = slots_[index(server)];
    while (part != parts.end() && part->first <= last) {
      const auto from = std::max(part->first, first);
      const auto to = std::min(part->last, last);
      const auto bits = bits_of(from - first, to - from + 1);
      flip(slots, bits, gives);
      if (part->last > last) break;
      ++part;
    }
    set_idle(server, gives ? idle(server) + count : idle(server) - count);
    change += gives ? count : -count;
    const bool goes_on = i + 1 < placement.vms.size() &&
                         topology_->lowest_group(placement.vms[i + 1].server) ==
                             topology_->lowest_group(server);
    if (goes_on) continue;
    topology_->for_each_group(server, [&](std::int32_t group) {
      below_.set(index(group), below_.at(index(group)) + change);
    });
    change = 0;
  }
}

}  // namespace berth
