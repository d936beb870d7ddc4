// In place of engine/machines/list.cpp and bindings/machines/list.cpp: the machines of
// a page.  All of them would make its engine larger by a third.

#include <array>

#include "bindings/machine_calls.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/machines/drawn_places.hpp"
#include "engine/machines/sharing_models.hpp"

namespace berth {

ModelRecord exclusive_record();
ModelRecord network_record();

std::span<const ModelRecord> sharing_models() {
  static const std::array kRecords{exclusive_record(), network_record()};
  return kRecords;
}

std::span<const DrawnColumn> drawn_columns() { return {}; }

namespace bindings {

MachineCalls network_calls();

std::span<const MachineCalls> machine_calls() {
  static const std::array kCalls{network_calls()};
  return kCalls;
}

}  // namespace bindings

}  // namespace berth
