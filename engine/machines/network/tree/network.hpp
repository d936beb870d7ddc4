#pragma once
// What is idle of a network: slots of servers and bandwidth of links.
//
// Hose rule    A link that separates the n VMs of a cluster, each of which may send and
//              receive at B, into m and n - m carries at most min(m, n - m) * B; so
//              much is reserved on it.  Nothing is reserved where all VMs are on one
//              side.
// Amounts      Integers: slots, and bandwidth in kbit/s.
// Source       Ballani et al. 2011; Li et al. 2018, 3; docs/model.md#network.
//
//   operation           time, s = servers of the cluster, h = height of its switch
//   take, give          O(s h)
//   next_group,         O(log n) for n servers
//   first_server
//   everything else     O(1)

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/interval_set.hpp"
#include "engine/machines/network/tree/max_tree.hpp"
#include "engine/machines/network/tree/topology.hpp"
#include "engine/machines/network/tree/virtual_cluster.hpp"

namespace berth {

// How the VMs below a link add up (docs/model.md#network).
enum class Hose : std::uint8_t {
  kSubtree,  // all together, and the hose rule holds for their number
  kPerPath,  // the hose rule holds for each server alone, and the bandwidths add up
};

// A virtual cluster that is asked for.
struct ClusterRequest {
  std::int32_t vms;
  std::int64_t bandwidth;    // of each VM
  std::int64_t largest = 0;  // the largest that was ever asked for, this one included
  std::uint32_t who = 0;     // the caller's own number of it
};

// Where a virtual cluster is put: the node of its virtual switch, and the VMs of each
// server, in the order in which they were chosen.
struct Embedded {
  NetworkNode top;
  std::vector<ServerVms> vms;
};

// Bandwidth of a link that one cluster reserves.
struct LinkShare {
  NetworkLink link;
  std::int64_t bandwidth;
};

// What a link that separates `vms` into `below` and the rest carries at most.
[[nodiscard]] constexpr std::int64_t hose_need(std::int64_t below, std::int64_t vms,
                                               std::int64_t bandwidth) {
  return std::min(below, vms - below) * bandwidth;
}

class Network {
 public:
  // A link on which too little is left.
  struct Shortage {
    NetworkLink link;
    std::int64_t needed;
    std::int64_t left;
  };

  // All of it is idle.
  Network(std::shared_ptr<const Topology> topology, Hose hose);

  [[nodiscard]] const Topology& topology() const { return *topology_; }
  [[nodiscard]] Hose hose() const { return hose_; }
  // Idle slots.
  [[nodiscard]] std::int32_t idle(NetworkNode server) const {
    return idle_[static_cast<std::size_t>(server)];
  }
  [[nodiscard]] std::int32_t idle_below(NetworkNode top) const {
    return topology_->is_server(top) ? idle(top) : below_group(topology_->group(top));
  }
  [[nodiscard]] std::int32_t idle_slots() const { return idle_slots_; }
  // The first group (Topology::group) from this one on, in which as many slots are
  // idle; Topology::groups(): none.
  [[nodiscard]] std::int32_t next_group(std::int32_t from, std::int32_t idle) const {
    const auto found = below_.next(static_cast<std::size_t>(from), idle);
    const auto last = below_.size();
    const bool has_none =
        found == last && (from > static_cast<std::int32_t>(last) || idle_slots_ < idle);
    return static_cast<std::int32_t>(found) + (has_none ? 1 : 0);
  }
  // The first server with as many idle slots; nullopt: none.  REQUIRES: idle >= 1.
  [[nodiscard]] std::optional<NetworkNode> first_server(std::int32_t idle) const;
  // The servers with exactly so many idle slots, of 64 * word .. 64 * word + 63, as
  // bits.
  [[nodiscard]] std::uint64_t servers_with(std::int32_t idle, std::size_t word) const {
    return buckets_[word * classes_ + static_cast<std::size_t>(idle)];
  }
  // Bandwidth of a link that is not reserved.
  [[nodiscard]] std::int64_t left(NetworkLink link) const {
    return links_[static_cast<std::size_t>(link)].left;
  }
  // Changes at every take and give, and is never the same again but by restore().
  [[nodiscard]] std::uint64_t version() const { return state_; }
  // The network is again what it was at this version.
  // REQUIRES: all that was taken and given since has been undone.
  void restore(std::uint64_t version) { state_ = version; }

