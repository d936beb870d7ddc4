#include "engine/machines/fractional/pack/exact.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/machines/fractional/pack/hosts_by_load.hpp"

namespace berth::pack {

namespace {

// A largest load that no packing can avoid: the mean, and, since of the k * hosts + 1
// largest tasks some k + 1 share a host, the sum of the k + 1 smallest of these.
double least_load(const Problem& problem, Budget& budget) {
  std::vector<double> cpus(problem.items.cpus().begin(), problem.items.cpus().end());
  std::sort(cpus.begin(), cpus.end(), std::greater<>());
  double least = std::max(1.0, problem.items.total_cpu() / problem.hosts);
  const auto hosts = static_cast<std::size_t>(problem.hosts);
  for (std::size_t k = 1; k * hosts < cpus.size(); ++k) {
    budget.charge_each(1 + k);
    const auto last = cpus.begin() + static_cast<std::ptrdiff_t>(k * hosts);
    least = std::max(
        least, std::accumulate(last - static_cast<std::ptrdiff_t>(k), last + 1, 0.0));
  }
  return least;
}

class BranchAndBound {
 public:
  BranchAndBound(const Problem& problem, Budget& budget, std::int64_t nodes)
      : problem_(problem),
        budget_(budget),
        by_load_(problem, budget),
        ranked_(problem.items.tasks()),
        hosts_(problem.items.tasks(), kNoHost),
        least_(least_load(problem, budget)),
        limit_(nodes) {
    order_tasks();
  }

  Proven run() {
    descend(0);
    const bool is_complete = !is_cut_;
    if (best_.empty() && problem_.items.tasks() > 0) {
      const auto why = is_complete ? Outcome::kNoPacking : Outcome::kLimit;
      return {failed(why, effort_), is_complete ? 0 : 1 / least_};
    }
    Proven proven{packed(problem_, std::move(best_), effort_), 1 / least_};
    if (is_complete || proven.packing.yield > proven.bound) {
      proven.bound = proven.packing.yield;
    }
    return proven;
  }

 private:
  // The needs of the tasks that have no host yet, at each depth of the search.
  struct Rest {
    double cpu = 0;
    double amount = 0;
    double least_cpu = std::numeric_limits<double>::infinity();
    double least_amount = std::numeric_limits<double>::infinity();
  };

  void order_tasks() {
    const auto& items = problem_.items;
    budget_.charge_each(2 * items.tasks());
    tasks_.resize(items.tasks());
    std::iota(tasks_.begin(), tasks_.end(), 0);
    const auto larger = [&](int task) {
      return std::max(items.cpu(task), items.memory(task));
    };
    std::stable_sort(tasks_.begin(), tasks_.end(),
                     [&](int a, int b) { return larger(a) > larger(b); });
    rests_.resize(tasks_.size() + 1);
    for (std::size_t depth = tasks_.size(); depth-- > 0;) {
      const int task = tasks_[depth];
      const auto& below = rests_[depth + 1];
      rests_[depth] = {below.cpu + items.cpu(task), below.amount + items.amount(task),
                       std::min(below.least_cpu, items.cpu(task)),
                       std::min(below.least_amount, items.amount(task))};
    }
  }

  [[nodiscard]] bool improves(double load) const { return load < most_ - kCapEps; }

  // Whether the rest could be placed below the best load if tasks could be divided.
  [[nodiscard]] bool has_hope(const Rest& rest) const {
    budget_.charge_each(problem_.hosts);
    double cpu = 0;
    double amount = 0;
    for (int host = 0; host < problem_.hosts; ++host) {
      const double load = by_load_.load(host);
      if (!improves(load + rest.least_cpu)) continue;
      if (!by_load_.has_room(host, rest.least_amount)) continue;
      // Before the first packing any load will do.
      cpu += std::min(most_, 2 * rest.cpu + load) - load;
      amount += by_load_.most_amount() - by_load_.amount(host);
    }
    // Sums over many hosts are rounded: of whole units that may be some.
    const bool counts_units = problem_.items.host_units() > 0;
    const double slack = counts_units ? 1 + kCapEps * rest.amount : kCapEps;
    return cpu > rest.cpu - kCapEps && amount > rest.amount - slack;
  }

  // True when the search is over: the limit, or a packing that meets the bound.
  bool descend(std::size_t depth) {
    if (depth == tasks_.size()) {
      best_ = hosts_;
      most_ = by_load_.load(by_load_.order().back());
      return most_ <= least_ + kCapEps;
    }
    if (!has_hope(rests_[depth])) return false;
    const int task = tasks_[depth];
    auto& ranked = ranked_[depth];
    budget_.charge_each(problem_.hosts);
    ranked = by_load_.order();
    for (std::size_t rank = 0; rank < ranked.size(); ++rank) {
      const int host = ranked[rank];
      if (!improves(by_load_.load(host) + problem_.items.cpu(task))) break;
      if (!by_load_.has_room(host, problem_.items.amount(task))) continue;
      if (is_repeated(ranked, rank)) continue;
      is_cut_ = effort_.nodes >= limit_;
      if (is_cut_) return true;
      ++effort_.nodes;
      if (try_host(depth, host)) return true;
    }
    return false;
  }

  // Hosts that hold the same are next to each other if their loads are.
  [[nodiscard]] bool is_repeated(const std::vector<int>& ranked,
                                 std::size_t rank) const {
    const int host = ranked[rank];
    for (std::size_t before = rank; before-- > 0;) {
      budget_.charge();
      const int other = ranked[before];
      if (by_load_.load(other) != by_load_.load(host)) return false;
      if (by_load_.amount(other) == by_load_.amount(host)) return true;
    }
    return false;
  }

  bool try_host(std::size_t depth, int host) {
    const int task = tasks_[depth];
    const double load = by_load_.load(host);
    const double amount = by_load_.amount(host);
    by_load_.put(host, problem_.items.cpu(task), problem_.items.amount(task));
    hosts_[task] = host;
    const bool is_over = descend(depth + 1);
    by_load_.set(host, load, amount);
    return is_over;
  }

  const Problem& problem_;
  Budget& budget_;
  std::vector<int> tasks_;  // in the order of the search
  std::vector<Rest> rests_;
  HostsByLoad by_load_;
  std::vector<std::vector<int>> ranked_;
  Hosts hosts_;
  Hosts best_;
  double most_ = std::numeric_limits<double>::infinity();
  double least_;
  std::int64_t limit_;
  bool is_cut_ = false;  // by the limit
  Effort effort_;
};

}  // namespace

Proven exact(const Problem& problem, Budget& budget, std::int64_t nodes) {
  if (const auto why = cannot_fit(problem)) return {failed(*why), 0};
  return BranchAndBound(problem, budget, nodes).run();
}

}  // namespace berth::pack
