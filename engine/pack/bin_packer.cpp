#include "engine/pack/bin_packer.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "engine/base/error.hpp"

namespace berth::pack {

McbRule mcb_rule(int variant, FirstList first_list) {
  BERTH_ASSERT(variant >= 1 && variant <= 8);
  return {static_cast<Key>((variant - 1) % 4),
          variant <= 4 ? Direction::kAscending : Direction::kDescending, first_list};
}

void BinPacker::List::reserve(int tasks) {
  number_.resize(tasks);
  cpu_.resize(tasks);
  memory_.resize(tasks);
  least_cpu_.resize(tasks);
  least_memory_.resize(tasks);
  is_left_.resize(tasks / 64 + 1);
}

void BinPacker::List::add(int number, double cpu, double memory) {
  number_[size_] = number;
  cpu_[size_] = cpu;
  memory_[size_] = memory;
  ++size_;
}

void BinPacker::List::finish() {
  double least_cpu = std::numeric_limits<double>::infinity();
  double least_memory = least_cpu;
  for (int place = size_ - 1; place >= 0; --place) {
    least_cpu_[place] = least_cpu = std::min(least_cpu, cpu_[place]);
    least_memory_[place] = least_memory = std::min(least_memory, memory_[place]);
  }
  std::fill(is_left_.begin(), is_left_.end(), 0);
  std::fill_n(is_left_.begin(), size_ / 64, ~0ULL);
  is_left_[size_ / 64] = (1ULL << (size_ % 64U)) - 1;
}

int BinPacker::List::next_left(int place) const {
  if (place >= size_) return size_;
  std::size_t word = static_cast<std::size_t>(place) / 64;
  std::uint64_t bits = is_left_[word] & (~0ULL << (static_cast<unsigned>(place) % 64U));
  const std::size_t last = static_cast<std::size_t>(size_) / 64;
  while (bits == 0 && word < last) bits = is_left_[++word];
  if (bits == 0) return size_;
  return static_cast<int>(word) * 64 + std::countr_zero(bits);
}

int BinPacker::List::first_fit(int from, double cpu, double memory) const {
  for (int place = next_left(from); place < size_; place = next_left(place + 1)) {
    if (cpu_[place] <= cpu && memory_[place] <= memory) return place;
    if (least_cpu_[place] > cpu || least_memory_[place] > memory) return size_;
  }
  return size_;
}

BinPacker::BinPacker(const Problem& problem, McbRule rule)
    : problem_(problem), rule_(std::move(rule)) {
  const auto& items = problem_.items;
  const int tasks = items.tasks();
  cpu_list_.reserve(tasks);
  memory_list_.reserve(tasks);
  sorted_.resize(tasks);
  if (rule_.own_key || rule_.key != Key::kMax) return;
  by_cpu_.resize(tasks);
  std::iota(by_cpu_.begin(), by_cpu_.end(), 0);
  by_memory_ = by_cpu_;
  const bool is_ascending = rule_.direction == Direction::kAscending;
  const auto sort_by = [&](std::vector<int>& order, std::span<const double> need) {
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return is_ascending ? need[a] < need[b] : need[a] > need[b];
    });
  };
  sort_by(by_cpu_, items.cpus());
  sort_by(by_memory_, items.memories());
}

double BinPacker::key_of(double cpu, double memory) const {
  if (rule_.own_key) return rule_.own_key(cpu, memory);
  const double more = std::max(cpu, memory);
  const double less = std::min(cpu, memory);
  switch (rule_.key) {
    case Key::kSum: return cpu + memory;
    case Key::kDifference: return more - less;
    case Key::kRatio:
      return less > 0 ? more / less : std::numeric_limits<double>::infinity();
    case Key::kMax: break;
  }
  return more;
}

void BinPacker::add_by_cpu(double yield) {
  const auto& items = problem_.items;
  int count = 0;
  for (const int task : by_cpu_) {
    const double cpu = items.cpu(task) * yield;
    if (!is_cpu_first(cpu, items.memory(task))) continue;
    // Needs that differ may be equal once they are scaled: ties are by number.
    int place = count++;
    for (;
         place > 0 && sorted_[place - 1].key == cpu && sorted_[place - 1].number > task;
         --place) {
      sorted_[place] = sorted_[place - 1];
    }
    sorted_[place] = {cpu, task};
  }
  for (int place = 0; place < count; ++place) {
    const int task = sorted_[place].number;
    cpu_list_.add(task, sorted_[place].key, items.memory(task));
  }
}

