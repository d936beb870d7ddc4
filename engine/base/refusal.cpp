#include "engine/base/refusal.hpp"

namespace berth {

std::string_view name(Refusal refusal) {
  switch (refusal) {
    case Refusal::kBusy: return "busy";
    case Refusal::kHeld: return "held";
    case Refusal::kTooBig: return "too_big";
    case Refusal::kForegroundBusy: return "foreground_busy";
    case Refusal::kNoRoom: return "no_room";
    case Refusal::kNoEmbedding: return "no_embedding";
    case Refusal::kNoPacking: return "no_packing";
    case Refusal::kOverBudget: return "over_budget";
  }
  return "unknown";
}

}  // namespace berth
