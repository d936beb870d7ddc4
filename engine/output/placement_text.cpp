#include "engine/output/placement_text.hpp"

namespace berth {

std::string placement_text(const Placement* placement) {
  if (placement == nullptr) return {};
  if (const auto* known = std::get_if<IntervalSet>(placement)) return known->text();
  return processors_of(*placement).text();
}

}  // namespace berth
