#pragma once
// The wish to stop: one for the process.  A signal records it; every loop that may take
// long, and every wait, looks.

namespace berth {

// Thrown where work ends because of the wish.
struct Interrupted {};

// Safe in a signal handler.
void request_interrupt() noexcept;
// Forgets the wish, for a process that runs more than one study.
void clear_interrupt() noexcept;

// O(1), one relaxed load; any thread.
[[nodiscard]] bool interrupt_requested() noexcept;
// Throws Interrupted if it is requested.
void throw_if_interrupted();

}  // namespace berth
