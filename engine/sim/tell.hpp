#pragma once
// How Simulation hands a record to its watchers; for its own .cpp files.

#include "engine/sim/simulation.hpp"

namespace berth::sim {

inline void hand(Observer& to, const SubmitRecord& record) { to.submitted(record); }
inline void hand(Observer& to, const StartRecord& record) { to.started(record); }
inline void hand(Observer& to, const EndRecord& record) { to.ended(record); }
inline void hand(Observer& to, const PassRecord& record) { to.passed(record); }
template <class Kind>
void hand(Observer& to, const Kind& record) {
  to.note(record);
}

template <class Kind>
void Simulation::tell(const Kind& record) const {
  for (const auto& watcher : watchers_) {
    if ((watcher.kinds & kinds<Kind>()) != 0) hand(*watcher.observer, record);
  }
}

}  // namespace berth::sim
