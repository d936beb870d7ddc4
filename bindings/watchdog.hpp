#pragma once
// The clock behind the time limit: stops work that does not end, from outside.
//
// The thread that works says when it begins and ends (some plain stores, nothing else);
// a second thread looks, a hundred times in the shortest limit but at most every
// millisecond and at least every 50.  Work that is still the same after its limit is
// marked late, and the thread that does it gets a real-time signal whose handler calls
// `stop`, again every 50 ms until the work has ended.  Once `end` has returned no
// signal of that work can do anything.
//
// A host that forbids signals gives its sandboxes no watchdog; then only the work limit
// stops a script.  A thread that blocks the signal is stopped at the next charge() of a
// C function at the earliest: see `admit_signal`.
//
// Determinism  The moment of a stop depends on the wall clock, nothing else does.

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace berth::bindings {

// One piece of work under watch at a time; the same object for all of one sandbox.
class Watched {
 public:
  using Stop = void (*)(void* context);

  // `stop(context)` runs in a signal handler of the thread that works: only what is
  // safe there.  Seconds of wall clock, > 0; `grace` 0: never end the process.
  Watched(Stop stop, void* context, double limit_seconds, double grace_seconds);

  // What the message of the hard stop says; called between pieces of work.
  void describe(std::string text) { text_ = std::move(text); }
  // Number of the current work, for the same message.
  void number(std::int64_t number) { number_.store(number, std::memory_order_relaxed); }

  // REQUIRES: begin() and end() in pairs, on one thread; pairs nest across objects.
  void begin();
  // True: the work was marked late.
  bool end(class Watchdog& watchdog);

  // True while the work that runs now is over its limit.  Cost: two relaxed loads.
  [[nodiscard]] bool is_late() const {
    return late_.load(std::memory_order_relaxed) ==
           ticket_.load(std::memory_order_relaxed);
  }

 private:
  friend class Watchdog;
  using Clock = std::chrono::steady_clock;

  std::atomic<std::uint64_t> ticket_{2};  // odd: at work
  std::atomic<std::uint64_t> late_{0};    // the ticket that is over its limit
  std::atomic<pthread_t> thread_{};
  std::atomic<std::int64_t> number_{0};
  Stop stop_;
  void* context_;
  Clock::duration limit_;
  Clock::duration grace_;
  std::string text_;
  Watched* outer_ = nullptr;  // what this thread was doing when the work began

  // Of the watching thread.
  std::uint64_t seen_ = 0;
  Clock::time_point since_;
  Clock::time_point signalled_;

  static void on_signal(int signal);
};

class Watchdog {
 public:
  // Starts the thread and takes a free real-time signal.
  // Throws Error{kDefect} where none is free.
  Watchdog();
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // REQUIRES: `watched` lives until it is forgotten.
  void watch(Watched& watched);
  void forget(Watched& watched);

  // Returns when no signal is being sent.
  void settle();

  // Lets the signal through to the calling thread, which may have blocked all of them.
  void admit_signal() const;

 private:
  friend class Watched;
  class Patrol;
  std::unique_ptr<Patrol> patrol_;
  bool is_strict_;  // the end of work keeps the order of its write and its read
};

// The one of this process: made at the first call, ended when nobody holds it any more.
[[nodiscard]] std::shared_ptr<Watchdog> shared_watchdog();

}  // namespace berth::bindings
