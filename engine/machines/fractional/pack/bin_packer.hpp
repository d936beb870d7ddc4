#pragma once
// Multi-capacity bin packing against the imbalance: MCB1 to MCB8.
//
// Tasks are in two lists, those that ask for at least as much CPU as memory and the
// others, each sorted by a key, ties by number.  Hosts are filled one after the other:
// while a host has at least as much CPU left as memory, the first task that fits of the
// CPU list is taken, of the memory list if none does; otherwise the other way round.
// Section 3.2 of the paper; MCB5 is due to Leinberger, Karypis, Kumar (1999).

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/machines/fractional/pack/packing.hpp"
#include "engine/machines/fractional/pack/search.hpp"

namespace berth::pack {

enum class Key : std::uint8_t {
  kSum,         // CPU + memory
  kDifference,  // larger - smaller
  kRatio,       // larger / smaller; infinite if the smaller is 0
  kMax,         // larger
};
// Of one task.
[[nodiscard]] double key_of(Key key, double cpu, double memory);
enum class Direction : std::uint8_t { kAscending, kDescending };
// Which list has the tasks with equal needs, and comes first on a host with equal rest.
enum class FirstList : std::uint8_t { kCpu, kMemory };

struct McbRule {
  Key key = Key::kMax;
  Direction direction = Direction::kDescending;
  FirstList first_list = FirstList::kCpu;
  // Instead of `key`: called once for each task and yield.  Must not return NaN.
  std::function<double(double cpu, double memory)> own_key = {};
};
// MCB1 to MCB8.  REQUIRES: 1 <= variant <= 8.
[[nodiscard]] McbRule mcb_rule(int variant, FirstList first_list = FirstList::kCpu);

class BinPacker {
 public:
  // Keeps references to `problem` and `budget`.  REQUIRES: no task larger than a host.
  BinPacker(const Problem& problem, Budget& budget, McbRule rule);

  // As a Fill.  Allocates nothing.  O(tasks * (log tasks + hosts)) at most; near
  // O(tasks log tasks + hosts) where the first task left fits most hosts.
  bool pack(double yield, Hosts& hosts);

 private:
  struct Task {
    double key;
    int number;
  };
  // A task in a list.  Of its needs the list's own is the larger one: CPU in the CPU
  // list, memory in the other.
  struct Place {
    double own;
    double other;
    int number;
  };
  // Indices of lists_.
  static constexpr unsigned kMemory = 0;
  static constexpr unsigned kCpu = 1;
  // Tasks in the order of their key; those that are placed are passed over.
  class List {
   public:
    void reserve(int tasks);
    void clear() { size_ = 0; }
    // Without a branch: which list a task is in cannot be predicted.
    void add_if(bool is_member, const Place& place) {
      places_[size_] = place;
      size_ += is_member ? 1 : 0;
    }
    // Tasks with equal own needs by number.
    void order_ties(Budget& budget);
    // After the last add_if().  `is_sorted`: by own need, largest first.
    void finish(bool is_sorted);
    // The first place at or behind `from` that fits these rests; size() if none does.
    [[nodiscard]] int first_fit(int from, double own, double other, Budget& budget);
    void remove(int place) {
      blocks_[place / kBlock].left &= ~(std::uint64_t{1} << (place % kBlock));
    }

    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] const Place& at(int place) const { return places_[place]; }

   private:
    static constexpr int kBlock = 64;
    struct Block {
      // The least needs of this block and all behind it.
      double tail_own;
      double tail_other;
      std::uint64_t left;  // a bit for each place
      // The block to go on with: itself, or one behind it once nothing is left here.
      int next;
    };
    // The first block at or behind this one that is not known to be empty; as many as
    // there are: none.
    [[nodiscard]] int not_empty(int index);
    void index_needs();
    // Ranges of equal width over [0, 1], numbered upwards.
    [[nodiscard]] int range_of(double need) const {
      return static_cast<int>(need * ranges_);
    }

    int size_ = 0;
    int ranges_ = 1;
    bool is_sorted_ = false;
    std::vector<Place> places_;
    std::vector<Block> blocks_;
    std::vector<int> first_;  // if sorted, by range: where needs of it or below begin
  };

  [[nodiscard]] bool is_cpu_first(double cpu, double memory) const {
    return rule_.first_list == FirstList::kCpu ? cpu >= memory : cpu > memory;
  }
  // The key by which lists are sorted.
  [[nodiscard]] double rank(double cpu, double memory) const;
  void make_lists(double yield);
  // All tasks in the order of one need, as the rule directs.
  [[nodiscard]] std::vector<Place> sorted_by(std::span<const double> own,
                                             std::span<const double> other);
  // Those at [first, end) of sorted_.
  void sort_tasks(int first, int end);
  void make_sorted_lists(double yield);
  void add_by_cpu(double yield);
  void add_by_memory(double yield);
  // Up to which a task needs no more memory, as a part of a host, than is left of it.
  [[nodiscard]] double memory_room(double memory, double amount) const;
  void fill_host(int host, Hosts& hosts);
  const Problem& problem_;
  Budget& budget_;
  McbRule rule_;
  bool is_sorted_by_own_ = false;  // the lists, by the larger need of each task
  // For the key kMax: all tasks at yield 1; the order of either need is the same at
  // every yield.
  std::vector<Place> by_cpu_;
  std::vector<Place> by_memory_;
  std::vector<Task> sorted_;
  std::array<List, 2> lists_;  // of memory, of CPU
  // Sums of what is not yet placed.
  int left_ = 0;
  double left_cpu_ = 0;
  double left_memory_ = 0;
};

// The search with one of MCB1 to MCB8.
[[nodiscard]] Packing mcb(const Problem& problem, Budget& budget,
                          const McbRule& rule = {},
                          const SearchSettings& settings = {});
// The search with the first of MCB8, 5, 6 and 7 that succeeds at a yield.
[[nodiscard]] Packing meta(const Problem& problem, Budget& budget,
                           const SearchSettings& settings = {});

}  // namespace berth::pack
