#pragma once
// A watcher of a run.  It is told records, not the simulation: it cannot decide or
// delay. An auditor ends a run by throwing Error; others throw only if a result cannot
// be written.
//
// Records come in the order of events and actions, `finish` once after the last.

#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/sim/record.hpp"

namespace berth::sim {

class Observer {
 public:
  virtual ~Observer() = default;
  // The kinds it is told.  Asked once, before the run.
  [[nodiscard]] virtual RecordKinds wants() const = 0;
  virtual void note(const Record& record) = 0;
  // The records that every job brings have functions of their own, which saves a copy
  // into a Record.
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

// An observer of these kinds of record: it has one `on(const Kind&)` for each, and
// befriends RecordVisitor if they are private.
//
//   class Starts final : public RecordVisitor<Starts, StartRecord> { ... };
template <class Self, class... Kinds>
class RecordVisitor : public Observer {
 public:
  [[nodiscard]] RecordKinds wants() const override { return kinds<Kinds...>(); }
  void note(const Record& record) final {
    std::visit([this](const auto& each) { this->visit(each); }, record);
  }
  void submitted(const SubmitRecord& record) final { visit(record); }
  void started(const StartRecord& record) final { visit(record); }
  void ended(const EndRecord& record) final { visit(record); }
  void passed(const PassRecord& record) final { visit(record); }

 private:
  template <class Kind>
  void visit(const Kind& record) {
    if constexpr ((std::is_same_v<Kind, Kinds> || ...)) {
      static_cast<Self&>(*this).on(record);
    }
  }
};

class Inspector;

// Who is told what happens in a run: observers, each of the kinds of record that it
// wants, and an inspector if there is one.
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
