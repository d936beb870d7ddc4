#pragma once
// How Simulation hands a record to its watchers; for its own .cpp files.

#include "engine/sim/simulation.hpp"

namespace berth::sim {

template <class Kind>
void Simulation::tell(const Kind& record) const {
  const Record wrapped(record);
  for (const auto& watcher : watchers_) {
    if ((watcher.kinds & kinds<Kind>()) != 0) watcher.observer->note(wrapped);
  }
}

}  // namespace berth::sim
