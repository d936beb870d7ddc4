#pragma once
// What machines shared by fractions add to the members of other objects.

#include "engine/machines/fractional/fractions.hpp"

namespace berth::bindings {

[[nodiscard]] inline bool has_fractions(const SharingModel& model) {
  return capability<Fractions>(model) != nullptr;
}

}  // namespace berth::bindings
