#include "engine/metrics/held.hpp"

#include <variant>

namespace berth {

namespace {

std::int64_t processors(const IntervalSet& set) { return set.count(); }

}  // namespace

std::int64_t held_processors(const Placement& placement) {
  return std::visit([](const auto& form) { return processors(form); }, placement);
}

}  // namespace berth
