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

constexpr std::size_t kMostNames = 4;

// The first name of each column is its own, further ones mean the same; unused ones are
// empty.
constexpr std::array<std::array<std::string_view, kMostNames>,
                     static_cast<std::size_t>(ScheduleColumn::kCount)>
    kNames{{
        {"job_id", "job", "id"},
        {"starting_time", "start", "start_time", "from"},
        {"finish_time", "end", "end_time", "to"},
        {"submission_time", "submit", "submit_time"},
        {"requested_number_of_resources", "size", "processors"},
        {"allocated_resources", "resources"},
        {"requested_time", "walltime"},
        {"final_state", "state"},
        {"success"},
        {"user", "user_id"},
        {"length"},
        {"suspensions"},
        {"kills"},
        {"kind"},
        {"tier"},
        {"yield"},
    }};

const auto& names_of(ScheduleColumn column) {
  return kNames[static_cast<std::size_t>(column)];
}

std::string others_of(const std::array<std::string_view, kMostNames>& names) {
  std::string text;
  for (std::size_t i = 1; i < names.size() && !names[i].empty(); ++i) {
    text += (i == 1 ? "" : ", ") + std::string(names[i]);
  }
  return text;
}

// First names of all columns: those of every schedule, then those of the machines.
std::vector<std::string_view> first_names() {
  std::vector<std::string_view> all;
  all.reserve(kNames.size());
  for (const auto& names : kNames) all.push_back(names.front());
  for (const auto& model : sharing_models()) {
    for (const auto& column : model.place_columns) all.push_back(column.name);
  }
  return all;
}

std::optional<std::size_t> place_in(const std::vector<std::string>& names,
                                    std::string_view name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) return std::nullopt;
  return static_cast<std::size_t>(at - names.begin());
}

}  // namespace

std::string_view name_of(ScheduleColumn column) { return names_of(column).front(); }

std::string schedule_columns_text() {
  std::string text;
  for (const auto name : first_names()) {
    text += fmt::format("  {}", name);
    const auto at = std::find_if(kNames.begin(), kNames.end(), [&](const auto& names) {
      return names.front() == name;
    });
    const auto others = at == kNames.end() ? std::string() : others_of(*at);
    if (!others.empty()) text += fmt::format(" ({})", others);
    text += '\n';
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
    const auto known = first_names();
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

std::optional<std::size_t> ScheduleColumns::find(
    ScheduleColumn column, const std::vector<std::string>& names) const {
  if (const auto own = given(name_of(column)); !own.empty()) {
    return place_in(names, own);
  }
  for (const auto name : names_of(column)) {
    if (name.empty()) break;
    if (const auto at = place_in(names, name)) return at;
  }
  return std::nullopt;
}

std::optional<std::size_t> ScheduleColumns::find(
    std::string_view column, const std::vector<std::string>& names) const {
  const auto own = given(column);
  return place_in(names, own.empty() ? column : own);
}

std::string ScheduleColumns::missing_text(ScheduleColumn column,
                                          const std::vector<std::string>& names) const {
  const auto name = name_of(column);
  const auto own = given(name);
  const auto named =
      names.empty() ? std::string("is empty")
                    : "names " + printable(fmt::format("{}", fmt::join(names, ", ")));
  if (!own.empty()) {
    return fmt::format("column {} ({} by --columns) is missing; the first line {}",
                       printable(own), name, named);
  }
  const auto others = others_of(names_of(column));
  return fmt::format(
      "column {}{} is missing; the first line {}{} (--columns {}=NAME says what "
      "the column is called)",
      name, others.empty() ? "" : " (or " + others + ")", named,
      look_alike(std::array{name}, names), name);
}

}  // namespace berth::study
