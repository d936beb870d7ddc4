#include "engine/machines/fractional/pack/greedy.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace berth::pack {

namespace {

// Hosts in the order of their load, ties by number.  A host without a task comes before
// every other, since a task needs some CPU.
class LeastLoaded {
 public:
  LeastLoaded(const Problem& problem, Budget& budget, const Hosts& hosts)
      : budget_(budget),
        load_(cpu_by_host(problem, hosts)),
        amount_(amount_by_host(problem, hosts)),
        most_(problem.items.host_amount() + problem.items.amount_slack()) {
    budget_.charge_each(3 * load_.size());
    for (int host = 0; host < problem.hosts; ++host) {
      if (load_[host] > 0) busy_.emplace(load_[host], host);
    }
  }

  // The least loaded host with so much memory left; kNoHost: there is none.
  [[nodiscard]] int with_room(double amount) {
    // Bounded: each host once in all, which the constructor charged.
    while (empty_ < std::ssize(load_) && load_[empty_] > 0) ++empty_;
    if (empty_ < std::ssize(load_) && amount <= most_) {
      return static_cast<int>(empty_);
    }
    for (const auto& [load, host] : busy_) {
      budget_.charge();
      if (amount_[host] + amount <= most_) return host;
    }
    return kNoHost;
  }

  // O(log hosts).
  void put(int host, double cpu, double amount) {
    constexpr std::int64_t kPut = 4;  // it takes as long as so many units
    budget_.charge(kPut);
    if (load_[host] > 0) busy_.erase({load_[host], host});
    load_[host] += cpu;
    amount_[host] += amount;
    busy_.emplace(load_[host], host);
  }

 private:
  Budget& budget_;
  std::vector<double> load_;
  std::vector<double> amount_;
  double most_;
  std::ptrdiff_t empty_ = 0;               // no host before it has no task
  std::set<std::pair<double, int>> busy_;  // load and number of those with a task
};

}  // namespace

std::vector<int> in_order(const Items& items, TaskOrder order) {
  std::vector<int> tasks(items.tasks());
  std::iota(tasks.begin(), tasks.end(), 0);
  if (order == TaskOrder::kByMemory) {
    std::stable_sort(tasks.begin(), tasks.end(),
                     [&](int a, int b) { return items.memory(a) > items.memory(b); });
  }
  return tasks;
}

bool place_rest(const Problem& problem, Budget& budget, TaskOrder order, Hosts& hosts) {
  const auto& items = problem.items;
  budget.charge_each(2 * items.tasks());
  LeastLoaded least(problem, budget, hosts);
  for (const int task : in_order(items, order)) {
    if (hosts[task] != kNoHost) continue;
    const int host = least.with_room(items.amount(task));
    if (host == kNoHost) return false;
    hosts[task] = host;
    least.put(host, items.cpu(task), items.amount(task));
  }
  return true;
}

Packing greedy(const Problem& problem, Budget& budget, TaskOrder order) {
  if (const auto why = cannot_fit(problem)) return failed(*why);
  Hosts hosts(problem.items.tasks(), kNoHost);
  if (!place_rest(problem, budget, order, hosts)) return failed(Outcome::kNoPacking);
  return packed(problem, std::move(hosts));
}

}  // namespace berth::pack
