#pragma once
// The pending events of a run: job ends, ends of freezes, shares that take hold,
// arrivals and the policy's one wake-up.
//
// Cancelling costs O(1): the subject's version moves on, and events of older versions
// are void.  Void events are dropped when they come up, or all at once when they
// outnumber the live ones.

#include <cstddef>
#include <optional>

#include "engine/clock/event_queue.hpp"
#include "engine/jobs/job_table.hpp"

namespace berth::sim {

class Agenda {
 public:
  // The table outlives the agenda.
  Agenda(Ties ties, const JobTable& jobs) : events_(ties), jobs_(jobs) {}

  [[nodiscard]] bool empty() const { return events_.empty(); }
  // kNever if nothing is pending.
  [[nodiscard]] Time next_at() const { return events_.next_at(); }
  // Removes the first event and hands it over, as EventQueue::pop_to does.
  // REQUIRES: not empty; drop_void() was called since the last change.
  template <class Arrives, class Happens>
  void pop_to(const Arrives& arrives, const Happens& happens) {
    events_.pop_to(arrives, happens);
  }
  // Drops void events from the top.
  void drop_void() {
    if (!may_hold_void_) return;
    while (events_.is_cancellable() && is_void(events_.top())) events_.pop();
  }

  void add(const Event& event) {
    if (may_hold_void_) drop_many_void();
    events_.push(event);
  }
  // Makes the pending events of the job void.
  void cancel(JobEntry& entry) {
    entry.version = next_version(entry.version);
    may_hold_void_ = true;
  }

  // Whether an arrival or the end of a job is pending: it will come, or the job will
  // have got on, whatever the policy does until then.  O(pending events).
  [[nodiscard]] bool goes_on() const {
    return events_.any_of([this](const Event& each) {
      return (each.kind == EventKind::kJobEnd || each.kind == EventKind::kJobSubmit) &&
             !is_void(each);
    });
  }
  // The version of an event of the machine that always has a next one: as a wake-up it
  // lets no run go on that stands still otherwise.
  static constexpr std::uint32_t kEndless = 1;

  // Whether anything but the wake-up of the policy and what is endless is pending.
  // O(pending events).
  [[nodiscard]] bool awaits_event() const {
    return events_.any_of([this](const Event& each) {
      const bool is_of_machine = each.kind == EventKind::kOfMachine;
      if (is_of_machine && each.version == kEndless) return false;
      return each.kind != EventKind::kWake && !is_void(each);
    });
  }

  // The instant of the wake-up; nullopt if none is set.
  [[nodiscard]] std::optional<Time> wake() const { return wake_; }
  // Replaces it; nullopt clears, as it has to when the wake-up has come.
  void set_wake(std::optional<Time> time);

 private:
  [[nodiscard]] bool is_void(const Event& event) const {
    if (event.kind == EventKind::kWake) return wake_version_ != event.version;
    const bool is_of_running_job = event.kind <= EventKind::kOfJob;
    if (!is_of_running_job) return false;
    const auto* entry = jobs_.find(JobId{event.subject});
    return entry == nullptr || entry->version != event.version;
  }
  void drop_many_void();

  EventQueue events_;
  const JobTable& jobs_;
  bool may_hold_void_ = false;
  std::size_t live_at_most_ = 0;  // events left by the last sweep
  std::optional<Time> wake_;
  std::uint32_t wake_version_ = 0;
};

}  // namespace berth::sim