void BinPacker::add_by_memory(double yield) {
  const auto& items = problem_.items;
  for (const int task : by_memory_) {
    const double cpu = items.cpu(task) * yield;
    if (is_cpu_first(cpu, items.memory(task))) continue;
    memory_list_.add(task, cpu, items.memory(task));
  }
}

void BinPacker::make_sorted_lists(double yield) {
  const auto& items = problem_.items;
  for (int task = 0; task < items.tasks(); ++task) {
    sorted_[task] = {key_of(items.cpu(task) * yield, items.memory(task)), task};
  }
  const bool is_ascending = rule_.direction == Direction::kAscending;
  std::sort(sorted_.begin(), sorted_.end(), [&](const Task& a, const Task& b) {
    if (a.key != b.key) return is_ascending ? a.key < b.key : a.key > b.key;
    return a.number < b.number;
  });
  for (const auto& task : sorted_) {
    const double cpu = items.cpu(task.number) * yield;
    const double memory = items.memory(task.number);
    auto& list = is_cpu_first(cpu, memory) ? cpu_list_ : memory_list_;
    list.add(task.number, cpu, memory);
  }
}

void BinPacker::make_lists(double yield) {
  cpu_list_.clear();
  memory_list_.clear();
  if (by_cpu_.empty()) {
    make_sorted_lists(yield);
  } else {
    add_by_cpu(yield);
    add_by_memory(yield);
  }
  cpu_list_.finish();
  memory_list_.finish();
  left_ = problem_.items.tasks();
  left_cpu_ = problem_.items.total_cpu() * yield;
  left_memory_ = problem_.items.total_memory();
}

void BinPacker::fill_host(int host, Hosts& hosts) {
  double cpu = 1;
  double memory = 1;
  // What is left of a host only shrinks: each list is passed once.
  int cpu_place = 0;
  int memory_place = 0;
  while (true) {
    const bool is_cpu = is_cpu_first(cpu, memory);
    List* list = is_cpu ? &cpu_list_ : &memory_list_;
    int* place = is_cpu ? &cpu_place : &memory_place;
    *place = list->first_fit(*place, cpu + kCapEps, memory + kCapEps);
    if (*place == list->size()) {
      list = is_cpu ? &memory_list_ : &cpu_list_;
      place = is_cpu ? &memory_place : &cpu_place;
      *place = list->first_fit(*place, cpu + kCapEps, memory + kCapEps);
      if (*place == list->size()) return;
    }
    hosts[list->number(*place)] = host;
    cpu -= list->cpu(*place);
    memory -= list->memory(*place);
    left_cpu_ -= list->cpu(*place);
    left_memory_ -= list->memory(*place);
    list->remove(*place);
    if (--left_ == 0) return;
  }
}

bool BinPacker::pack(double yield, Hosts& hosts) {
  // Far above what tolerance and rounding of all hosts could add to their room.
  constexpr double kSpare = 1 + 1e-6;
  make_lists(yield);
  for (int host = 0; host < problem_.hosts && left_ > 0; ++host) {
    const double room = (problem_.hosts - host) * kSpare;
    if (left_cpu_ > room || left_memory_ > room) return false;
    fill_host(host, hosts);
  }
  return left_ == 0;
}

Packing mcb(const Problem& problem, const McbRule& rule,
            const SearchSettings& settings) {
  BinPacker packer(problem, rule);
  return search(
      problem, [&](double yield, Hosts& hosts) { return packer.pack(yield, hosts); },
      settings);
}

Packing meta(const Problem& problem, const SearchSettings& settings) {
  std::vector<Fill> fills;
  for (const int variant : {8, 5, 6, 7}) {
    const auto packer = std::make_shared<BinPacker>(problem, mcb_rule(variant));
    fills.emplace_back(
        [packer](double yield, Hosts& hosts) { return packer->pack(yield, hosts); });
  }
  return search(problem, first_of(std::move(fills)), settings);
}

}  // namespace berth::pack
