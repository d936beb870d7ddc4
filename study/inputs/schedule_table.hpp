#pragma once
// The rows of a schedule in CSV, of jobs or of stretches, and what its columns say.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/audit/schedule_check.hpp"
#include "engine/audit/stays.hpp"
#include "engine/base/budget.hpp"
#include "engine/base/places.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/workload/byte_source.hpp"
#include "study/common/schedule_columns.hpp"

namespace berth::study {

struct ScheduleLayout {
  ScheduleColumns columns{};
  // The table was made of another form, so that its columns are no places in the file,
  // and begins so many lines before it; nullopt: it is the file.
  std::optional<std::int64_t> lines_ahead{};
};

// Columns are known by ScheduleColumn, those of a machine by kCount and their index.
class ScheduleTable : public TableReader {
 public:
  // Complains if job_id, starting_time or finish_time is missing.
  // REQUIRES: `source` and the budget outlive this.
  ScheduleTable(ByteSource& source, const std::string& name, Budget& budget,
                ScheduleLayout layout = {},
                std::span<const audit::PlaceColumn> of_machine = {});

  // As of TableReader, by lines of the file.
  [[nodiscard]] std::int64_t line() const;
  using TableReader::wrong;
  [[noreturn]] void wrong(std::size_t column, std::string_view what) const;

  // Complains if that column is missing.
  void need(ScheduleColumn::Index column) const;

  [[nodiscard]] audit::Stated stated() const;  // what the final state says
  // Says what the job does in a stretch.  REQUIRES: there is the column kind.
  [[nodiscard]] audit::Doing doing() const;
  [[nodiscard]] std::optional<Tier> tier() const;  // nullopt: none is named
  // Appends what read_places() reads (engine/base/places.hpp).
  void read_places(PlaceForm form, std::optional<std::int32_t> below,
                   std::vector<Interval>& to) const;

 private:
  ScheduleLayout layout_;
};

}  // namespace berth::study
