#pragma once
// The rows of a CSV file with a first line that names its columns.  Every complaint is
// Error{kInput}, "file:line:column: column: what is wrong".
//
// Units        those of the lines (line_reader.hpp)

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/csv_reader.hpp"
#include "engine/base/places.hpp"
#include "engine/base/time.hpp"
#include "engine/workload/byte_source.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/schedule_columns.hpp"

namespace berth::report {

class CsvRows {
 public:
  static constexpr auto kNone = static_cast<std::size_t>(-1);  // no such column

  // Reads the first line.  `name` is the file as the user typed it.
  // REQUIRES: `source` and the budget outlive this.
  CsvRows(ByteSource& source, const std::string& name, Budget& budget);
  CsvRows(const CsvRows&) = delete;
  CsvRows& operator=(const CsvRows&) = delete;

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::size_t find(std::string_view name) const;  // kNone: not there
  // Complains if one of `needed` is missing.
  void need(const std::vector<std::string_view>& needed) const;
  // The same for a column of a schedule: kNone if it is not there.
  [[nodiscard]] std::size_t find(const study::ScheduleColumns& columns,
                                 study::ScheduleColumn column) const;
  void need(const study::ScheduleColumns& columns, study::ScheduleColumn column) const;

  // The next row that is not empty; false at the end.  Complains of a row with too few
  // or too many fields.
  bool next();
  [[nodiscard]] std::int64_t line() const { return rows_.line(); }

  // Of the present row; empty for kNone.  Valid until next().
  [[nodiscard]] std::string_view text(std::size_t column) const {
    return column == kNone ? std::string_view() : fields_[column].text;
  }
  // REQUIRES of all below: not kNone.
  [[nodiscard]] std::int64_t whole(std::size_t column, std::int64_t least,
                                   std::int64_t most) const;
  [[nodiscard]] Time time(std::size_t column) const;
  // Appends what read_places() reads (engine/base/places.hpp), each part once.
  void places(std::size_t column, PlaceForm form, std::optional<std::int32_t> below,
              std::vector<Interval>& to) const;
  [[noreturn]] void complain(std::size_t column, std::string_view what) const;

 private:
  [[noreturn]] void fail(std::size_t column, const std::string& what) const;

  LineReader lines_;
  CsvReader rows_;
  std::string name_;
  std::vector<std::string> names_;
  std::span<const CsvField> fields_;  // of the row read last
};

}  // namespace berth::report
