#include "engine/machines/fractional/pack/bin_packer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <numeric>
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
  ranges_ = std::max(1, tasks);
  places_.resize(tasks + 1);  // add_if() writes behind the last
  blocks_.resize(tasks / kBlock + 2);
  first_.resize(ranges_ + 1);
}

void BinPacker::List::order_ties(Budget& budget) {
  const auto is_swapped = [](const Place& a, const Place& b) {
    return a.own == b.own && a.number > b.number;
  };
  for (int end = 1; end < size_; ++end) {
    int at = end;
    // Bounded: charged at once below.
    for (; at > 0 && is_swapped(places_[at - 1], places_[at]); --at) {
      std::swap(places_[at - 1], places_[at]);
    }
    budget.charge_each(end - at);
  }
}

void BinPacker::List::finish(bool is_sorted) {
  is_sorted_ = is_sorted;
  if (is_sorted_) index_needs();
  double tail_own = std::numeric_limits<double>::infinity();
  double tail_other = tail_own;
  // Bounded: each place once, which make_lists() charges.
  for (int index = (size_ + kBlock - 1) / kBlock; index-- > 0;) {
    auto& block = blocks_[index];
    const int first = index * kBlock;
    const int end = std::min(size_, first + kBlock);
    // Bounded: the places of one block.
    for (int place = first; place < end; ++place) {
      tail_own = std::min(tail_own, places_[place].own);
      tail_other = std::min(tail_other, places_[place].other);
    }
    block = {tail_own, tail_other, ~std::uint64_t{0} >> (kBlock - (end - first)),
             index};
  }
  const int end = (size_ + kBlock - 1) / kBlock;
  blocks_[end].next = end;
}

// Halves the way that later calls take: many hosts pass over the same empty blocks.
int BinPacker::List::not_empty(int index) {
  // Bounded: each empty block a few times in all.
  while (blocks_[index].next != index) {
    blocks_[index].next = blocks_[blocks_[index].next].next;
    index = blocks_[index].next;
  }
  return index;
}

void BinPacker::List::index_needs() {
  std::fill(first_.begin(), first_.end(), size_);
  // Bounded: each place once, which make_lists() charges.
  for (int place = size_; place-- > 0;) first_[range_of(places_[place].own)] = place;
  // A range without a task begins where the next smaller one does.
  // Bounded: as many ranges as tasks.
  for (int range = 1; range <= ranges_; ++range) {
    first_[range] = std::min(first_[range], first_[range - 1]);
  }
}

int BinPacker::List::first_fit(int from, double own, double other, Budget& budget) {
  if (from >= size_) return size_;
  if (is_sorted_) from = std::max(from, first_[range_of(own)]);
  std::uint64_t behind = ~std::uint64_t{0} << (from % kBlock);
  for (int index = from / kBlock; index * kBlock < size_; ++index) {
    budget.charge();
    if (const int open = not_empty(index); open != index) {
      behind = ~std::uint64_t{0};
      index = open;
      if (index * kBlock >= size_) return size_;
    }
    auto& block = blocks_[index];
    if (block.tail_own > own || block.tail_other > other) return size_;
    if (block.left == 0) block.next = index + 1;
    std::uint64_t left = block.left & behind;
    behind = ~std::uint64_t{0};
    for (; left != 0; left &= left - 1) {
      const int place = index * kBlock + std::countr_zero(left);
      const auto& task = places_[place];
      const bool fits_own = task.own <= own;
      const bool fits_other = task.other <= other;
      if (fits_own & fits_other) return place;
    }
  }
  return size_;
}

BinPacker::BinPacker(const Problem& problem, Budget& budget, McbRule rule)
    : problem_(problem), budget_(budget), rule_(std::move(rule)) {
  const auto& items = problem_.items;
  const int tasks = items.tasks();
  // Bounded: there are two lists.
  for (auto& list : lists_) list.reserve(tasks);
  sorted_.resize(tasks);
  if (rule_.own_key || rule_.key != Key::kMax) return;
  is_sorted_by_own_ = rule_.direction == Direction::kDescending;
  by_cpu_ = sorted_by(items.cpus(), items.memories());
  by_memory_ = sorted_by(items.memories(), items.cpus());
}

std::vector<BinPacker::Place> BinPacker::sorted_by(std::span<const double> own,
                                                   std::span<const double> other) {
  // First by ranges of equal width, without comparisons, which cannot be predicted.
  const auto tasks = static_cast<int>(own.size());
  budget_.charge_each(4 * own.size());
  const bool is_ascending = rule_.direction == Direction::kAscending;
  const auto range_of = [&](double need) {
    const int range = std::min(static_cast<int>(need * tasks), tasks);
    return is_ascending ? range : tasks - range;
  };
  std::vector<int> begins(tasks + 1);
  for (const double need : own) ++begins[range_of(need)];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  for (int task = tasks; task-- > 0;)
    sorted_[--begins[range_of(own[task])]] = {own[task], task};
  for (int range = 0; range <= tasks; ++range) {
    sort_tasks(begins[range], range < tasks ? begins[range + 1] : tasks);
  }
  std::vector<Place> places;
  places.reserve(sorted_.size());
  for (const auto& [need, task] : sorted_) places.push_back({need, other[task], task});
  return places;
}

