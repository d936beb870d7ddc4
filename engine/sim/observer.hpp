#pragma once
// Someone who watches a run.  Watchers get records, not the simulation: they cannot
// decide or delay.  An auditor stops a run by throwing Error; nobody else throws, save
// for a result that cannot be written.
//
// Records arrive in the order of events and actions, `finish` once behind the last.

#include "engine/sim/record.hpp"

namespace berth::sim {

class Observer {
 public:
  virtual ~Observer() = default;
  // The kinds it is told.  Asked once, before the run.
  [[nodiscard]] virtual RecordKinds wants() const = 0;
  virtual void note(const Record& record) = 0;
  // What every job brings comes by its own name.  Whoever takes it there is spared a
  // copy of the record; for all others it goes to `note` like the rest.
  virtual void submitted(const SubmitRecord& record) { note(record); }
  virtual void started(const StartRecord& record) { note(record); }
  virtual void ended(const EndRecord& record) { note(record); }
  virtual void passed(const PassRecord& record) { note(record); }
  // Nothing can happen any more; `at` is the time of the last event.
  virtual void finish(Time at) = 0;
};

// Calls the function of the observer that takes this kind of record.
inline void hand(Observer& to, const SubmitRecord& record) { to.submitted(record); }
inline void hand(Observer& to, const StartRecord& record) { to.started(record); }
inline void hand(Observer& to, const EndRecord& record) { to.ended(record); }
inline void hand(Observer& to, const PassRecord& record) { to.passed(record); }
template <class Kind>
void hand(Observer& to, const Kind& record) {
  to.note(record);
}

}  // namespace berth::sim
