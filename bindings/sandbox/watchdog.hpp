#pragma once
// Enforces the time limit from a second thread.
//
// The working thread marks begin and end of its work (a few plain stores); the watching
// thread checks a hundred times per shortest limit, every 1 to 50 ms.  Work that
// exceeds its limit is marked late, and its thread receives a real-time signal whose
// handler calls `stop`, repeated until the work ends: after 50 ms, then after twice the
// time that the last one took, so that a `stop` that is slow does not take all of the
// time.  After `end` returns, no signal of that work has an effect.  Of a stop of the
// process 200 ms count.
//
// A host that forbids signals gives its sandboxes no watchdog; then only the work limit
// stops a script.  A thread that blocks the signal is stopped by charge() at the
// earliest: see `admit_signal`.
//
// Determinism  Only the moment of a stop depends on the wall clock.

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace berth::bindings {

// The work of one sandbox, one piece at a time.
class Watched {
 public:
  using Stop = void (*)(void* context);

  // `stop(context)` runs in a signal handler of the working thread and must be safe
  // there.  Seconds of wall clock, > 0; grace 0: never end the process.
  Watched(Stop stop, void* context, double limit_seconds, double grace_seconds);

  // Text of the hard-stop message; call it between pieces of work.
  void describe(std::string text) { text_ = std::move(text); }
  // Number of the current work, for the same message.
  void number(std::int64_t number) { number_.store(number, std::memory_order_relaxed); }

  // REQUIRES: begin() and end() in pairs, on one thread; pairs nest across objects.
  void begin();
  // Whether the work was marked late.
  bool end(class Watchdog& watchdog);

  // Whether the running work exceeds its limit.  Cost: two relaxed loads.
  [[nodiscard]] bool is_late() const {
    return late_.load(std::memory_order_relaxed) ==
           ticket_.load(std::memory_order_relaxed);
  }

 private:
  friend class Watchdog;
  using Clock = std::chrono::steady_clock;

  std::atomic<std::uint64_t> ticket_{2};  // odd: working
  std::atomic<std::uint64_t> late_{0};    // the ticket that exceeded its limit
  std::atomic<pthread_t> thread_{};
  std::atomic<std::int64_t> number_{0};
  Stop stop_;
  void* context_;
  Clock::duration limit_;
  Clock::duration grace_;
  std::string text_;
  Watched* outer_ = nullptr;  // the work of this thread that it interrupts

  // Used by the watching thread.
  std::uint64_t seen_ = 0;
  Clock::time_point since_;
  Clock::time_point signalled_;
  Clock::duration repeat_{};  // from the last signal to the next

  static void on_signal(int signal);
};

class Watchdog {
 public:
  // Starts the thread and claims a free real-time signal.
  // Throws Error{kDefect} if none is free.
  Watchdog();
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // REQUIRES: `work` lives until `forget`.
  void watch(Watched& work);
  void forget(Watched& work);
  // Returns when no signal is being sent.
  void settle() { const std::lock_guard lock(mutex_); }
  // Unblocks the signal for the calling thread.
  void admit_signal() const;

 private:
  friend class Watched;
  using Clock = Watched::Clock;

  void run();
  void set_pace();
  // Time until this work must be checked again.
  Clock::duration look(Watched& work, Clock::time_point now) const;
  void warn(Watched& work, Clock::time_point now) const;
  [[noreturn]] static void hard_stop(const Watched& work);

  int signal_;
  bool has_barrier_;  // membarrier orders the accesses of the working threads
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Watched*> watched_;
  Clock::duration pace_;
  bool stopping_ = false;
  bool asleep_ = true;  // the thread waits for `changed_`
  std::thread thread_;  // last: uses the members above
};

// The watchdog of this process, shared while any reference exists.
[[nodiscard]] std::shared_ptr<Watchdog> shared_watchdog();

}  // namespace berth::bindings
