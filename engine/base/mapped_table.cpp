#include "engine/base/mapped_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"

namespace berth {

namespace {

std::size_t field_named(const std::vector<MappedTable::Field>& fields,
                        const FieldFormulas& formulas, const std::string& name) {
  std::vector<std::string_view> known;
  known.reserve(fields.size());
  for (const auto& each : fields) known.push_back(each.first);
  const auto at = std::find(known.begin(), known.end(), name);
  if (at != known.end()) return static_cast<std::size_t>(at - known.begin());
  throw Error(ErrorCode::kInput,
              fmt::format("{}.{}: there is no such field{}", formulas.key,
                          printable(name), did_you_mean(name, known)));
}

}  // namespace

MappedTable::MappedTable(std::string file, CsvReader::NextLine next_line,
                         const std::vector<Field>& fields,
                         const FieldFormulas& formulas, std::string_view unknown)
    : columns_(read(fields, formulas)),
      table_(std::move(file), std::move(next_line), number(fields, formulas), unknown) {
}

std::vector<MappedTable::FieldColumn> MappedTable::read(
    const std::vector<Field>& fields, const FieldFormulas& formulas) {
  std::vector<FieldColumn> all;
  all.reserve(fields.size());
  for (const auto& each : fields) all.push_back({{each.first}});
  for (const auto& [name, text] : formulas.texts) {
    auto& formula = all[field_named(fields, formulas, name)].formula;
    try {
      formula = formula_from(text);
    } catch (const Error& error) {
      throw Error(ErrorCode::kInput, fmt::format("{}.{}: {}", formulas.key,
                                                 printable(name), error.what()));
    }
  }
  return all;
}

// The columns that the fields rest on, each once.
std::vector<TableColumn> MappedTable::number(const std::vector<Field>& fields,
                                             const FieldFormulas& formulas) {
  std::vector<TableColumn> all;
  const auto place = [&all](const std::string& name, bool is_needed) {
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const auto& each) { return each.name == name; });
    const auto found = static_cast<std::size_t>(at - all.begin());
    if (at == all.end()) all.push_back({name, is_needed});
    all[found].is_needed |= is_needed;
    return found;
  };
  for (std::size_t i = 0; i < fields.size(); ++i) {
    auto& each = columns_[i];
    const bool is_named = formulas.texts.contains(fields[i].first);
    each.column = place(each.formula.column, is_named || fields[i].second);
    for (const auto* second : {&each.formula.minus, &each.formula.product}) {
      if (!second->empty()) each.second = place(*second, true);
    }
  }
  return all;
}

double MappedTable::real(std::size_t field) const {
  const auto& [formula, column, second] = columns_[field];
  auto value = table_.real(column);
  if (!formula.minus.empty()) value -= table_.real(second);
  if (!formula.product.empty()) value *= table_.real(second);
  return formula.of(value);
}

std::int64_t MappedTable::whole(std::size_t field, std::int64_t least,
                                std::int64_t most) const {
  const auto& [formula, column, second] = columns_[field];
  if (formula.is_column()) return table_.whole(column, least, most);
  const auto value = real(field);
  const bool is_right = value == std::floor(value) &&
                        value >= static_cast<double>(least) &&
                        value <= static_cast<double>(most);
  if (is_right) return static_cast<std::int64_t>(value);
  wrong(field,
        fmt::format("{} is not a whole number from {} to {}", value, least, most));
}

Time MappedTable::time(std::size_t field) const {
  const auto& [formula, column, second] = columns_[field];
  if (formula.is_column()) return table_.time(column);
  const auto value = real(field);
  const auto ticks = ticks_from_seconds(value);
  if (ticks) return *ticks;
  wrong(field, fmt::format("{} is not a time", value));
}

}  // namespace berth
