#include "bench/plain_mcb.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace berth::bench {

namespace {

using pack::Hosts;
using pack::kCapEps;
using pack::Problem;

struct Task {
  double cpu;
  double memory;
  int number;
  [[nodiscard]] double key() const { return std::max(cpu, memory); }
};

bool take(std::vector<Task>& list, double& cpu, double& memory, int host,
          Hosts& hosts) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Task& task) {
    return task.cpu <= cpu + kCapEps && task.memory <= memory + kCapEps;
  });
  if (found == list.end()) return false;
  hosts[found->number] = host;
  cpu -= found->cpu;
  memory -= found->memory;
  list.erase(found);
  return true;
}

bool fill(const Problem& problem, double yield, Hosts& hosts) {
  std::vector<Task> cpu_list;
  std::vector<Task> memory_list;
  for (int task = 0; task < problem.items.tasks(); ++task) {
    const Task next{problem.items.cpu(task) * yield, problem.items.memory(task), task};
    (next.cpu >= next.memory ? cpu_list : memory_list).push_back(next);
  }
  for (auto* list : {&cpu_list, &memory_list}) {
    std::sort(list->begin(), list->end(), [](const Task& a, const Task& b) {
      return a.key() != b.key() ? a.key() > b.key() : a.number < b.number;
    });
  }
  for (int host = 0; host < problem.hosts; ++host) {
    double cpu = 1;
    double memory = 1;
    while (true) {
      auto& first = cpu >= memory ? cpu_list : memory_list;
      auto& second = cpu >= memory ? memory_list : cpu_list;
      if (take(first, cpu, memory, host, hosts)) continue;
      if (!take(second, cpu, memory, host, hosts)) break;
    }
  }
  return cpu_list.empty() && memory_list.empty();
}

}  // namespace

pack::Packing plain_mcb(const Problem& problem) {
  const auto bound = pack::relaxed_bound(problem);
  if (!bound) return pack::failed(*pack::cannot_fit(problem));
  Hosts hosts(problem.items.tasks(), pack::kNoHost);
  if (fill(problem, *bound, hosts)) return pack::packed(problem, hosts);
  Hosts best;
  double low = 0;
  double high = *bound;
  while (high - low > 1e-4) {
    const double middle = (low + high) / 2;
    if (fill(problem, middle, hosts)) {
      best = hosts;
      low = middle;
    } else {
      high = middle;
    }
  }
  if (best.empty()) return pack::failed(pack::Outcome::kNoPacking);
  return pack::packed(problem, std::move(best));
}

}  // namespace berth::bench
