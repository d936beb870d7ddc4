#pragma once
// How the use of the machine is charged to users and compared (docs/model.md#shares).

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "engine/base/time.hpp"

namespace berth {

// Usage below this many processor seconds is none (docs/model.md#usage).  It is far
// enough from the least double that ratios of usages and weights do not vanish.
inline constexpr double kLeastUsage = 0x1p-1000;

// Smaller: served earlier, under ShareRule::kRatio; above 0 for every usage above 0.
// The scale is a power of two, so that it changes no comparison, and keeps the digits
// of the least usage by the largest weight.
[[nodiscard]] constexpr double usage_by_weight(double usage, double weight) {
  return usage * 0x1p16 / weight;
}

// What a job is charged for each second that it holds the machine.
//   processors  as many as it has
//   dominant    its largest part of the capacity of any kind, times all processors
//   billing     its needs by weight, summed or the largest of them
enum class Charge : std::uint8_t { kProcessors, kDominant, kBilling };

enum class BillingRule : std::uint8_t { kSum, kMax };

// How users are compared: usage by weight, or two levels, group over user.
enum class ShareRule : std::uint8_t { kRatio, kFairTree };

struct ShareSettings {
  Duration half_life = seconds(604'800);  // 0: usage never decays
  Charge charge = Charge::kProcessors;
  ShareRule rule = ShareRule::kRatio;
  Duration period = 0;  // usage is that of the last multiple of it; 0: of now
  // By number as in the trace; one that is not here has 1.
  std::map<std::int32_t, double> users;         // weights, above 0
  std::map<std::int32_t, double> groups;        // weights, likewise
  std::map<std::int32_t, double> class_factor;  // of the charge, at least 0
  // By name of the kind, memory for each GiB; one that is not here has 0.
  std::map<std::string, double, std::less<>> billing{};
  BillingRule billing_rule = BillingRule::kSum;
};

}  // namespace berth
