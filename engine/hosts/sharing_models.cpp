#include "engine/hosts/sharing_models.hpp"

#include <algorithm>
#include <array>

#include "engine/hosts/exclusive.hpp"
#include "engine/hosts/two_tier.hpp"

namespace berth {

namespace {

constexpr std::array kModels{
    SharingModelRecord{
        "exclusive", "every processor serves one job at a time, at full speed",
        Pick::kLowest, 0, false,
        [](const ModelSettings& settings) -> std::unique_ptr<SharingModel> {
          return std::make_unique<Exclusive>(settings.processors, settings.pick);
        },
        nullptr},
    SharingModelRecord{
        "two_tier",
        "every processor has a foreground slot, and a background slot that lives on "
        "what the other leaves",
        Pick::kHighest, seconds(20), true,
        [](const ModelSettings& settings) -> std::unique_ptr<SharingModel> {
          return std::make_unique<TwoTier>(settings.processors, settings.pick,
                                           settings.two_tier);
        },
        [] { return own_settings(TwoTierSettings{}, two_tier_setting_records()); }},
};

}  // namespace

std::span<const SharingModelRecord> sharing_models() { return kModels; }

const SharingModelRecord* find_sharing_model(std::string_view name) {
  const auto* at = std::find_if(kModels.begin(), kModels.end(),
                                [&](const auto& model) { return model.name == name; });
  return at == kModels.end() ? nullptr : at;
}

}  // namespace berth
