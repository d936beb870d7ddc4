#pragma once
// The columns of a schedule in CSV, and every name by which a file may call them: one
// list for all commands that read schedules.
//
// The first name is that of berth and of Batsim.  Names from the command line
// (--columns job_id=a,starting_time=b) come first, and replace the names of that
// column.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth::study {

enum class ScheduleColumn : std::uint8_t {
  kJob,
  kStart,
  kFinish,
  kSubmit,
  kSize,
  kPlaces,
  kWalltime,
  kState,
  kSuccess,
  kUser,
  kLength,
  kSuspensions,
  kRestarts,
  kKind,  // this and what follows: of a row of stretches.csv
  kTier,
  kYield,
  kCount
};

// "starting_time".
[[nodiscard]] std::string_view name_of(ScheduleColumn column);

// A line for each column: "  job_id (job, id)", for the help.
[[nodiscard]] std::string schedule_columns_text();

class ScheduleColumns {
 public:
  ScheduleColumns() = default;
  // `given` as in --columns.  Throws Error{kUsage} for a pair that is none, an unknown
  // column, and a column that is there twice.
  explicit ScheduleColumns(std::string_view given);

  // Where the column is among the names of a first line; nullopt if it is not there.
  [[nodiscard]] std::optional<std::size_t> find(
      ScheduleColumn column, const std::vector<std::string>& names) const;
  // The same of a column by its first name, which may be one that only a machine has.
  [[nodiscard]] std::optional<std::size_t> find(
      std::string_view column, const std::vector<std::string>& names) const;
  // "column starting_time (or start, start_time) is missing; the first line names ...",
  // with the way out.
  [[nodiscard]] std::string missing_text(ScheduleColumn column,
                                         const std::vector<std::string>& names) const;

 private:
  [[nodiscard]] std::string_view given(std::string_view column) const;

  std::map<std::string, std::string, std::less<>> given_;  // by first name
};

}  // namespace berth::study
