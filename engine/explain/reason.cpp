#include "engine/explain/reason.hpp"

#include <array>

#include "engine/jobs/limits.hpp"

namespace berth {

std::span<const Why> common_reasons() {
  static constexpr std::array kReasons{
      Why::kBegin,           Why::kDependency,
      Why::kDependencyNever, Why(kArrayJobsWhy),
      Why(kUserJobsWhy),     Why(kUserProcessorsWhy),
      Why(kGroupJobsWhy),    Why(kGroupProcessorsWhy),
      Why(kAccountJobsWhy),  Why(kAccountProcessorsWhy),
      Why(kQueueJobsWhy),    Why(kQueueProcessorsWhy),
      Why(kLimitWaitingWhy), Why(kBorrowingWhy),
      Why(kLimitAheadWhy),   Why::kSuspended,
      Why::kNoRoom,          Why::kTooBig,
      Why::kWouldDelay,      Why::kLaterReservation,
      Why::kRefused,         Why::kDeclined,
      Why::kDepth,           Why::kOrder,
      Why::kNotAsked};
  return kReasons;
}

}  // namespace berth
