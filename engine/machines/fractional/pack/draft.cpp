#include "engine/machines/fractional/pack/draft.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/base/error.hpp"

namespace berth::pack {

namespace {

constexpr double kNoRoom = -std::numeric_limits<double>::infinity();

}  // namespace

Draft::Draft(const Problem& problem, Budget& budget)
    : problem_(problem),
      budget_(budget),
      hosts_(problem.items.tasks()),
      bins_(problem.hosts),
      scores_(problem.hosts) {
  begin(0);
}

void Draft::begin(double yield) {
  budget_.charge_each(problem_.hosts + problem_.items.tasks());
  yield_ = yield;
  left_ = problem_.items.tasks();
  is_kept_ = false;
  std::fill(hosts_.begin(), hosts_.end(), kNoHost);
  for (auto& bin : bins_) {
    clear(bin);
    bin.tasks.clear();
  }
  for (auto& order : orders_) order.clear();
}

void Draft::clear(Bin& bin) const {
  bin.cpu = bin.memory = 1;
  bin.amount = problem_.items.host_amount();
  bin.load = 0;
}

void Draft::add(Bin& bin, int task) const {
  bin.cpu -= cpu(task);
  bin.memory -= memory(task);
  bin.amount -= problem_.items.amount(task);
  bin.load += problem_.items.cpu(task);
}

// Computes scores_ of these hosts; `score` is told what a host has left.
template <class Score>
void Draft::score(int task, int first, int end, const Score& score) const {
  // Bounded: each host once, which the caller charges.
  for (int host = first; host < end; ++host) {
    scores_[host] =
        fits(task, host) ? score(bins_[host].cpu, bins_[host].memory) : kNoRoom;
  }
}

void Draft::score(int task, int first, int end, Suits by) const {
  const double cpu = this->cpu(task);
  const double memory = this->memory(task);
  const double square = cpu * cpu + memory * memory;
  const auto dot = [&](double c, double m) { return cpu * c + memory * m; };
  switch (by) {
    case Suits::kDot: return score(task, first, end, dot);
    case Suits::kNorm:
      return score(task, first, end, [&](double c, double m) {
        return -((c - cpu) * (c - cpu) + (m - memory) * (m - memory));
      });
    case Suits::kCosine: break;
  }
  score(task, first, end, [&](double c, double m) {
    return dot(c, m) / std::sqrt(square * (c * c + m * m));
  });
}

// The first host of the largest score; kNoHost: none has room.
int Draft::best_of_scores() const {
  const auto has_room = [](double score) { return score != kNoRoom; };
  const auto first = std::find_if(scores_.begin(), scores_.end(), has_room);
  if (first == scores_.end()) return kNoHost;
  auto best = static_cast<int>(first - scores_.begin());
  double most = *first;
  // Bounded: each host once, which the caller charges.
  for (int host = best + 1; host < problem_.hosts; ++host) {
    best = scores_[host] > most ? host : best;
    most = scores_[host] > most ? scores_[host] : most;
  }
  return best;
}

int Draft::choose(int task, Suits by) const {
  budget_.charge_each(problem_.hosts);
  score(task, 0, problem_.hosts, by);
  return best_of_scores();
}

bool Draft::asks_as(int task, int other) const {
  const auto& items = problem_.items;
  return items.cpu(task) == items.cpu(other) &&
         items.memory(task) == items.memory(other);
}

bool Draft::put_all(std::span<const int> order, Suits by) {
  int host = kNoHost;
  const int* last = nullptr;
  for (const int& task : order) {
    if (hosts_[task] != kNoHost) continue;
    budget_.charge_each(problem_.hosts);
    // A task that asks for the same as the last one scores all hosts as that one did,
    // but for the host that it was put on.
    if (last != nullptr && asks_as(task, *last)) {
      score(task, host, host + 1, by);
    } else {
      score(task, 0, problem_.hosts, by);
    }
    host = best_of_scores();
    if (host == kNoHost || !put(task, host)) return false;
    last = &task;
  }
  return true;
}

bool Draft::put(int task, int host) {
  BERTH_ASSERT(hosts_[task] == kNoHost);
  if (!fits(task, host)) return false;
  auto& bin = bins_[host];
  add(bin, task);
  bin.tasks.push_back(task);
  hosts_[task] = host;
  --left_;
  return true;
}

void Draft::take(int task) {
  BERTH_ASSERT(hosts_[task] != kNoHost);
  auto& bin = bins_[hosts_[task]];
  bin.tasks.erase(std::find(bin.tasks.begin(), bin.tasks.end(), task));
  budget_.charge_each(1 + bin.tasks.size());
  // Undoing by addition would not give back the old values.
  clear(bin);
  for (const int other : bin.tasks) add(bin, other);
  hosts_[task] = kNoHost;
  ++left_;
}

bool Draft::keep(int job) {
  const auto& items = problem_.items;
  if (problem_.present.empty()) return true;
  budget_.charge_each(items.needs(job).tasks);
  // Bounded: the tasks of one job, which are charged above.
  for (int task = items.first(job); task < items.first(job + 1); ++task) {
    const int host = problem_.present[task];
    if (host == kNoHost || put(task, host)) continue;
    while (task-- > items.first(job)) {
      if (hosts_[task] != kNoHost) take(task);
    }
    return false;
  }
  is_kept_ = true;
  return true;
}

const std::vector<int>& Draft::order(Key key) {
  auto& order = orders_.at(static_cast<std::size_t>(key));
  if (!order.empty()) return order;
  budget_.charge_each(hosts_.size());
  order.resize(hosts_.size());
  keys_.resize(hosts_.size());
  std::iota(order.begin(), order.end(), 0);
  for (const int task : order) keys_[task] = key_of(key, cpu(task), memory(task));
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return keys_[a] != keys_[b] ? keys_[a] > keys_[b] : a < b;
  });
  return order;
}

}  // namespace berth::pack
