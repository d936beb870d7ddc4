#pragma once
// How the use of the machine is charged to users and compared (docs/model.md#shares).

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "engine/base/time.hpp"

namespace berth {

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
  std::map<std::int32_t, double> groups;        // weights, above 0
  std::map<std::int32_t, double> class_factor;  // of the charge, at least 0
  // By name of the kind, memory for each GiB; one that is not here has 0.
  std::map<std::string, double, std::less<>> billing{};
  BillingRule billing_rule = BillingRule::kSum;
};

}  // namespace berth
