#pragma once
// The rules of the audit, by code and name (docs/model.md#c1 and following).
//
// A law may judge rules of its own: a rule is a code and a name, and nothing else has
// to know it.

#include <string_view>

namespace berth::audit {

struct Rule {
  std::string_view code;  // "R1"; its anchor in docs/model.md is in lower case
  std::string_view name;  // "head promise"
  friend constexpr bool operator==(const Rule&, const Rule&) = default;
};

inline constexpr Rule kCapacity{"C1", "capacity"};
inline constexpr Rule kWholePlacement{"C7", "whole placement"};
inline constexpr Rule kWorkDone{"W1", "work done"};
inline constexpr Rule kWorkBalance{"W2", "work balance"};
inline constexpr Rule kTimeBalance{"W3", "time balance"};
inline constexpr Rule kRates{"W4", "rates"};
inline constexpr Rule kUtilisation{"W5", "utilisation"};
inline constexpr Rule kTimeOrder{"W6", "time order"};
inline constexpr Rule kJobStates{"W7", "job states"};
inline constexpr Rule kActionCount{"W8", "action count"};
inline constexpr Rule kUsage{"W9", "usage"};
inline constexpr Rule kHeadPromise{"R1", "head promise"};
inline constexpr Rule kKeptReservation{"R2", "kept reservation"};
inline constexpr Rule kTopFirst{"R3", "top first"};
inline constexpr Rule kInOrder{"R4", "in order"};
inline constexpr Rule kFirstIfItFits{"R5", "first if it fits"};
inline constexpr Rule kDependencies{"L1", "dependencies"};
inline constexpr Rule kHostsUp{"L2", "hosts up"};
inline constexpr Rule kWindows{"L3", "windows"};
inline constexpr Rule kLimits{"L4", "limits"};
inline constexpr Rule kAttempts{"L5", "attempts"};
inline constexpr Rule kEstimates{"L6", "estimates"};
inline constexpr Rule kPassesLeftOut{"P1", "passes left out"};
inline constexpr Rule kConstantKey{"P2", "constant key"};

}  // namespace berth::audit
