#pragma once
// The records of the models, each in a file of its own; for sharing_models.cpp alone.

#include "engine/models/model_record.hpp"

namespace berth {

[[nodiscard]] ModelRecord exclusive_record();
[[nodiscard]] ModelRecord fractional_record();
[[nodiscard]] ModelRecord slots_record();
[[nodiscard]] ModelRecord two_tier_record();

}  // namespace berth
