#pragma once
// The yardstick: EASY over a plain linked list, and nothing else.  Frozen: goals are
// ratios to this program, so it must not get faster or slower.
//
// It counts processors only: 32-bit seconds, an intrusive list of waiting jobs walked
// at every decision while a processor is idle, running jobs in a sorted array, no
// names, no records.  All events of an instant, then one pass; ends before submits;
// jobs that exceed their walltime are expected to end one second from now.
//
// Source       Mu'alem and Feitelson 2001.
// Cost         O(waiting + running) a decision.

#include <cstdint>
#include <span>
#include <vector>

#include "bench/works.hpp"

namespace berth::bench {

class ListEasy {
 public:
  // Throws std::range_error where a time of the work is beyond 32-bit seconds.
  explicit ListEasy(const Work& work);

  // REQUIRES: called once.
  void run();
  // In seconds, in the order of the work.
  [[nodiscard]] std::span<const std::int32_t> starts() const { return starts_; }

 private:
  struct Waiting {
    std::int32_t submit;
    std::int32_t length;
    std::int32_t planned;
    std::int32_t size;
    std::int32_t before;
    std::int32_t behind;
  };
  struct Running {
    std::int32_t planned_end;
    std::int32_t job;
    std::int32_t size;
    friend bool operator<(const Running& a, const Running& b) {
      return a.planned_end != b.planned_end ? a.planned_end < b.planned_end
                                            : a.job < b.job;
    }
  };
  struct Ending {
    std::int32_t at;
    std::int32_t job;
    friend bool operator<(const Ending& a, const Ending& b) {
      return a.at != b.at ? a.at > b.at : a.job > b.job;  // the heap's top is the first
    }
  };
  struct Shadow {
    std::int32_t at;
    std::int32_t spare;
  };

  void append(std::int32_t job);
  void unlink(std::int32_t job);
  void end(const Ending& ending);
  void start(std::int32_t job);
  void decide();
  [[nodiscard]] Shadow shadow_of(std::int32_t size) const;

  std::vector<Waiting> jobs_;  // the last one is the ends of the list
  std::vector<std::int32_t> starts_;
  std::vector<Running> running_;  // by planned end
  std::vector<Ending> endings_;   // a heap
  std::int32_t sentinel_;
  std::int32_t idle_;
  std::int32_t now_ = 0;
};

}  // namespace berth::bench
