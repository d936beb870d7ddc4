#include "bindings/sandbox/watchdog.hpp"

#include <fmt/format.h>
#include <linux/membarrier.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/base/leftovers.hpp"

namespace berth::bindings {

namespace {

constexpr std::chrono::steady_clock::duration kLongestLook =
    std::chrono::milliseconds(50);
constexpr std::chrono::steady_clock::duration kShortestLook =
    std::chrono::milliseconds(1);
// The next look that comes later than this shows that the process was stopped (Ctrl-Z)
// or had no processor, and so had the work that it watches: the rest is not counted.
constexpr std::chrono::steady_clock::duration kLongestPause = 4 * kLongestLook;
constexpr int kLooksPerLimit = 100;
constexpr auto kRepeat = std::chrono::milliseconds(50);
constexpr int kHardStop = 7;

// The work of this thread.  A signal handler knows only its thread, so this is the one
// variable outside any object.
thread_local std::atomic<Watched*> at_work{nullptr};

// Without a limit of its own work is late only when the process is asked to stop.
// Ten years: sums with it do not overflow.
constexpr std::chrono::steady_clock::duration kNoLimit = std::chrono::hours(87'600);

// kNoLimit for 0 and for more than that.
std::chrono::steady_clock::duration limit_of(double seconds) {
  const std::chrono::duration<double> wanted(seconds);
  if (!(seconds > 0) || wanted > kNoLimit) return kNoLimit;
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(wanted);
}

// A real-time signal without a handler of its own.
int claim_signal(void (*handler)(int)) {
  struct sigaction ours {};
  ours.sa_handler = handler;
  ours.sa_flags = SA_RESTART;
  sigemptyset(&ours.sa_mask);
  for (int signal = SIGRTMIN + 3; signal < SIGRTMAX; ++signal) {
    struct sigaction present {};
    if (sigaction(signal, nullptr, &present) != 0) continue;
    const bool is_free =
        (present.sa_flags & SA_SIGINFO) == 0 &&
        (present.sa_handler == SIG_DFL || present.sa_handler == handler);
    if (is_free && sigaction(signal, &ours, nullptr) == 0) return signal;
  }
  throw Error(ErrorCode::kDefect,
              "time limit: no real-time signal is free; "
              "switch the limit off or use a work limit");
}

// Memory order between the two threads.  Work ends a million times a second and is
// rarely late, so where Linux offers membarrier the watching thread pays for it and the
// working thread does not.
bool barrier(int command) { return syscall(SYS_membarrier, command, 0) == 0; }

}  // namespace

Watched::Watched(Stop stop, void* context, double limit_seconds, double grace_seconds)
    : stop_(stop),
      context_(context),
      limit_(limit_of(limit_seconds)),
      grace_(grace_seconds > 0 ? limit_of(grace_seconds) : Clock::duration::zero()) {}

void Watched::begin() {
  outer_ = at_work.load(std::memory_order_relaxed);
  thread_.store(pthread_self(), std::memory_order_relaxed);
  at_work.store(this, std::memory_order_relaxed);
  ticket_.store(ticket_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

bool Watched::end(Watchdog& watchdog) {
  const std::uint64_t mine = ticket_.load(std::memory_order_relaxed);
  // The watching thread writes `late_`, then reads `ticket_`; this thread does the
  // reverse.  So either the watching thread sees the end of the work, or this thread
  // sees `late_` and waits until the signal has been sent.  Requires that neither pair
  // is reordered.
  bool was_late = false;
  if (watchdog.has_barrier_) {
    ticket_.store(mine + 1, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // compiler only
    was_late = late_.load(std::memory_order_relaxed) == mine;
  } else {
    ticket_.store(mine + 1, std::memory_order_seq_cst);
    was_late = late_.load(std::memory_order_seq_cst) == mine;
  }
  if (was_late) watchdog.settle();
  at_work.store(outer_, std::memory_order_relaxed);
  return was_late;
}

void Watched::on_signal(int) {
  Watched* work = at_work.load(std::memory_order_relaxed);
  for (; work != nullptr; work = work->outer_) {
    if (work->is_late()) work->stop_(work->context_);
  }
}

Watchdog::Watchdog()
    : signal_(claim_signal(&Watched::on_signal)),
      has_barrier_(barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)),
      pace_(kLongestLook),
      thread_([this] { run(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Watchdog::watch(Watched& work) {
  bool is_in_time = true;  // the next check is early enough for the new work
  {
    const std::lock_guard lock(mutex_);
    const auto before = pace_;
    watched_.push_back(&work);
    set_pace();
    is_in_time = !asleep_ && pace_ >= before;
  }
  if (!is_in_time) changed_.notify_one();
}

void Watchdog::forget(Watched& work) {
  const std::lock_guard lock(mutex_);
  std::erase(watched_, &work);
  set_pace();
}

void Watchdog::run() {
  std::unique_lock lock(mutex_);
  auto until_next = pace_;
  auto looked = Clock::now();
  while (!stopping_) {
    asleep_ = watched_.empty();
    if (asleep_) {
      changed_.wait(lock);
    } else {
      changed_.wait_for(lock, std::max(until_next, kShortestLook));
    }
    const auto now = Clock::now();
    const auto lost = std::max(now - looked - kLongestPause, Clock::duration::zero());
    looked = now;
    until_next = pace_;
    for (Watched* work : watched_) {
      work->since_ += lost;
      until_next = std::min(until_next, look(*work, now));
    }
  }
}

// Work is noticed by the first check after its begin, so it is stopped late by up to
// one pace.
void Watchdog::set_pace() {
  pace_ = kLongestLook;
  for (const Watched* work : watched_) {
    pace_ = std::min(pace_, work->limit_ / kLooksPerLimit);
  }
  pace_ = std::max(pace_, kShortestLook);
}

Watchdog::Clock::duration Watchdog::look(Watched& work, Clock::time_point now) const {
  const std::uint64_t ticket = work.ticket_.load(std::memory_order_acquire);
  if (ticket % 2 == 0) return kLongestLook;
  if (ticket != work.seen_) {
    work.seen_ = ticket;
    work.since_ = now;
    work.repeat_ = Clock::duration::zero();
    return work.limit_;
  }
  const auto ran = now - work.since_;
  if (ran < work.limit_ && !interrupt_requested()) return work.limit_ - ran;
  if (work.grace_.count() > 0 && ran >= work.limit_ + work.grace_) hard_stop(work);
  if (now - work.signalled_ >= work.repeat_) warn(work, now);
  return kRepeat;
}

void Watchdog::warn(Watched& work, Clock::time_point now) const {
  work.late_.store(work.seen_, std::memory_order_seq_cst);
  if (has_barrier_) (void)barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  if (work.ticket_.load(std::memory_order_seq_cst) != work.seen_) return;
  work.signalled_ = now;
  work.repeat_ = std::max<Clock::duration>(kRepeat, 2 * work.repeat_);
  pthread_kill(work.thread_.load(std::memory_order_relaxed), signal_);
}

void Watchdog::hard_stop(const Watched& work) {
  const std::string text = fmt::format(
      "{}: time limit: a library call does not come back (work {}); the process ends\n",
      work.text_, work.number_.load(std::memory_order_relaxed));
  [[maybe_unused]] auto written = write(STDERR_FILENO, text.data(), text.size());
  remove_leftovers();
  const auto last = last_words();
  written = write(STDERR_FILENO, last.data(), last.size());
  _exit(kHardStop);
}

void Watchdog::admit_signal() const {
  sigset_t ours;
  sigemptyset(&ours);
  sigaddset(&ours, signal_);
  pthread_sigmask(SIG_UNBLOCK, &ours, nullptr);
}

std::shared_ptr<Watchdog> shared_watchdog() {
  static std::mutex mutex;
  static std::weak_ptr<Watchdog> present;
  const std::lock_guard lock(mutex);
  auto watchdog = present.lock();
  if (watchdog == nullptr) present = watchdog = std::make_shared<Watchdog>();
  return watchdog;
}

}  // namespace berth::bindings