  // Bandwidth that the cluster reserves on all links together.
  [[nodiscard]] std::int64_t reserved(const ClusterRequest& request,
                                      const Embedded& where) const;
  // The same of each link on which it reserves.
  [[nodiscard]] std::vector<LinkShare> shares_of_links(const ClusterRequest& request,
                                                       const Embedded& where) const;
  // A link that cannot carry the cluster; nullopt: all can.
  [[nodiscard]] std::optional<Shortage> shortage(const ClusterRequest& request,
                                                 const Embedded& where) const;
  // Of the links below a switch the one that keeps most idle slots from the request,
  // and what one VM more than it lets pass would need; the first by tree order.
  // nullopt: each link by itself lets pass as many VMs as are idle and asked for.
  [[nodiscard]] std::optional<Shortage> tightest(const ClusterRequest& request,
                                                 NetworkNode top) const;
  // Least that is left on the links that the cluster uses or would use; nullopt: none.
  [[nodiscard]] std::optional<std::int64_t> least_left(const ClusterRequest& request,
                                                       const Embedded& where) const;
  // The placement with the lowest idle slots of each server.
  // REQUIRES: as many slots are idle.
  [[nodiscard]] Placement placement(const ClusterRequest& request,
                                    Embedded where) const;
  // REQUIRES: its slots are idle, and no link lacks bandwidth.
  void take(const ClusterRequest& request, const Placement& placement);
  // REQUIRES: taken as it is and not given back since.
  void give(const ClusterRequest& request, const Placement& placement);

  friend bool operator==(const Network& a, const Network& b) {
    return a.links_ == b.links_ && a.idle_ == b.idle_ && a.below_ == b.below_ &&
           a.idle_slots_ == b.idle_slots_ && a.buckets_ == b.buckets_ &&
           a.most_idle_ == b.most_idle_;
  }

 private:
  // Calls back with (link, bandwidth) for each link on which the cluster reserves.
  template <class Call>
  void for_each_need(const ClusterRequest& request, NetworkNode top,
                     std::span<const ServerVms> vms, const Call& call) const;
  [[nodiscard]] std::int32_t below_group(std::int32_t group) const {
    const auto at = static_cast<std::size_t>(group);
    return at < below_.size() ? below_.at(at) : idle_slots_;
  }
  void change_slots(const Placement& placement, bool gives);
  void change_below(NetworkNode server, std::int32_t change);
  void set_idle(NetworkNode server, std::int32_t idle);

  std::shared_ptr<const Topology> topology_;
  Hose hose_;
  std::uint64_t changes_ = 0;
  std::uint64_t state_ = 0;
  struct Link {
    std::int64_t left;
    // Of a link of a server: the idle slots of the server, as bits.  Here, because they
    // are used with `left`.
    std::uint64_t slots = 0;
    friend bool operator==(const Link&, const Link&) = default;
  };
  std::vector<Link> links_;
  std::vector<std::uint8_t> idle_;  // by server
  MaxTree below_;                   // idle slots by group, but for the last
  std::int32_t idle_slots_ = 0;     // of the last: all
  // The servers of each number of idle slots, as bits, 64 a word; and the largest such
  // number by word.
  MaxTree most_idle_;
  std::size_t classes_;                 // numbers of idle slots
  std::vector<std::uint64_t> buckets_;  // by word, then number
  // Scratch.
  mutable std::vector<std::int64_t> sums_;    // by link: VMs, or bandwidth; all 0
  mutable std::vector<NetworkLink> touched_;  // those that are not 0
  mutable std::vector<Interval> parts_;
};

}  // namespace berth
