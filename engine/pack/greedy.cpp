#include "engine/pack/greedy.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/pack/hosts_by_load.hpp"

namespace berth::pack {

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
  budget.charge_each(items.tasks());
  HostsByLoad by_load(problem.hosts, budget);
  for (int task = 0; task < items.tasks(); ++task) {
    if (hosts[task] == kNoHost) continue;
    by_load.put(hosts[task], items.cpu(task), items.memory(task));
  }
  for (const int task : in_order(items, order)) {
    if (hosts[task] != kNoHost) continue;
    const auto& least = by_load.order();
    const auto found = std::find_if(least.begin(), least.end(), [&](int host) {
      return by_load.has_room(host, items.memory(task));
    });
    budget.charge_each(found - least.begin());
    if (found == least.end()) return false;
    hosts[task] = *found;
    by_load.put(*found, items.cpu(task), items.memory(task));
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
