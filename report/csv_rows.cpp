#include "report/csv_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/csv_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/workload/swf_number.hpp"

namespace berth::report {

CsvRows::CsvRows(ByteSource& source, const std::string& name, Budget& budget)
    : lines_(source, name, budget),
      rows_(name, [this] { return lines_.next(); }),
      name_(name) {
  fields_ = rows_.next().value_or(std::span<const CsvField>());
  names_.reserve(fields_.size());
  // Bounded: the fields of a line, for which its reader charges.
  for (const auto& field : fields_) names_.emplace_back(field.text);
}

std::size_t CsvRows::find(std::string_view name) const {
  const auto at = std::find(names_.begin(), names_.end(), name);
  return at == names_.end() ? kNone : static_cast<std::size_t>(at - names_.begin());
}

void CsvRows::need(const std::vector<std::string_view>& needed) const {
  // Bounded: the columns that a kind of file has.
  for (const auto name : needed) {
    if (find(name) != kNone) continue;
    fail(0, fmt::format("column {} is missing; the first line must name {}{}", name,
                        fmt::join(needed, ", "), look_alike({{name}}, names_)));
  }
}

std::size_t CsvRows::find(const study::ScheduleColumns& columns,
                          study::ScheduleColumn column) const {
  return columns.find(column, names_).value_or(kNone);
}

void CsvRows::need(const study::ScheduleColumns& columns,
                   study::ScheduleColumn column) const {
  if (find(columns, column) == kNone) fail(0, columns.missing_text(column, names_));
}

bool CsvRows::next() {
  const auto row = rows_.next();
  if (!row) return false;
  fields_ = *row;
  if (fields_.size() != names_.size()) {
    fail(0,
         fmt::format("{} fields where {} are needed", fields_.size(), names_.size()));
  }
  return true;
}

std::int64_t CsvRows::whole(std::size_t column, std::int64_t least,
                            std::int64_t most) const {
  const auto number = parse_whole(text(column));
  if (number.fault == NumberFault::kNone && number.value >= least &&
      number.value <= most) {
    return number.value;
  }
  complain(column, fmt::format("'{}' is not a whole number from {} to {}",
                               printable(text(column)), least, most));
}

Time CsvRows::time(std::size_t column) const {
  const auto seconds = parse_seconds(text(column));
  if (seconds.fault == NumberFault::kNone) return seconds.value;
  complain(column, fmt::format("'{}' is not a time", printable(text(column))));
}

void CsvRows::places(std::size_t column, PlaceForm form,
                     std::optional<std::int32_t> below,
                     std::vector<Interval>& to) const {
  const auto before = static_cast<std::ptrdiff_t>(to.size());
  const auto wrong = read_places(text(column), form, below, to);
  if (!wrong.empty()) complain(column, wrong);
  to.erase(std::unique(to.begin() + before, to.end()), to.end());
}

void CsvRows::complain(std::size_t column, std::string_view what) const {
  fail(fields_[column].column, fmt::format("{}: {}", names_[column], what));
}

void CsvRows::fail(std::size_t column, const std::string& what) const {
  const auto at = column == 0 ? std::string() : fmt::format("{}:", column);
  throw Error(ErrorCode::kInput, fmt::format("{}:{}:{} {}", printable_name(name_),
                                             rows_.line(), at, what));
}

}  // namespace berth::report
