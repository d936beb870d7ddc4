#include "engine/output/placement_text.hpp"

namespace berth {

std::string placement_text(const Placement* placement) {
  if (placement == nullptr) return {};
  return processors_of(*placement).text();
}

}  // namespace berth
