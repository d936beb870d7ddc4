#pragma once
// Windows of a machine: times at which jobs have made room, for maintenance or for the
// jobs of some users (docs/model.md#windows).

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/time.hpp"

namespace berth {

struct MachineWindow {
  std::string name;
  Time from;
  Time to;                          // later than `from`
  std::int32_t processors;          // of a pool, no particular ones; else of the hosts
  Time announced;                   // it is known from then on; -kNever: always
  std::vector<std::int32_t> users;  // sorted: their jobs may run inside; empty: none
  // A job of others that still runs at `from` and stands in the way is hit; else it
  // stays.
  bool hits = false;
  std::vector<std::int32_t> hosts{};  // sorted: it has all of them; empty: of a pool

  [[nodiscard]] bool lets_in(std::int32_t user) const {
    return std::binary_search(users.begin(), users.end(), user);
  }
  [[nodiscard]] bool has_host(std::int32_t host) const {
    return std::binary_search(hosts.begin(), hosts.end(), host);
  }
  // Processors of the window that its users do not have.  REQUIRES: it is of a pool.
  [[nodiscard]] std::int64_t rest(std::int64_t held_by_users) const {
    return std::max(std::int64_t{0}, processors - held_by_users);
  }
  [[nodiscard]] bool is_known(Time now) const { return announced <= now && now < to; }
  [[nodiscard]] bool has_begun(Time now) const { return is_known(now) && from <= now; }
};

// The windows that are known, by (from, place in the file).
class KnownWindows {
 public:
  explicit KnownWindows(std::shared_ptr<const std::vector<MachineWindow>> all)
      : all_(std::move(all)) {}

  // Valid until the next call.  REQUIRES: not before the `now` of the last call.
  // Cost O(1), and O(windows) where one was announced or ended since.
  [[nodiscard]] std::span<const MachineWindow* const> at(Time now) const {
    if (now >= next_change_) read(now);
    return known_;
  }
  [[nodiscard]] std::span<const MachineWindow> all() const { return *all_; }

 private:
  void read(Time now) const;

  std::shared_ptr<const std::vector<MachineWindow>> all_;
  mutable std::vector<const MachineWindow*> known_;
  mutable Time next_change_ = -kNever;
};

}  // namespace berth
