#pragma once
// The columns of a schedule in CSV, and every name by which a file may call them: one
// list for all commands that read schedules.
//
// The first name is that of berth and of Batsim.  Names from the command line
// (--columns job_id=a,starting_time=b) come first, and replace the names of that
// column.

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/audit/stays.hpp"
#include "engine/base/table_reader.hpp"

namespace berth::study {

struct ScheduleColumn {
  enum Index : std::size_t {
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
    kAttempts,
    kLost,
    kKind,  // this and what follows: of a row of stretches.csv
    kTier,
    kYield,
    kCount
  };
};

// A line for each column: "  job_id (job, id)", for the help.
[[nodiscard]] std::string schedule_columns_text();

class ScheduleColumns {
 public:
  ScheduleColumns() = default;
  // `given` as in --columns.  Throws Error{kUsage} for a pair that is none, an unknown
  // column, and a column that is there twice.
  explicit ScheduleColumns(std::string_view given);

  // The columns for a reader, none of them needed: by ScheduleColumn, behind them those
  // that only a machine has.  REQUIRES: this and `of_machine` outlive the reading of
  // the first line.
  [[nodiscard]] std::vector<TableColumn> listed(
      std::span<const audit::PlaceColumn> of_machine) const;
  // "column starting_time (or start, start_time) is missing; the first line names ...",
  // with the way out.
  [[nodiscard]] std::string missing_text(ScheduleColumn::Index column,
                                         const std::vector<std::string>& names) const;

 private:
  [[nodiscard]] std::string_view given(std::string_view column) const;

  std::map<std::string, std::string, std::less<>> given_;  // by first name
};

}  // namespace berth::study
