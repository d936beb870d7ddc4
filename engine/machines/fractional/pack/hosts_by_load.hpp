#pragma once
// Hosts in the order of their load (the sum of CPU needs placed there, not scaled by a
// yield, so it may exceed 1), ties by number.

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/machines/fractional/pack/packing.hpp"

namespace berth::pack {

class HostsByLoad {
  // Of two hosts.
  [[nodiscard]] auto less() const {
    return [this](int a, int b) {
      return load_[a] != load_[b] ? load_[a] < load_[b] : a < b;
    };
  }

 public:
  // The hosts of the problem, all empty.
  HostsByLoad(const Problem& problem, Budget& budget)
      : budget_(budget),
        most_(problem.items.host_amount() + problem.items.amount_slack()),
        order_(problem.hosts),
        load_(problem.hosts, 0),
        amount_(problem.hosts, 0) {
    budget_.charge_each(problem.hosts);
    std::iota(order_.begin(), order_.end(), 0);
  }

  // Least loaded first.
  [[nodiscard]] const std::vector<int>& order() const { return order_; }
  [[nodiscard]] double load(int host) const { return load_[host]; }
  // Of memory (Items::amounts).
  [[nodiscard]] double amount(int host) const { return amount_[host]; }
  [[nodiscard]] double most_amount() const { return most_; }
  [[nodiscard]] bool has_room(int host, double amount) const {
    return amount_[host] + amount <= most_;
  }

  void put(int host, double cpu, double amount) {
    set(host, load_[host] + cpu, amount_[host] + amount);
  }
  // Undoing by subtraction would not give back the old value.
  void set(int host, double load, double amount) {
    const auto from = std::lower_bound(order_.begin(), order_.end(), host, less());
    load_[host] = load;
    amount_[host] = amount;
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
  double most_;
  std::vector<int> order_;
  std::vector<double> load_;
  std::vector<double> amount_;
};

}  // namespace berth::pack
