#pragma once
// Hosts in the order of their load (the sum of CPU needs placed there, not scaled by a
// yield, so it may exceed 1), ties by number.

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/pack/items.hpp"

namespace berth::pack {

class HostsByLoad {
  // Of two hosts.
  [[nodiscard]] auto less() const {
    return [this](int a, int b) {
      return load_[a] != load_[b] ? load_[a] < load_[b] : a < b;
    };
  }

 public:
  // `hosts` empty hosts.
  HostsByLoad(int hosts, Budget& budget)
      : budget_(budget), order_(hosts), load_(hosts, 0), memory_(hosts, 0) {
    budget_.charge_each(hosts);
    std::iota(order_.begin(), order_.end(), 0);
  }

  // Least loaded first.
  [[nodiscard]] const std::vector<int>& order() const { return order_; }
  [[nodiscard]] double load(int host) const { return load_[host]; }
  [[nodiscard]] double memory(int host) const { return memory_[host]; }
  [[nodiscard]] bool has_room(int host, double memory) const {
    return memory_[host] + memory <= 1 + kCapEps;
  }

  void put(int host, double cpu, double memory) {
    set(host, load_[host] + cpu, memory_[host] + memory);
  }
  // Undoing by subtraction would not give back the old value.
  void set(int host, double load, double memory) {
    const auto from = std::lower_bound(order_.begin(), order_.end(), host, less());
    load_[host] = load;
    memory_[host] = memory;
    auto to = std::lower_bound(from + 1, order_.end(), host, less());
    std::move(from + 1, to, from);
    *(to - 1) = host;
    // So many are moved in the time of one unit.
    constexpr std::ptrdiff_t kMoved = 16;
    budget_.charge(1 + (to - from) / kMoved);
    if (to - 1 != from) return;
    to = std::lower_bound(order_.begin(), from, host, less());
    budget_.charge((from - to) / kMoved);
    std::move_backward(to, from, from + 1);
    *to = host;
  }

 private:
  Budget& budget_;
  std::vector<int> order_;
  std::vector<double> load_;
  std::vector<double> memory_;
};

}  // namespace berth::pack
