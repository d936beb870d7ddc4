#include "engine/machines/network/embed/frame.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "engine/base/scoped_value.hpp"

namespace berth {

namespace {

constexpr std::size_t kWord = 64;

// The servers of a range with idle slots, class by class of their numbers of idle
// slots, those of one class by number; found as far as they are asked for.
class ServerOrder {
 public:
  static constexpr auto kAnyCount = ~std::uint64_t{0};

  // The numbers of idle slots that come first, second, ..: bit a - 1 is a.
  std::vector<std::uint64_t>& classes() { return classes_; }
  // Forgets what was found.
  void clear() { range_ = {0, 0}; }
  [[nodiscard]] bool is_of(NodeRange range) const {
    return range_.first == range.first && range_.last == range.last;
  }

  void begin(NodeRange range) {
    range_ = range;
    end_word_ = (index(range.last) + kWord - 1) / kWord;
    servers_.clear();
    at_class_ = 0;
    word_ = index(range.first) / kWord;
    bits_ = 0;
  }
  // All of them in an order of the caller's.
  std::vector<NetworkNode>& all(const Network& network) {
    // Bounded: the servers of a range once, which sort() charges.
    while (find_more(network)) {
    }
    return servers_;
  }
  // The i-th; nullopt: there are fewer.  REQUIRES: asked for in order.
  std::optional<NetworkNode> at(const Network& network, std::size_t i) {
    if (i == servers_.size() && !find_more(network)) return std::nullopt;
    return servers_[i];
  }

 private:
  bool find_more(const Network& network) {
    if (bits_ == 0 && !find_word(network)) return false;
    const auto first = static_cast<NetworkNode>((word_ - 1) * kWord);
    servers_.push_back(first + std::countr_zero(bits_));
    bits_ &= bits_ - 1;
    return true;
  }

  // The next servers of one class and word, into bits_.
  bool find_word(const Network& network) {
    // Bounded: at most 64 classes; their words are passed once a walk.
    for (; at_class_ < classes_.size(); ++at_class_) {
      const auto counts = classes_[at_class_];
      // Bounded: words of 64 servers, once a walk.
      while (counts != 0 && word_ < end_word_) {
        bits_ = servers_of(network, counts, word_) & in_range(word_);
        ++word_;
        if (bits_ != 0) return true;
      }
      word_ = index(range_.first) / kWord;
    }
    return false;
  }

  static std::uint64_t servers_of(const Network& network, std::uint64_t counts,
                                  std::size_t word) {
    if (counts == kAnyCount) return ~network.servers_with(0, word);
    std::uint64_t servers = 0;
    // Bounded: the bits of one word.
    for (; counts != 0; counts &= counts - 1) {
      servers |= network.servers_with(std::countr_zero(counts) + 1, word);
    }
    return servers;
  }

  [[nodiscard]] std::uint64_t in_range(std::size_t word) const {
    auto bits = ~std::uint64_t{0};
    if (word == index(range_.first) / kWord) bits <<= index(range_.first) % kWord;
    if (word == index(range_.last) / kWord) {
      bits &= (std::uint64_t{1} << (index(range_.last) % kWord)) - 1;
    }
    return bits;
  }

