// The machines, in the order in which they are shown.

#include <array>

#include "engine/hosts/sharing_model.hpp"
#include "engine/machines/drawn_places.hpp"
#include "engine/machines/sharing_models.hpp"

namespace berth {

ModelRecord exclusive_record();
ModelRecord two_tier_record();
ModelRecord fractional_record();
ModelRecord network_record();
ModelRecord devices_record();
DrawnColumn drawn_devices();

std::span<const ModelRecord> sharing_models() {
  static const std::array kRecords{exclusive_record(), two_tier_record(),
                                   fractional_record(), network_record(),
                                   devices_record()};
  return kRecords;
}

std::span<const DrawnColumn> drawn_columns() {
  static const std::array kColumns{drawn_devices()};
  return kColumns;
}

}  // namespace berth
