#pragma once
// The life of a job: future, waiting, running <-> suspended, finished; or rejected, or
// failed (killed at its walltime where the machine kills).

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
};

// "waiting", "running", ... as policies and messages write it.
[[nodiscard]] std::string_view name(JobState state);

// Whether it is a member of the queue.
[[nodiscard]] constexpr bool queues(JobState state) {
  return state == JobState::kWaiting || state == JobState::kSuspended;
}

}  // namespace berth
