#pragma once
// Why an action was not possible now: an expected answer, never an error.

#include <cstdint>
#include <string_view>

namespace berth {

enum class Refusal : std::uint8_t {
  kBusy,            // too few processors are idle; may succeed later
  kHeld,            // not admitted by the plan it was started under
  kTooBig,          // can never succeed on this machine
  kForegroundBusy,  // a foreground slot of its processors is occupied
  kNoRoom,          // too few usable background slots
  kNoEmbedding,     // the network has no room for it now
  kNoPacking,       // the hosts have no room for it now
  kOverBudget,      // would move more memory than the budget allows
};

// The word a policy sees: "busy", "held", "too_big", ...
[[nodiscard]] std::string_view name(Refusal refusal);

}  // namespace berth
