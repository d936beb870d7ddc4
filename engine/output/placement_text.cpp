#include "engine/output/placement_text.hpp"

#include <variant>

namespace berth {

namespace {

std::string text(const IntervalSet& set) { return set.text(); }

}  // namespace

std::string placement_text(const Placement* placement) {
  if (placement == nullptr) return {};
  return std::visit([](const auto& form) { return text(form); }, *placement);
}

}  // namespace berth
