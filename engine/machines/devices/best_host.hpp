#pragma once
// The best host for a need by a weight that depends on the state of the host and on the
// need alone: it is asked for once on each host, and again where something changed.
//
// Order        The largest weight; of equal ones the lowest host.
// Cost         O(1) a change since the last look, and for each host among them the
//              weight and O(log hosts); the first look O(hosts).
// Memory       32 to 40 bytes a host.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/machines/devices/devices.hpp"

namespace berth {

// It remembers what one weight says of one need.
class BestHost {
 public:
  static constexpr std::int32_t kNoHost = -1;
  static constexpr std::int32_t kByRule = -1;  // no device is named

  // As long as nothing on the host changes.
  struct Remembered {
    static constexpr auto kNever = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t changes = kNever;  // of the host, when it was looked at
    double weight = 0;               // void where the host had no room
    std::int32_t device = kByRule;
  };

  explicit BestHost(std::size_t hosts)
      : leaves_(std::bit_ceil(hosts)), hosts_(hosts), tree_(2 * leaves_, kNoHost) {}

  [[nodiscard]] Remembered& of(std::int32_t host) {
    return hosts_[static_cast<std::size_t>(host)];
  }
  // As of the last look; kNoHost: none has room.
  [[nodiscard]] std::int32_t best() const { return tree_[1]; }
  // Whether the host had room then.
  [[nodiscard]] bool is_in(std::int32_t host) const {
    return tree_[leaves_ + static_cast<std::size_t>(host)] != kNoHost;
  }
  // Whether the next look is at all hosts.
  [[nodiscard]] bool is_stale() const { return seen_ == Remembered::kNever; }
  void make_stale() { seen_ = Remembered::kNever; }
  // Entries that a look goes through.
  [[nodiscard]] std::size_t due(const Devices& machine) const {
    const auto changed = changed_on(machine);
    return changed ? changed->size() : hosts_.size();
  }
  // Looks at the hosts that have changed, or at all: weigh(host) gives the Remembered
  // of one that has room for a chunk of the job.  Where weigh leaves by an exception
  // the next look goes through the same hosts.  REQUIRES: the job has the need.
  template <class Weigh>
  void look(const Devices& machine, JobId job, const Weigh& weigh) {
    const auto changed = changed_on(machine);
    if (changed) {
      for (const auto host : *changed) look_at(machine, job, host, weigh);
    } else {
      const auto hosts = static_cast<std::int32_t>(hosts_.size());
      for (std::int32_t host = 0; host < hosts; ++host) {
        look_at(machine, job, host, weigh);
      }
    }
    seen_ = machine.changes();
  }
  // The next host that had room, each in turn; the best one if there is none among as
  // many as it tries.
  [[nodiscard]] std::int32_t next_in_turn() {
    constexpr int kMostTried = 64;
    const auto hosts = static_cast<std::int32_t>(hosts_.size());
    for (int tries = 0; tries < kMostTried; ++tries) {
      const auto host = turn_;
      turn_ = (turn_ + 1) % hosts;
      if (is_in(host)) return host;
    }
    return best();
  }
  [[nodiscard]] std::size_t bytes() const {
    return hosts_.size() * sizeof(Remembered) + tree_.size() * sizeof(tree_.front());
  }

 private:
  // nullopt: any may have.
  [[nodiscard]] std::optional<std::span<const std::int32_t>> changed_on(
      const Devices& machine) const {
    return is_stale() ? std::nullopt : machine.changed_since(seen_);
  }

  template <class Weigh>
  void look_at(const Devices& machine, JobId job, std::int32_t host,
               const Weigh& weigh) {
    auto& value = of(host);
    const auto changes = machine.changes_on(host);
    const bool is_known = value.changes == changes;
    if (is_known && !is_stale()) return;
    const bool has_room = machine.room_on(job, host) > 0;
    if (has_room && !is_known) value = weigh(host);
    value.changes = changes;
    set(host, has_room);
  }

  void set(std::int32_t host, bool has_room) {
    auto node = leaves_ + static_cast<std::size_t>(host);
    tree_[node] = has_room ? host : kNoHost;
    while (node > 1) {
      node /= 2;
      const auto top = better(tree_[2 * node], tree_[2 * node + 1]);
      if (top == std::exchange(tree_[node], top) && top != host) return;
    }
  }

  // REQUIRES: `left` is the lower host.
  [[nodiscard]] std::int32_t better(std::int32_t left, std::int32_t right) {
    if (left == kNoHost || right == kNoHost) return std::max(left, right);
    return of(right).weight > of(left).weight ? right : left;
  }

  std::size_t leaves_;
  std::vector<Remembered> hosts_;
  std::vector<std::int32_t> tree_;           // 1 is the root, hosts are the leaves
  std::uint64_t seen_ = Remembered::kNever;  // changes of the machine at the last look
  std::int32_t turn_ = 0;
};

}  // namespace berth
