#pragma once
// A packing in the making, at one yield: tasks are put on hosts one by one.
//
// At a yield Y a task asks for Y times its CPU need and for all its memory.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/machines/fractional/pack/bin_packer.hpp"

namespace berth::pack {

// Which host suits a task, of what the task asks for and what the host has left.
enum class Suits : std::uint8_t {
  kCosine,  // the largest cosine of the angle between the two
  kDot,     // the largest sum of their products (Panigrahy et al. 2011)
  kNorm,    // the least sum of the squares of what would be left (the same)
};

class Draft {
 public:
  // Keeps references to both.
  Draft(const Problem& problem, Budget& budget);

  // Empty, at this yield.
  void begin(double yield);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] double yield() const { return yield_; }
  // Tasks not put.
  [[nodiscard]] int left() const { return left_; }
  // Whether a job was put where it is now; bins of such a draft keep their hosts.
  [[nodiscard]] bool is_kept() const { return is_kept_; }
  // By task; kNoHost: not put.
  [[nodiscard]] const Hosts& hosts() const { return hosts_; }

  // What a task asks for.
  [[nodiscard]] double cpu(int task) const { return problem_.items.cpu(task) * yield_; }
  [[nodiscard]] double memory(int task) const { return problem_.items.memory(task); }

  // What is left of a host, and the sum of full CPU needs put there.
  [[nodiscard]] double free_cpu(int host) const { return bins_[host].cpu; }
  [[nodiscard]] double free_memory(int host) const { return bins_[host].memory; }
  [[nodiscard]] double load(int host) const { return bins_[host].load; }

  [[nodiscard]] bool fits(int task, int host) const {
    const auto& bin = bins_[host];
    const auto& items = problem_.items;
    return cpu(task) <= bin.cpu + kCapEps &&
           items.amount(task) <= bin.amount + items.amount_slack();
  }
  // Says which of the hosts with room suits the task best, the first of equals;
  // kNoHost: none has room.  O(hosts).
  [[nodiscard]] int choose(int task, Suits by) const;
  // Puts each task in `order` that is not put where choose() says; false: it stopped at
  // one for which none has room.
  bool put_all(std::span<const int> order, Suits by);
  // False: no room.  REQUIRES: the task is not put.
  bool put(int task, int host);
  // REQUIRES: the task is put.
  void take(int task);
  // Puts the tasks of a job that have a host now there; false: no room for all of
  // them, and none is put.  REQUIRES: none is put.
  bool keep(int job);

  // All tasks by a need, largest first, ties by number.  Computed once a yield.
  [[nodiscard]] const std::vector<int>& order(Key key);

 private:
  struct Bin {
    double cpu = 1;
    double memory = 1;
    double amount = 1;  // what is left of host_amount()
    double load = 0;
    std::vector<int> tasks;  // in the order in which they were put
  };
  static constexpr std::size_t kKeys = 4;

  template <class Score>
  void score(int task, int first, int end, const Score& score) const;
  void score(int task, int first, int end, Suits by) const;
  [[nodiscard]] int best_of_scores() const;
  [[nodiscard]] bool asks_as(int task, int other) const;
  void clear(Bin& bin) const;
  void add(Bin& bin, int task) const;

  const Problem& problem_;
  Budget& budget_;
  double yield_ = 0;
  int left_ = 0;
  bool is_kept_ = false;
  Hosts hosts_;
  std::vector<Bin> bins_;
  mutable std::vector<double> scores_;          // by host, of one task
  std::array<std::vector<int>, kKeys> orders_;  // empty: not computed
  std::vector<double> keys_;
};

}  // namespace berth::pack
