// The machines, in the order in which they are shown.

#include <array>

#include "engine/hosts/sharing_model.hpp"
#include "engine/machines/sharing_models.hpp"

namespace berth {

ModelRecord exclusive_record();
ModelRecord two_tier_record();
ModelRecord fractional_record();
ModelRecord network_record();
ModelRecord devices_record();

std::span<const ModelRecord> sharing_models() {
  static const std::array kRecords{exclusive_record(), two_tier_record(),
                                   fractional_record(), network_record(),
                                   devices_record()};
  return kRecords;
}

}  // namespace berth
