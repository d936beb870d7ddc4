#pragma once
// Where a job sat, and what only one machine tells of it, as result files write it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/field_writer.hpp"
#include "engine/base/placement.hpp"

namespace berth {

// Processors from 0, as "0-3 8", or what the machine shows instead, as the host of each
// task; empty for nullptr.
[[nodiscard]] std::string placement_text(const Placement* placement);

// Columns of a CSV line; several values of one column stand side by side.
class CsvFields : public FieldWriter {
 public:
  void text(std::string_view name, std::string_view value) override;
  void number(std::string_view name, double value) override;
  void whole(std::string_view name, std::int64_t value) override;
  void texts(std::string_view name, std::span<const std::string_view> values) override;
  void numbers(std::string_view name, std::span<const double> values) override;
  // Of this column; empty if it was not told.
  [[nodiscard]] std::string_view of(std::string_view name) const;

 private:
  struct Field {
    std::string_view name;
    std::string text;
  };
  std::vector<Field> fields_;
};

}  // namespace berth
