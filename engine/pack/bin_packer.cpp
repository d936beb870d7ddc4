#include "engine/pack/bin_packer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "engine/base/error.hpp"

namespace berth::pack {

McbRule mcb_rule(int variant, FirstList first_list) {
  BERTH_ASSERT(variant >= 1 && variant <= 8);
  return {static_cast<Key>((variant - 1) % 4),
          variant <= 4 ? Direction::kAscending : Direction::kDescending, first_list};
}

void BinPacker::List::reserve(int tasks) {
  const int places = (tasks / kBlock + 1) * kBlock;
  number_.resize(places);
  cpu_.resize(places);
  memory_.resize(places);
  blocks_.resize(places / kBlock);
}

void BinPacker::List::add(int number, double cpu, double memory) {
  number_[size_] = number;
  cpu_[size_] = cpu;
  memory_[size_] = memory;
  ++size_;
}

void BinPacker::List::finish() {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  for (int place = size_; place % kBlock != 0; ++place) {
    cpu_[place] = memory_[place] = kNever;
  }
  double tail_cpu = kNever;
  double tail_memory = kNever;
  for (int index = (size_ + kBlock - 1) / kBlock; index-- > 0;) {
    auto& block = blocks_[index];
    const auto first = static_cast<std::ptrdiff_t>(index) * kBlock;
    block.is_left = (1U << kBlock) - 1;
    block.least_cpu =
        *std::min_element(cpu_.begin() + first, cpu_.begin() + first + kBlock);
    block.least_memory =
        *std::min_element(memory_.begin() + first, memory_.begin() + first + kBlock);
    block.tail_cpu = tail_cpu = std::min(tail_cpu, block.least_cpu);
    block.tail_memory = tail_memory = std::min(tail_memory, block.least_memory);
  }
}

void BinPacker::List::remove(int place) {
  blocks_[place / kBlock].is_left &= ~(1U << (place % kBlock));
}

int BinPacker::List::first_fit(int from, double cpu, double memory) const {
  unsigned behind = ~0U << (from % kBlock);
  for (int index = from / kBlock; index * kBlock < size_; ++index, behind = ~0U) {
    const auto& block = blocks_[index];
    if (block.tail_cpu > cpu || block.tail_memory > memory) return size_;
    const unsigned left = block.is_left & behind;
    if (left == 0 || block.least_cpu > cpu || block.least_memory > memory) continue;
    unsigned fits = 0;
    for (int i = 0; i < kBlock; ++i) {
      const int place = index * kBlock + i;
      const unsigned both = static_cast<unsigned>(cpu_[place] <= cpu) &
                            static_cast<unsigned>(memory_[place] <= memory);
      fits |= both << i;
    }
    fits &= left;
    if (fits != 0) return index * kBlock + std::countr_zero(fits);
  }
  return size_;
}

int BinPacker::List::first_of(const std::vector<double>& needs, double need) const {
  // Halves without branches, which could not be foreseen.
  const double* first = needs.data();
  for (int left = size_; left > 0;) {
    const int half = left / 2;
    const bool is_behind = first[half] > need;
    first = is_behind ? first + half + 1 : first;
    left = is_behind ? left - half - 1 : half;
  }
  return static_cast<int>(first - needs.data());
}

BinPacker::BinPacker(const Problem& problem, McbRule rule)
    : problem_(problem), rule_(std::move(rule)) {
  const auto& items = problem_.items;
  const int tasks = items.tasks();
  cpu_list_.reserve(tasks);
  memory_list_.reserve(tasks);
  sorted_.resize(tasks);
  if (rule_.own_key || rule_.key != Key::kMax) return;
  is_descending_max_ = rule_.direction == Direction::kDescending;
  const auto sort_by = [&](std::span<const double> needs) {
    for (int task = 0; task < tasks; ++task) sorted_[task] = {needs[task], task};
    sort_tasks();
    std::vector<int> order;
    for (const auto& task : sorted_) order.push_back(task.number);
    return order;
  };
  by_cpu_ = sort_by(items.cpus());
  by_memory_ = sort_by(items.memories());
}

void BinPacker::sort_tasks() {
  const bool is_ascending = rule_.direction == Direction::kAscending;
  std::sort(sorted_.begin(), sorted_.end(), [&](const Task& a, const Task& b) {
    if (a.key != b.key) return is_ascending ? a.key < b.key : a.key > b.key;
    return a.number < b.number;
  });
}

double key_of(Key key, double cpu, double memory) {
  const double more = std::max(cpu, memory);
  const double less = std::min(cpu, memory);
  switch (key) {
    case Key::kSum: return cpu + memory;
    case Key::kDifference: return more - less;
    case Key::kRatio:
      return less > 0 ? more / less : std::numeric_limits<double>::infinity();
    case Key::kMax: break;
  }
  return more;
}

double BinPacker::rank(double cpu, double memory) const {
  return rule_.own_key ? rule_.own_key(cpu, memory) : key_of(rule_.key, cpu, memory);
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
    sorted_[task] = {rank(items.cpu(task) * yield, items.memory(task)), task};
  }
  sort_tasks();
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

int BinPacker::next_fit(bool is_cpu, int from, double cpu, double memory) const {
  const auto& list = is_cpu ? cpu_list_ : memory_list_;
  if (from >= list.size()) return list.size();
  if (is_descending_max_) {
    from = std::max(from, is_cpu ? list.first_cpu(cpu) : list.first_memory(memory));
  }
  return list.first_fit(from, cpu, memory);
}

void BinPacker::fill_host(int host, Hosts& hosts) {
  double cpu = 1;
  double memory = 1;
  // What is left of a host only shrinks: each list is passed once.
  std::array<int, 2> places = {0, 0};  // of the CPU list last
  while (left_ > 0) {
    bool is_cpu = is_cpu_first(cpu, memory);
    for (int tried = 0; tried < 2; ++tried, is_cpu = !is_cpu) {
      auto& place = places.at(is_cpu ? 1 : 0);
      place = next_fit(is_cpu, place, cpu + kCapEps, memory + kCapEps);
      if (place < list_of(is_cpu).size()) break;
      if (tried == 1) return;
    }
    auto& list = list_of(is_cpu);
    const int place = places.at(is_cpu ? 1 : 0);
    hosts[list.number(place)] = host;
    cpu -= list.cpu(place);
    memory -= list.memory(place);
    left_cpu_ -= list.cpu(place);
    left_memory_ -= list.memory(place);
    list.remove(place);
    --left_;
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
