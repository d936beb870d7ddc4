#pragma once
// How the records of a log become jobs, where they leave it open.

#include <cstdint>
#include <optional>

namespace berth {

enum class SubmitTime : std::uint8_t { kSubmit, kEligible };
enum class Requeue : std::uint8_t { kLast, kEach };
enum class Heterogeneous : std::uint8_t { kWhole, kParts };
enum class StillRunning : std::uint8_t { kLeaveOut, kElapsed };
enum class Timeouts : std::uint8_t { kAsRecorded, kAtLimit };
enum class SizeUnit : std::uint8_t { kProcessors, kNodes };

struct LogRules {
  friend bool operator==(const LogRules&, const LogRules&) = default;

  SubmitTime submit_time = SubmitTime::kSubmit;
  Requeue requeue = Requeue::kLast;
  Heterogeneous heterogeneous = Heterogeneous::kWhole;
  StillRunning running = StillRunning::kLeaveOut;
  Timeouts timeouts = Timeouts::kAsRecorded;
  SizeUnit size_unit = SizeUnit::kProcessors;
  std::optional<std::int64_t> origin{};  // Unix time of time 0; open: the first submit
};

}  // namespace berth
