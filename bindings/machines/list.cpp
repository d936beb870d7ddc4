// What machines add to the policy API, in the order of the reference.

#include <algorithm>
#include <array>

#include "bindings/machine_calls.hpp"

namespace berth::bindings {

MachineCalls two_tier_calls();
MachineCalls network_calls();
MachineCalls fractional_calls();
MachineCalls devices_calls();

std::span<const MachineCalls> machine_calls() {
  static const std::array kCalls{two_tier_calls(), network_calls(), fractional_calls(),
                                 devices_calls()};
  return kCalls;
}

}  // namespace berth::bindings
