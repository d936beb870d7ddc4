#include "engine/jobs/job_state.hpp"

namespace berth {

std::string_view name(JobState state) {
  switch (state) {
    case JobState::kFuture: return "future";
    case JobState::kWaiting: return "waiting";
    case JobState::kRunning: return "running";
    case JobState::kSuspended: return "suspended";
    case JobState::kFinished: return "finished";
    case JobState::kRejected: return "rejected";
    case JobState::kFailed: return "failed";
    case JobState::kReturning: return "returning";
  }
  return "unknown";
}

}  // namespace berth
