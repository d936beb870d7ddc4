#include "study/common/schedule_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"

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
        {"switch"},
        {"reserved"},
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

}  // namespace

std::string_view name_of(ScheduleColumn column) { return names_of(column).front(); }

std::string schedule_columns_text() {
  std::string text;
  for (const auto& names : kNames) {
    const auto others = others_of(names);
    text += fmt::format("  {}", names.front());
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
    const auto at = std::find_if(kNames.begin(), kNames.end(), [&](const auto& names) {
      return names.front() == name;
    });
    if (at == kNames.end()) {
      std::vector<std::string_view> known;
      known.reserve(kNames.size());
      for (const auto& names : kNames) known.push_back(names.front());
      throw Error(ErrorCode::kUsage,
                  fmt::format("--columns: there is no column '{}'{}", printable(name),
                              did_you_mean(name, known)));
    }
    auto& own = given_[static_cast<std::size_t>(at - kNames.begin())];
    if (!own.empty()) {
      throw Error(ErrorCode::kUsage, fmt::format("--columns: {} is there twice", name));
    }
    own = pair.substr(sign + 1);
  }
}

std::optional<std::size_t> ScheduleColumns::find(
    ScheduleColumn column, const std::vector<std::string>& names) const {
  const auto& given = given_[static_cast<std::size_t>(column)];
  const auto place = [&](std::string_view name) -> std::optional<std::size_t> {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) return std::nullopt;
    return static_cast<std::size_t>(at - names.begin());
  };
  if (!given.empty()) return place(given);
  for (const auto name : names_of(column)) {
    if (name.empty()) break;
    if (const auto at = place(name)) return at;
  }
  return std::nullopt;
}

std::string ScheduleColumns::missing_text(ScheduleColumn column,
                                          const std::vector<std::string>& names) const {
  const auto& given = given_[static_cast<std::size_t>(column)];
  const auto name = name_of(column);
  const auto named =
      names.empty() ? std::string("is empty")
                    : "names " + printable(fmt::format("{}", fmt::join(names, ", ")));
  if (!given.empty()) {
    return fmt::format("column {} ({} by --columns) is missing; the first line {}",
                       printable(given), name, named);
  }
  const auto others = others_of(names_of(column));
  return fmt::format(
      "column {}{} is missing; the first line {}{} (--columns {}=NAME says what "
      "the column is called)",
      name, others.empty() ? "" : " (or " + others + ")", named,
      look_alike(std::array{name}, names), name);
}

}  // namespace berth::study
