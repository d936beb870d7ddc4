#include "engine/explain/reason.hpp"

#include <array>

namespace berth {

std::span<const Why> common_reasons() {
  static constexpr std::array kReasons{Why::kSuspended,
                                       Why::kNoRoom,
                                       Why::kTooBig,
                                       Why::kWouldDelay,
                                       Why::kLaterReservation,
                                       Why::kRefused,
                                       Why::kDeclined,
                                       Why::kDepth,
                                       Why::kOrder,
                                       Why::kNotAsked};
  return kReasons;
}

}  // namespace berth
