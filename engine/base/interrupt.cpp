#include "engine/base/interrupt.hpp"

#include <atomic>

namespace berth {

namespace {

// Signals belong to the process, so no object can own this.
std::atomic<bool> requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

void request_interrupt() noexcept { requested.store(true, std::memory_order_relaxed); }

void clear_interrupt() noexcept { requested.store(false, std::memory_order_relaxed); }

bool interrupt_requested() noexcept {
  return requested.load(std::memory_order_relaxed);
}

void throw_if_interrupted() {
  if (interrupt_requested()) throw Interrupted{};
}

}  // namespace berth
