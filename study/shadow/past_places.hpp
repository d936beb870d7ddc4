#pragma once
// Processors for jobs that have ended, on the nodes that they had: those that neither
// another such job nor one that runs held at that time.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/interval_set.hpp"
#include "engine/base/time.hpp"

namespace berth::study {

class PastPlaces {
 public:
  // Some processors of a node: `count` of [first, end).
  struct NodePart {
    std::int32_t first;
    std::int32_t end;
    std::int32_t count;
  };
  struct PastSpan {
    Time start;
    Time end;
  };

  explicit PastPlaces(std::int32_t processors)
      : held_from_(static_cast<std::size_t>(processors), kNever),
        free_from_(static_cast<std::size_t>(processors), -kNever) {}

  // A job that runs has held them since then.  REQUIRES: before any take().
  void hold(const IntervalSet& where, Time since);
  // The lowest that were free for all of the span, which are taken then; nullopt: a
  // node has too few, and nothing is taken.  O(processors of the nodes). REQUIRES:
  // spans come in the order of their starts.
  [[nodiscard]] std::optional<IntervalSet> take(const std::vector<NodePart>& parts,
                                                const PastSpan& span);

 private:
  std::vector<Time> held_from_;  // by processor: since then by a job that runs
  std::vector<Time> free_from_;  // by processor: the end of the last job that took it
};

}  // namespace berth::study
