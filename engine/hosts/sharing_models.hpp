#pragma once
// The sharing models there are: one record each.  Scenario files can use a name as soon
// as its record exists.

#include <memory>
#include <span>
#include <string_view>

#include "engine/base/setting.hpp"
#include "engine/base/time.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/hosts/two_tier_settings.hpp"

namespace berth {

// What models are made from; each takes what concerns it.
struct ModelSettings {
  std::int32_t processors;
  Pick pick;
  TwoTierSettings two_tier;
};

struct SharingModelRecord {
  std::string_view name;
  std::string_view help;
  Pick default_pick;
  Duration default_migration_cost;
  bool preempts;  // running jobs may be suspended without being asked for it
  std::unique_ptr<SharingModel> (*make)(const ModelSettings& settings);
  OwnSettings (*settings)();  // its scenario keys; null: it has none
};

[[nodiscard]] std::span<const SharingModelRecord> sharing_models();

// nullptr if there is no model of this name.
[[nodiscard]] const SharingModelRecord* find_sharing_model(std::string_view name);

}  // namespace berth
