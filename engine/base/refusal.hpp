#pragma once
// Why a request was not granted now: an expected answer, never an error.

#include <cstdint>
#include <string_view>

namespace berth {

enum class Refusal : std::uint8_t {
  kBusy,            // not enough is free now; may succeed later
  kHeld,            // would break the plan it was started under
  kTooBig,          // can never succeed on this machine
  kForegroundBusy,  // a foreground slot it needs is taken
  kNoRoom,          // no slot left for it
  kNoEmbedding,     // the network cannot carry it now
  kNoPacking,       // the hosts cannot hold it now
  kOverBudget,      // would move more memory than allowed
};

// The word a policy sees: "busy", "held", "too_big", ...
[[nodiscard]] std::string_view name(Refusal refusal);

}  // namespace berth
