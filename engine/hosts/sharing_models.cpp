#include "engine/hosts/sharing_models.hpp"

#include <algorithm>
#include <array>

#include "engine/hosts/exclusive.hpp"

namespace berth {

namespace {

constexpr std::array kModels{
    SharingModelRecord{
        "exclusive", "every processor serves one job at a time, at full speed",
        Pick::kLowest,
        [](std::int32_t processors, Pick pick) -> std::unique_ptr<SharingModel> {
          return std::make_unique<Exclusive>(processors, pick);
        }},
};

}  // namespace

std::span<const SharingModelRecord> sharing_models() { return kModels; }

const SharingModelRecord* find_sharing_model(std::string_view name) {
  const auto* at = std::find_if(kModels.begin(), kModels.end(),
                                [&](const auto& model) { return model.name == name; });
  return at == kModels.end() ? nullptr : at;
}

}  // namespace berth
