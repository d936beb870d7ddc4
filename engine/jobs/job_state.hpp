#pragma once
// States of a job: future, waiting, running <-> suspended, finished; or rejected, or
// failed (killed at its walltime if machine.overrun is kill, or with its host).  A job
// that loses its host waits again, at once or after it was returning for a time.

#include <cstdint>
#include <string_view>

namespace berth {

enum class JobState : std::uint8_t {
  kFuture,
  kWaiting,
  kRunning,
  kSuspended,
  kFinished,
  kRejected,
  kFailed,
  kReturning,
};

// "waiting", "running", ... as in policies and messages.
[[nodiscard]] std::string_view name(JobState state);

// Whether a job in this state is in the queue.
[[nodiscard]] constexpr bool queues(JobState state) {
  return state == JobState::kWaiting || state == JobState::kSuspended;
}

}  // namespace berth
