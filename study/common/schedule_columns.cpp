#include "study/common/schedule_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/machines/sharing_models.hpp"

namespace berth::study {

namespace {

// By ScheduleColumn.
std::vector<TableColumn> of_every_schedule() {
  return {{"job_id", false, {"job", "id"}},
          {"starting_time", false, {"start", "start_time", "from"}},
          {"finish_time", false, {"end", "end_time", "to"}},
          {"submission_time", false, {"submit", "submit_time"}},
          {"requested_number_of_resources", false, {"size", "processors"}},
          {"allocated_resources", false, {"resources"}},
          {"requested_time", false, {"walltime"}},
          {"final_state", false, {"state"}},
          {"success", false},
          {"user", false, {"user_id"}},
          {"length", false},
          {"suspensions", false},
          {"kills", false},
          {"attempts", false},
          {"lost_work", false},
          {"kind", false},
          {"tier", false},
          {"yield", false}};
}

// With those of the machines behind them.
std::vector<TableColumn> known_columns() {
  auto all = of_every_schedule();
  for (const auto& model : sharing_models()) {
    for (const auto& column : model.place_columns) all.push_back({column.name, false});
  }
  return all;
}

}  // namespace

std::string schedule_columns_text() {
  std::string text;
  for (const auto& column : known_columns()) {
    const auto others = fmt::format(" ({})", fmt::join(column.others, ", "));
    text += fmt::format("  {}{}\n", column.name, column.others.empty() ? "" : others);
  }
  return text;
}

ScheduleColumns::ScheduleColumns(std::string_view given) {
  while (!given.empty()) {
    const auto end = std::min(given.find(','), given.size());
    const auto pair = given.substr(0, end);
    given.remove_prefix(std::min(end + 1, given.size()));
    const auto sign = pair.find('=');
    if (sign == std::string_view::npos || sign == 0 || sign + 1 == pair.size()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("--columns: '{}' is not COLUMN=NAME, as in job_id=id",
                              printable(pair)));
    }
    const auto name = pair.substr(0, sign);
    std::vector<std::string_view> known;
    for (const auto& column : known_columns()) known.push_back(column.name);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("--columns: there is no column '{}'{}", printable(name),
                              did_you_mean(name, known)));
    }
    const auto [at, is_new] = given_.try_emplace(std::string(name));
    if (!is_new) {
      throw Error(ErrorCode::kUsage, fmt::format("--columns: {} is there twice", name));
    }
    at->second = pair.substr(sign + 1);
  }
}

std::string_view ScheduleColumns::given(std::string_view column) const {
  const auto at = given_.find(column);
  return at == given_.end() ? std::string_view() : at->second;
}

std::vector<TableColumn> ScheduleColumns::listed(
    std::span<const audit::PlaceColumn> of_machine) const {
  auto all = of_every_schedule();
  for (const auto& column : of_machine) all.push_back({column.name, false});
  for (auto& column : all) {
    const auto own = given(column.name);
    if (!own.empty()) column = {own, false};
  }
  return all;
}

std::string ScheduleColumns::missing_text(ScheduleColumn::Index column,
                                          const std::vector<std::string>& names) const {
  const auto of_column = of_every_schedule()[column];
  const auto name = of_column.name;
  const auto own = given(name);
  const auto named =
      names.empty() ? std::string("is empty")
                    : "names " + printable(fmt::format("{}", fmt::join(names, ", ")));
  if (!own.empty()) {
    return fmt::format("column {} ({} by --columns) is missing; the first line {}",
                       printable(own), name, named);
  }
  const auto others = fmt::format(" (or {})", fmt::join(of_column.others, ", "));
  return fmt::format(
      "column {}{} is missing; the first line {}{} (--columns {}=NAME says what "
      "the column is called)",
      name, of_column.others.empty() ? "" : others, named,
      look_alike(std::array{name}, names), name);
}

}  // namespace berth::study