  std::vector<std::uint64_t> classes_;
  NodeRange range_{};
  std::size_t end_word_ = 0;
  std::vector<NetworkNode> servers_;
  // Where the search for more goes on.
  std::size_t at_class_ = 0;
  std::size_t word_ = 0;    // the next
  std::uint64_t bits_ = 0;  // servers of the word before it
};

class Frame final : public Embedding {
 public:
  explicit Frame(FrameSettings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] std::optional<Embedded> find(const Network& network,
                                             const ClusterRequest& request,
                                             Budget& budget) override {
    if (network.idle_slots() < request.vms) return std::nullopt;
    const auto& topology = network.topology();
    if (settings_.whole_server_first && request.vms <= topology.most_slots()) {
      if (const auto server = network.first_server(request.vms)) {
        return Embedded{*server, {{*server, request.vms}}};
      }
    }
    const ScopedValue charged(budget_, &budget);
    begin(network, request);
    bool has_failed = false;
    for (auto group = network.next_group(first_group(topology), request.vms);
         group < topology.groups();
         group = network.next_group(group + 1, request.vms)) {
      const auto [first, last] = topology.switches_of(group);
      for (auto top = first; top < last; ++top) {
        budget.charge();
        // The first is likely to do.
        if (has_failed && bound(network, request, top) < request.vms) continue;
        if (walk(network, request, top) == request.vms) return Embedded{top, chosen_};
        has_failed = true;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Reached reach(const Network& network, const ClusterRequest& request,
                              Budget& budget) override {
    const ScopedValue charged(budget_, &budget);
    begin(network, request);
    Reached most;
    const auto& topology = network.topology();
    for (auto group = first_group(topology); group < topology.groups(); ++group) {
      const auto [first, last] = topology.switches_of(group);
      for (auto top = first; top < last; ++top) {
        budget.charge();
        if (bound(network, request, top) <= most.vms) continue;
        const auto vms = walk(network, request, top);
        if (vms > most.vms) most = {vms, top};
      }
    }
    return most;
  }

 private:
  [[nodiscard]] std::int32_t first_group(const Topology& topology) const {
    if (settings_.scope == Scope::kSmallestSubtree) return 0;
    return topology.group(topology.switches(topology.levels()).first);
  }

  void begin(const Network& network, const ClusterRequest& request) {
    const auto& topology = network.topology();
    sums_.resize(index(topology.links()));
    bounds_.resize(index(topology.nodes()));
    ++request_;
    order_.clear();
    auto& classes = order_.classes();
    classes.assign(1, ServerOrder::kAnyCount);
    if (!settings_.slot_order) return;
    const auto ranks = index(topology.most_slots()) + 1;
    rank_.assign(ranks, 0);
    settings_.slot_order(network, request, rank_);
    classes.assign(ranks, 0);
    // Bounded: the slots of a server, at most 64.
    for (std::size_t idle = 1; idle < ranks; ++idle) {
      classes[index(rank_[idle])] |= std::uint64_t{1} << (idle - 1);
    }
  }

  // Puts the servers of the range into order.
  void sort(const Network& network, const ClusterRequest& request, NodeRange below) {
    if (order_.is_of(below)) return;
    order_.begin(below);
    if (!settings_.server_weights) return;
    auto& servers = order_.all(network);
    budget_->charge_each(servers.size());
    weights_.resize(servers.size());
    settings_.server_weights(request, servers, weights_);
    weighted_.clear();
    for (std::size_t i = 0; i < servers.size(); ++i) {
      weighted_.emplace_back(-weights_[i], servers[i]);
    }
    std::sort(weighted_.begin(), weighted_.end());
    std::transform(weighted_.begin(), weighted_.end(), servers.begin(),
                   [](const auto& each) { return each.second; });
  }

  // No fill places more VMs below the node: the sum over its children of the largest
  // number that their links let pass.  At most the VMs of the request.
  std::int32_t bound(const Network& network, const ClusterRequest& request,
                     NetworkNode node) {
    const auto& topology = network.topology();
    if (topology.is_server(node)) return std::min(network.idle(node), request.vms);
    auto& known = bounds_[index(node)];
    if (known.request == request_) return known.vms;
    std::int32_t sum = 0;
    if (network.idle_below(node) > 0) {
      topology.for_each_child(node, [&](NetworkNode child, NetworkLink link) {
        budget_->charge();
        if (sum >= request.vms) return;
        const auto most = bound(network, request, child);
        if (most > 0) sum += passing(request, network.left(link), 0, most);
      });
    }
    known = {request_, std::min(sum, request.vms)};
    return known.vms;
  }

  // Places VMs below the switch, into chosen_; how many.
  std::int32_t walk(const Network& network, const ClusterRequest& request,
                    NetworkNode top) {
    sort(network, request, network.topology().below(top));
    chosen_.clear();
    std::int32_t left = request.vms;
    for (std::size_t i = 0; left > 0; ++i) {
      budget_->charge();
      const auto server = order_.at(network, i);
      if (!server) break;
      const auto count = fill(network, request, {top, *server}, left);
      if (count == 0) continue;
      add(network, request, {top, *server}, count);
      chosen_.push_back({*server, count});
      left -= count;
    }
    // Bounded: as many links as servers were charged for, times the height.
    for (const auto link : touched_) sums_[index(link)] = 0;
    touched_.clear();
    return request.vms - left;
  }

  struct Way {
    NetworkNode top;
    NetworkNode server;
  };

  std::int32_t fill(const Network& network, const ClusterRequest& request,
                    const Way& way, std::int32_t left) {
    const auto idle = network.idle(way.server);
    const auto most = std::min(idle, left);
    if (settings_.fill == Fill::kLargest) return largest(network, request, way, most);
    const bool is_whole = settings_.fill == Fill::kWholeOrCountUp &&
                          left == request.vms && idle >= request.vms;
    if (is_whole) return request.vms;
    std::int32_t count = 0;
    while (count < most && largest(network, request, way, count + 1) == count + 1) {
      budget_->charge();
      ++count;
    }
    return count;
  }

  // The largest number of VMs, at most `most`, that every link of the way carries.
  [[nodiscard]] std::int32_t largest(const Network& network,
                                     const ClusterRequest& request, const Way& way,
                                     std::int32_t most) const {
    // Bounded: `most` falls at each turn, to 0 at least.
    for (;;) {
      // The link of the server carries what the server takes now, and nothing before.
      auto count = passing(request, network.left(way.server), 0, most);
      network.topology().for_each_link_above(
          way.top, way.server, [&](NetworkLink link) {
            const auto sum = sums_[index(link)];
            count = network.hose() == Hose::kSubtree
                        ? passing(request, network.left(link), sum, count)
                        : passing(request, network.left(link) - sum, 0, count);
          });
      if (count == most || count == 0) return count;
      most = count;
    }
  }

  // The largest number of VMs, at most `most`, that a link carries below which there
  // are so many of the cluster already.  The numbers that it does not carry are the
  // middle of all.
  static std::int32_t passing(const ClusterRequest& request, std::int64_t left,
                              std::int64_t already, std::int32_t most) {
    if (hose_need(already + most, request.vms, request.bandwidth) <= left) return most;
    const auto least = left / request.bandwidth - already;
    return static_cast<std::int32_t>(std::max(least, std::int64_t{0}));
  }

  // To the links above the server.
  void add(const Network& network, const ClusterRequest& request, const Way& way,
           std::int32_t count) {
    if (network.topology().is_lowest(way.top)) return;
    const auto amount = network.hose() == Hose::kSubtree
                            ? std::int64_t{count}
                            : hose_need(count, request.vms, request.bandwidth);
    network.topology().for_each_link_above(way.top, way.server, [&](NetworkLink link) {
      if (sums_[index(link)] == 0) touched_.push_back(link);
      sums_[index(link)] += amount;
    });
  }

  struct Bound {
    std::uint64_t request = 0;  // for which it was found
    std::int32_t vms = 0;
  };

  FrameSettings settings_;
  Budget* budget_ = nullptr;  // null between questions
  ServerOrder order_;
  std::vector<std::int32_t> rank_;  // by idle slots
  std::vector<double> weights_;
  std::vector<std::pair<double, NetworkNode>> weighted_;
  std::uint64_t request_ = 0;
  std::vector<Bound> bounds_;  // by node
  // Of the walk at hand: VMs, or needs, by link above servers; all 0 between walks.
  std::vector<std::int64_t> sums_;
  std::vector<NetworkLink> touched_;
  std::vector<ServerVms> chosen_;
};

}  // namespace

std::unique_ptr<Embedding> make_frame(FrameSettings settings) {
  return std::make_unique<Frame>(std::move(settings));
}

void rank_by_weight(std::span<const double> weights, std::span<std::int32_t> rank) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return weights[a] > weights[b]; });
  std::int32_t next = 0;
  // Bounded: the slots of a server, at most 64.
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && weights[order[i]] != weights[order[i - 1]]) ++next;
    rank[order[i] + 1] = next;
  }
}

std::unique_ptr<Embedding> SlotWeights::embedding() const {
  auto settings = frame;
  settings.slot_order = [own = weights](const Network&, const ClusterRequest&,
                                        std::span<std::int32_t> rank) {
    rank_by_weight(own, rank);
  };
  return make_frame(std::move(settings));
}

}  // namespace berth
