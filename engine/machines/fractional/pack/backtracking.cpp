#include <utility>

#include "engine/machines/fractional/pack/greedy.hpp"
#include "engine/machines/fractional/pack/hosts_by_load.hpp"

namespace berth::pack {

namespace {

// One task of the present path: its hosts as they were ranked when its turn came, and
// what to restore when it is taken off again.
struct Turn {
  std::vector<int> ranked;
  int next = 0;  // of `ranked`
  double load = 0;
  double amount = 0;
};

class Backtracking {
 public:
  Backtracking(const Problem& problem, Budget& budget, TaskOrder order,
               std::int64_t attempts)
      : problem_(problem),
        budget_(budget),
        tasks_(in_order(problem.items, order)),
        by_load_(problem, budget),
        turns_(tasks_.size()),
        hosts_(tasks_.size(), kNoHost),
        limit_(attempts) {}

  Packing run() {
    std::size_t depth = 0;
    if (!tasks_.empty()) rank(0);
    while (depth < tasks_.size()) {
      budget_.charge();
      if (place(depth)) {
        if (++depth == tasks_.size()) break;
        rank(depth);
        continue;
      }
      if (effort_.attempts >= limit_) return failed(Outcome::kLimit, effort_);
      if (depth == 0) return failed(Outcome::kNoPacking, effort_);
      undo(--depth);
    }
    return packed(problem_, std::move(hosts_), effort_);
  }

 private:
  void rank(std::size_t depth) {
    budget_.charge_each(problem_.hosts);
    turns_[depth].ranked = by_load_.order();
    turns_[depth].next = 0;
  }

  // Onto the next host that has room.
  bool place(std::size_t depth) {
    auto& turn = turns_[depth];
    const int task = tasks_[depth];
    const auto& items = problem_.items;
    while (turn.next < problem_.hosts && effort_.attempts < limit_) {
      const int host = turn.ranked[turn.next++];
      ++effort_.attempts;
      budget_.charge();
      if (!by_load_.has_room(host, items.amount(task))) continue;
      turn.load = by_load_.load(host);
      turn.amount = by_load_.amount(host);
      by_load_.put(host, items.cpu(task), items.amount(task));
      hosts_[task] = host;
      return true;
    }
    return false;
  }

  void undo(std::size_t depth) {
    const int task = tasks_[depth];
    by_load_.set(hosts_[task], turns_[depth].load, turns_[depth].amount);
    hosts_[task] = kNoHost;
  }

  const Problem& problem_;
  Budget& budget_;
  std::vector<int> tasks_;
  HostsByLoad by_load_;
  std::vector<Turn> turns_;
  Hosts hosts_;
  std::int64_t limit_;
  Effort effort_;
};

}  // namespace

Packing greedy_backtracking(const Problem& problem, Budget& budget, TaskOrder order,
                            std::int64_t attempts) {
  if (const auto why = cannot_fit(problem)) return failed(*why);
  return Backtracking(problem, budget, order, attempts).run();
}

}  // namespace berth::pack
