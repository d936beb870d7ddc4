#pragma once
// What is free of each kind, on each host and machine-wide, and where chunks fit.
//
// Fits         Every machine-wide need is at most what is free, and the hosts that the
//              job may use have room for all its chunks together.  Chunks are equal, so
//              counting them host by host is exact.
// Order        Hosts by ascending number, on each as many chunks as fit.
// Structure    machine-wide amounts in an array; those of hosts in the leaves of a tree
//              whose nodes have the most that any host below has free, kind by kind.
//              Nodes above changed leaves are computed when they are read next.  The
//              shapes of hosts are kept from the first question about them on.
//
//   operation        time, h = hosts, k = kinds on hosts
//   take, give       O(k) a host, and that of HostShapes once it is asked for
//   fits, spread     O(k log h) for each host with room that is looked at, and for each
//                    that changed since, but O(k h) at most for these

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/hosts/host_shapes.hpp"
#include "engine/hosts/kinds.hpp"

namespace berth {

// So many chunks on this host.
struct HostChunks {
  std::int32_t host;
  std::int32_t chunks;  // >= 1
  friend bool operator==(const HostChunks&, const HostChunks&) = default;
};

class HostRoom {
 public:
  // All is free.
  HostRoom(std::span<const ResourceKind> kinds, const Resources& resources);

  [[nodiscard]] std::size_t hosts() const { return partitions_.size(); }
  [[nodiscard]] std::int64_t free(std::size_t kind) const { return free_[kind]; }
  // REQUIRES: the kind is on hosts.
  [[nodiscard]] std::int64_t free_on(std::int32_t host, std::size_t kind) const {
    return leaf(host)[place_[kind]];
  }
  // Whether the job's partition may use the host.
  [[nodiscard]] bool may_use(const Need& need, std::int32_t host) const {
    const auto partition = partitions_[std::size_t(host)];
    return partition < 0 || partition == need.partition;
  }
  // Chunks of the job that fit there; 0 where its partition may not go.
  [[nodiscard]] std::int64_t room(const Need& need, std::int32_t host) const;
  // Whether as much is free as is needed, whatever the hosts.
  [[nodiscard]] bool has_sums(const Need& need) const;
  // The first host from this one on that may have room for a chunk; hosts(): none has.
  [[nodiscard]] std::size_t next(std::size_t from, const Need& need) const {
    refresh();
    return next_host(from, need);
  }
  [[nodiscard]] bool fits(const Need& need) const;
  // The first kind of which too little is free, whatever the hosts; kinds(): none, but
  // no host has enough of all for a chunk.  REQUIRES: it does not fit.
  [[nodiscard]] std::size_t lacks(const Need& need) const;
  // The hosts that the job would get; false: it does not fit, and what `onto` holds is
  // arbitrary.  REQUIRES: there are hosts.
  [[nodiscard]] bool spread(const Need& need, std::vector<HostChunks>& onto) const;

  // Takes the chunks away, or gives them back (sign 1), and what the job needs
  // machine-wide.  May leave less than nothing.
  void take(const Need& need, std::span<const HostChunks> where) {
    change(need, where, -1);
  }
  void give(const Need& need, std::span<const HostChunks> where) {
    change(need, where, 1);
  }
  // Which hosts are alike; good until the next change.
  [[nodiscard]] const HostShapes& shapes() const {
    if (!shapes_) count_shapes();
    return *shapes_;
  }
  // Whether less than nothing is free of some kind somewhere.  O(h k).
  [[nodiscard]] bool is_overdrawn() const;

 private:
  [[nodiscard]] const std::int64_t* leaf(std::int32_t host) const {
    return &tree_[(leaves_ + std::size_t(host)) * on_hosts_.size()];
  }
  template <class Put>
  bool lay_out(const Need& need, const Put& put) const;
  [[nodiscard]] bool may_hold(std::size_t node, const Need& need) const;
  [[nodiscard]] std::size_t next_host(std::size_t from, const Need& need) const;
  void change(const Need& need, std::span<const HostChunks> where, int sign);
  void change_host(const Need& need, const HostChunks& at, int sign);
  // Computes the nodes above the hosts that changed.
  void refresh() const {
    if (!changed_.empty()) refresh_changed();
  }
  void refresh_changed() const;
  void compute_above(std::size_t i) const;
  void compute_node(std::size_t node) const;
  void count_shapes() const;

  std::vector<std::int64_t> free_;        // by kind, of the whole machine
  std::vector<std::size_t> wide_;         // the kinds that are machine-wide
  std::vector<std::size_t> on_hosts_;     // the kinds that are not
  std::vector<std::size_t> place_;        // of a kind among those
  std::vector<std::int32_t> partitions_;  // by host; -1: any
  std::size_t leaves_ = 0;                // a power of two, or 0
  // Node 1 is the root.
  mutable std::vector<std::int64_t> tree_;
  mutable std::vector<std::int32_t> changed_;  // hosts, since the nodes were computed
  mutable std::optional<HostShapes> shapes_;
};

}  // namespace berth
