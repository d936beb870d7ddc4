#include "engine/output/placement_text.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/base/csv_text.hpp"
#include "engine/output/number_text.hpp"

namespace berth {

std::string placement_text(const Placement* placement) {
  return placement == nullptr ? std::string() : placement->text();
}

void PlacementFields::text(std::string_view name, std::string_view value) {
  fields_.push_back({name, csv_text(value)});
}

void PlacementFields::number(std::string_view name, double value) {
  fields_.push_back({name, ratio_text(value)});
}

void PlacementFields::whole(std::string_view name, std::int64_t value) {
  fields_.push_back({name, fmt::format("{}", value)});
}

void PlacementFields::texts(std::string_view name,
                            std::span<const std::string_view> values) {
  fields_.push_back({name, csv_text(fmt::format("{}", fmt::join(values, " ")))});
}

void PlacementFields::numbers(std::string_view name, std::span<const double> values) {
  std::string text;
  for (const double value : values) {
    text += (text.empty() ? "" : " ") + ratio_text(value);
  }
  fields_.push_back({name, std::move(text)});
}

std::string_view PlacementFields::of(std::string_view name) const {
  for (const auto& field : fields_) {
    if (field.name == name) return field.text;
  }
  return {};
}

std::string mbits_text(std::int64_t kbits) {
  return ratio_text(static_cast<double>(kbits) / 1000.0);
}

}  // namespace berth
