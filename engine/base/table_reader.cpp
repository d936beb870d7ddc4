#include "engine/base/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"

namespace berth {

TableReader::TableReader(std::string name, CsvReader::NextLine next_line,
                         const std::vector<TableColumn>& columns,
                         std::string_view unknown)
    : name_(std::move(name)),
      rows_(name_, std::move(next_line)),
      fields_(rows_.next().value_or(std::span<const CsvField>())) {
  names_.reserve(fields_.size());
  for (const auto& field : fields_) names_.emplace_back(field.text);
  for (const auto& column : columns) fields_of_.push_back(find(column));
  add_others(columns, unknown);
  require(columns);
}

std::size_t TableReader::find(const TableColumn& column) const {
  std::vector names{column.name};
  names.insert(names.end(), column.others.begin(), column.others.end());
  for (const auto name : names) {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) continue;
    const auto again = std::find(std::next(at), names_.end(), name);
    if (again == names_.end()) return static_cast<std::size_t>(at - names_.begin());
    const auto field = static_cast<std::size_t>(again - names_.begin());
    wrong({line(), fields_[field].column},
          fmt::format("the column {} stands here twice", printable(name)));
  }
  return kNoField;
}

void TableReader::add_others(const std::vector<TableColumn>& columns,
                             std::string_view unknown) {
  std::vector<std::string_view> known;
  known.reserve(columns.size());
  for (const auto& column : columns) known.push_back(column.name);
  const auto listed = fields_of_;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (std::find(listed.begin(), listed.end(), i) != listed.end()) continue;
    fields_of_.push_back(i);
    if (unknown.empty()) continue;
    wrong(place(fields_of_.size() - 1),
          fmt::format("{} '{}'{}", unknown, printable(names_[i]),
                      did_you_mean(names_[i], known)));
  }
}

void TableReader::require(const std::vector<TableColumn>& columns) const {
  std::vector<std::string_view> needed;
  std::string_view missing;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].is_needed) continue;
    needed.push_back(columns[i].name);
    if (!has(i) && missing.empty()) missing = columns[i].name;
  }
  if (missing.empty()) return;
  wrong({line(), 1},
        fmt::format("column {} is missing; the first line must name {}{}", missing,
                    fmt::join(needed, ", "), look_alike(needed, names_)));
}

bool TableReader::next() {
  const auto row = rows_.next();
  if (!row) return false;
  fields_ = *row;
  if (fields_.size() == names_.size()) return true;
  wrong({line(), 1},
        fmt::format("{} fields where {} are needed", fields_.size(), names_.size()));
}

std::int64_t TableReader::whole(std::size_t column, std::int64_t least,
                                std::int64_t most) const {
  const auto number = parse_whole(text(column));
  if (number.fault == NumberFault::kNone && number.value >= least &&
      number.value <= most) {
    return number.value;
  }
  const bool has_range = least != kLeast || most != kMost;
  wrong(column,
        fmt::format("'{}' is not a whole number{}", printable(text(column)),
                    has_range ? fmt::format(" from {} to {}", least, most) : ""));
}

double TableReader::real(std::size_t column) const {
  const auto number = parse_real(text(column));
  if (number.fault == NumberFault::kNone) return number.value;
  wrong(column, fmt::format("'{}' is not a number", printable(text(column))));
}

Time TableReader::time(std::size_t column) const {
  const auto seconds = parse_seconds(text(column));
  if (seconds.fault == NumberFault::kNone) return seconds.value;
  wrong(column, fmt::format("'{}' is not a time", printable(text(column))));
}

void TableReader::wrong(std::size_t column, std::string_view what) const {
  wrong(place(column), fmt::format("{}: {}", printable(name(column)), what));
}

void TableReader::wrong(const TablePlace& at, std::string_view what) const {
  throw Error(ErrorCode::kInput, fmt::format("{}:{}:{}: {}", printable_name(name_),
                                             at.line, at.column, what));
}

}  // namespace berth
