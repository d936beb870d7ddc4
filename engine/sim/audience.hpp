#pragma once
// Who is told what happens in a run: observers, each of the kinds of record that it
// wants, and an inspector if there is one.

#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/sim/observer.hpp"

namespace berth::sim {

class Inspector;

class Audience {
 public:
  // REQUIRES of both: nothing was told yet; it outlives the run.
  void observe(Observer& observer) {
    watchers_.push_back({&observer, observer.wants()});
    wanted_ |= observer.wants();
  }
  // REQUIRES: there is none.
  void inspect(Inspector& inspector) {
    BERTH_ASSERT(inspector_ == nullptr);
    inspector_ = &inspector;
  }
  // Null: there is none.
  [[nodiscard]] Inspector* inspector() const { return inspector_; }

  // Whether a record of this kind is worth making.
  template <class Kind>
  [[nodiscard]] bool wants() const {
    return (wanted_ & kinds<Kind>()) != 0;
  }
  template <class Kind>
  void tell(const Kind& record) const {
    for (const auto& watcher : watchers_) {
      if ((watcher.kinds & kinds<Kind>()) != 0) hand(*watcher.observer, record);
    }
  }
  // The end of the run.
  void finish(Time at) const {
    for (const auto& watcher : watchers_) watcher.observer->finish(at);
  }
  // Records of these kinds are not made until want() with the answer.
  [[nodiscard]] RecordKinds mute(RecordKinds kinds) {
    return std::exchange(wanted_, wanted_ & ~kinds);
  }
  void want(RecordKinds kinds) { wanted_ = kinds; }

 private:
  struct Watcher {
    Observer* observer;
    RecordKinds kinds;
  };

  std::vector<Watcher> watchers_;
  Inspector* inspector_ = nullptr;
  RecordKinds wanted_ = 0;
};

}  // namespace berth::sim
