#pragma once
// The sharing models there are: one record each.  Scenario files can use a name as soon
// as its record exists.

#include <memory>
#include <span>
#include <string_view>

#include "engine/hosts/sharing_model.hpp"

namespace berth {

struct SharingModelRecord {
  std::string_view name;
  std::string_view help;
  Pick default_pick;
  std::unique_ptr<SharingModel> (*make)(std::int32_t processors, Pick pick);
};

[[nodiscard]] std::span<const SharingModelRecord> sharing_models();

// nullptr if there is no model of this name.
[[nodiscard]] const SharingModelRecord* find_sharing_model(std::string_view name);

}  // namespace berth