void BinPacker::sort_tasks(int first, int end) {
  const bool is_ascending = rule_.direction == Direction::kAscending;
  std::sort(sorted_.begin() + first, sorted_.begin() + end,
            [&](const Task& a, const Task& b) {
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
  // Bounded: each task once, which make_lists() charges.
  for (const auto& task : by_cpu_) {
    const double cpu = task.own * yield;
    lists_[kCpu].add_if(is_cpu_first(cpu, task.other), {cpu, task.other, task.number});
  }
  // Needs that differ may be equal once they are scaled.
  lists_[kCpu].order_ties(budget_);
}

void BinPacker::add_by_memory(double yield) {
  // Bounded: each task once, which make_lists() charges.
  for (const auto& task : by_memory_) {
    const double cpu = task.other * yield;
    lists_[kMemory].add_if(!is_cpu_first(cpu, task.own), {task.own, cpu, task.number});
  }
}

void BinPacker::make_sorted_lists(double yield) {
  const auto& items = problem_.items;
  // Sorting takes about as long as so many units.
  budget_.charge_each(2 * sorted_.size());
  // Bounded: each task once, which make_lists() charges.
  for (int task = 0; task < items.tasks(); ++task) {
    sorted_[task] = {rank(items.cpu(task) * yield, items.memory(task)), task};
  }
  sort_tasks(0, items.tasks());
  // Bounded: each task once, which make_lists() charges.
  for (const auto& [key, task] : sorted_) {
    const double cpu = items.cpu(task) * yield;
    const double memory = items.memory(task);
    const bool is_cpu = is_cpu_first(cpu, memory);
    lists_[kCpu].add_if(is_cpu, {cpu, memory, task});
    lists_[kMemory].add_if(!is_cpu, {memory, cpu, task});
  }
}

void BinPacker::make_lists(double yield) {
  budget_.charge_each(2 * problem_.items.tasks());
  for (auto& list : lists_) list.clear();
  if (by_cpu_.empty()) {
    make_sorted_lists(yield);
  } else {
    add_by_cpu(yield);
    add_by_memory(yield);
  }
  for (auto& list : lists_) list.finish(is_sorted_by_own_);
  left_ = problem_.items.tasks();
  left_cpu_ = problem_.items.total_cpu() * yield;
  left_memory_ = problem_.items.total_memory();
}

// The quotient of whole units is rounded as that of each task was, and two numbers of
// units have two quotients: comparing these is comparing units.
double BinPacker::memory_room(double memory, double amount) const {
  const auto& items = problem_.items;
  return items.host_units() > 0 ? amount / items.host_amount() : memory + kCapEps;
}

void BinPacker::fill_host(int host, Hosts& hosts) {
  const auto& items = problem_.items;
  double cpu = 1;
  double memory = 1;
  double amount = items.host_amount();
  // What is left of a host only shrinks: each list is passed once.
  std::array<int, 2> places = {0, 0};
  while (left_ > 0) {
    budget_.charge();
    // An index, not a branch, chooses the list: which one it is cannot be predicted.
    unsigned list = is_cpu_first(cpu, memory) ? kCpu : kMemory;
    const std::array<double, 2> rooms = {memory_room(memory, amount), cpu + kCapEps};
    const auto find = [&](unsigned in) {
      places[in] = lists_[in].first_fit(places[in], rooms[in], rooms[in ^ 1U], budget_);
      return places[in] < lists_[in].size();
    };
    if (!find(list)) {
      list ^= 1U;
      if (!find(list)) return;
    }
    const auto& task = lists_[list].at(places[list]);
    const double task_cpu = list == kCpu ? task.own : task.other;
    const double task_memory = list == kCpu ? task.other : task.own;
    hosts[task.number] = host;
    cpu -= task_cpu;
    memory -= task_memory;
    amount -= items.amount(task.number);
    left_cpu_ -= task_cpu;
    left_memory_ -= task_memory;
    lists_[list].remove(places[list]);
    --left_;
  }
}

bool BinPacker::pack(double yield, Hosts& hosts) {
  // Far above what tolerance and rounding of all hosts could add to their room.
  constexpr double kSpare = 1 + 1e-6;
  make_lists(yield);
  for (int host = 0; host < problem_.hosts && left_ > 0; ++host) {
    budget_.charge();
    const double room = (problem_.hosts - host) * kSpare;
    if (left_cpu_ > room || left_memory_ > room) return false;
    fill_host(host, hosts);
  }
  return left_ == 0;
}

Packing mcb(const Problem& problem, Budget& budget, const McbRule& rule,
            const SearchSettings& settings) {
  BinPacker packer(problem, budget, rule);
  return search(
      problem, budget,
      [&](double yield, Hosts& hosts) { return packer.pack(yield, hosts); }, settings);
}

Packing meta(const Problem& problem, Budget& budget, const SearchSettings& settings) {
  std::vector<Fill> fills;
  for (const int variant : {8, 5, 6, 7}) {
    const auto packer = std::make_shared<BinPacker>(problem, budget, mcb_rule(variant));
    fills.emplace_back(
        [packer](double yield, Hosts& hosts) { return packer->pack(yield, hosts); });
  }
  return search(problem, budget, first_of(std::move(fills)), settings);
}

}  // namespace berth::pack
