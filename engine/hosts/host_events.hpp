#pragma once
// When hosts of a machine go down and come back, and what becomes of the jobs on them
// (docs/model.md#host-events).  In a pool each processor is a host of its own.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "engine/base/checkpoint_rule.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/base/time.hpp"

namespace berth {

struct DrawnFailures;
struct MachineWindow;

struct HostEvent {
  // In the order of events at one instant.  No job starts on a host that drains, and
  // those that run there run on.
  enum class Kind : std::uint8_t { kUp, kDrain, kDown };

  Time at;
  Kind kind;
  std::int32_t host;
  Time until;  // when a host that goes down or drains is expected back; else `at`
  friend bool operator==(const HostEvent&, const HostEvent&) = default;
  friend bool operator<(const HostEvent& a, const HostEvent& b) {
    return std::tuple(a.at, a.kind, a.host) < std::tuple(b.at, b.kind, b.host);
  }
};

// What becomes of a job whose host goes down: it begins anew, it fails, or it goes on
// from its last checkpoint.
enum class OnFailure : std::uint8_t { kRequeue, kKill, kResume };

// Where such a job stands in the queue: by its submit, or by its return.
enum class RequeuePlace : std::uint8_t { kKeep, kLose };

struct HostLife {
  // Sorted; each host that is up may drain or go down, one that drains go down, and
  // both come back.  Null: none are listed.
  std::shared_ptr<const std::vector<HostEvent>> events{};
  // Null: none are drawn.  Of the two one at most is given.
  std::shared_ptr<const DrawnFailures> failures{};
  // Null: there are none.  Those that share a user or a host do not overlap, and in a
  // pool all together never have more processors than the machine.
  std::shared_ptr<const std::vector<MachineWindow>> windows{};
  OnFailure on_failure = OnFailure::kRequeue;
  CheckpointRule checkpoints{};  // where jobs resume
  RequeuePlace requeue_place = RequeuePlace::kKeep;
  Duration requeue_delay = 0;       // after that the job is in the queue again
  std::int64_t max_attempts = 100;  // after so many the job fails
  Duration expected_repair = 3'600 * kSecond;  // where a row does not say

  // Whether hosts may go down.
  [[nodiscard]] bool has_failures() const {
    return events != nullptr || failures != nullptr;
  }
  // Whether a host may drain.  O(events).
  [[nodiscard]] bool has_drains() const {
    return events != nullptr &&
           std::any_of(events->begin(), events->end(), [](const HostEvent& event) {
             return event.kind == HostEvent::Kind::kDrain;
           });
  }
  [[nodiscard]] bool has_checkpoints() const {
    return on_failure == OnFailure::kResume;
  }
  // Whether anything happens to the machine itself, or jobs write checkpoints.
  [[nodiscard]] bool has_events() const {
    return has_failures() || windows != nullptr || has_checkpoints();
  }
};

}  // namespace berth
