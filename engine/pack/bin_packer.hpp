#pragma once
// Multi-capacity bin packing against the imbalance: MCB1 to MCB8.
//
// Tasks are in two lists, those that ask for at least as much CPU as memory and the
// others, each sorted by a key, ties by number.  Hosts are filled one after the other:
// while a host has at least as much CPU left as memory, the first task that fits of the
// CPU list is taken, of the memory list if none does; otherwise the other way round.
// Section 3.2 of the paper; MCB5 is due to Leinberger, Karypis, Kumar (1999).

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/pack/packing.hpp"
#include "engine/pack/search.hpp"

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
  // Keeps a reference to `problem`.  REQUIRES: no task larger than a host.
  BinPacker(const Problem& problem, McbRule rule);

  // As a Fill.  Allocates nothing.  O(tasks * (log tasks + hosts)).
  bool pack(double yield, Hosts& hosts);

 private:
  struct Task {
    double key;
    int number;
  };
  // Tasks in the order of their key; those that are placed are passed over.
  class List {
   public:
    void reserve(int tasks);
    void clear() { size_ = 0; }
    void add(int number, double cpu, double memory);
    // After the last add().
    void finish();
    // The first place at or behind `from` that fits these rests; size() if none does.
    [[nodiscard]] int first_fit(int from, double cpu, double memory) const;
    void remove(int place);

    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] int number(int place) const { return number_[place]; }
    [[nodiscard]] double cpu(int place) const { return cpu_[place]; }
    [[nodiscard]] double memory(int place) const { return memory_[place]; }
    // Where needs of at most `need` begin.  REQUIRES: sorted by it, largest first.
    [[nodiscard]] int first_cpu(double need) const { return first_of(cpu_, need); }
    [[nodiscard]] int first_memory(double need) const {
      return first_of(memory_, need);
    }

   private:
    static constexpr int kBlock = 8;
    // What a search needs to pass over eight places at once.
    struct Block {
      double least_cpu;
      double least_memory;
      // Of this block and all behind it.
      double tail_cpu;
      double tail_memory;
      unsigned is_left;  // a bit for each place
    };
    [[nodiscard]] int first_of(const std::vector<double>& needs, double need) const;

    int size_ = 0;
    std::vector<int> number_;
    std::vector<double> cpu_;
    std::vector<double> memory_;
    std::vector<Block> blocks_;
  };

  [[nodiscard]] bool is_cpu_first(double cpu, double memory) const {
    return rule_.first_list == FirstList::kCpu ? cpu >= memory : cpu > memory;
  }
  // The key by which lists are sorted.
  [[nodiscard]] double rank(double cpu, double memory) const;
  void make_lists(double yield);
  void sort_tasks();
  void make_sorted_lists(double yield);
  void add_by_cpu(double yield);
  void add_by_memory(double yield);
  void fill_host(int host, Hosts& hosts);
  [[nodiscard]] List& list_of(bool is_cpu) { return is_cpu ? cpu_list_ : memory_list_; }
  // The first place at or behind `from` that fits these rests.
  [[nodiscard]] int next_fit(bool is_cpu, int from, double cpu, double memory) const;

  const Problem& problem_;
  McbRule rule_;
  bool is_descending_max_ = false;  // then the larger need of each list is sorted
  // For the key kMax: the order of either need is the same at every yield.
  std::vector<int> by_cpu_;
  std::vector<int> by_memory_;
  std::vector<Task> sorted_;
  List cpu_list_;
  List memory_list_;
  // Sums of what is not yet placed.
  int left_ = 0;
  double left_cpu_ = 0;
  double left_memory_ = 0;
};

// The search with one of MCB1 to MCB8.
[[nodiscard]] Packing mcb(const Problem& problem, const McbRule& rule = {},
                          const SearchSettings& settings = {});
// The search with the first of MCB8, 5, 6 and 7 that succeeds at a yield.
[[nodiscard]] Packing meta(const Problem& problem, const SearchSettings& settings = {});

}  // namespace berth::pack
