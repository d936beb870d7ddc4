#include "engine/output/csv_fields.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/base/csv_text.hpp"
#include "engine/output/number_text.hpp"

namespace berth {

std::string placement_text(const Placement* placement) {
  return placement == nullptr ? std::string() : placement->text();
}

void CsvFields::text(std::string_view name, std::string_view value) {
  fields_.push_back({name, csv_text(value)});
}

void CsvFields::number(std::string_view name, double value) {
  fields_.push_back({name, ratio_text(value)});
}

void CsvFields::whole(std::string_view name, std::int64_t value) {
  fields_.push_back({name, fmt::format("{}", value)});
}

void CsvFields::texts(std::string_view name, std::span<const std::string_view> values) {
  fields_.push_back({name, csv_text(fmt::format("{}", fmt::join(values, " ")))});
}

void CsvFields::numbers(std::string_view name, std::span<const double> values) {
  std::string text;
  for (const double value : values) {
    text += (text.empty() ? "" : " ") + ratio_text(value);
  }
  fields_.push_back({name, std::move(text)});
}

std::string_view CsvFields::of(std::string_view name) const {
  for (const auto& field : fields_) {
    if (field.name == name) return field.text;
  }
  return {};
}

}  // namespace berth
