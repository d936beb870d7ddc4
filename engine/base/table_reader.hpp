#pragma once
// Reads CSV files whose first line names their columns; one row is held at a time.
//
// Complaints   Error{kInput}, "file:line:column: what is wrong"; of a cell, the name of
//              its column stands before that: "x.csv:2:7: cpu: 'half' is not a number"
// Cost         linear; a row without quotes is not copied

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/csv_reader.hpp"
#include "engine/base/time.hpp"

namespace berth {

struct TableColumn {
  std::string_view name;
  bool is_needed = true;
  std::vector<std::string_view> others{};  // names that mean the same, the best first
};

// A place in the file.
struct TablePlace {
  std::int64_t line = 1;
  std::size_t column = 1;
};

class TableReader {
 public:
  // Reads the first line.  A column is known by its index in `columns`; columns of the
  // file that are not listed come behind these, in the order of the file.
  // `unknown`: what is said of such a column; empty: there may be some.
  // Complains of a listed column that is there twice, and of a needed one that is not
  // there.  `name` is the file as the user typed it.
  TableReader(std::string name, CsvReader::NextLine next_line,
              const std::vector<TableColumn>& columns, std::string_view unknown = {});
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  // The first line.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  // How many there are, with those that are not listed.
  [[nodiscard]] std::size_t columns() const { return fields_of_.size(); }
  [[nodiscard]] bool has(std::size_t column) const {
    return fields_of_[column] != kNoField;
  }

  // The next row that is not empty; false at the end.  Complains of a row with too few
  // or too many fields.
  bool next();
  [[nodiscard]] std::int64_t line() const { return rows_.line(); }

  // The cell of the present row; it is empty where the file has no such column.  Valid
  // until next().
  [[nodiscard]] std::string_view text(std::size_t column) const {
    const auto field = fields_of_[column];
    return field == kNoField ? std::string_view() : fields_[field].text;
  }

  // REQUIRES of all below: has(column).
  [[nodiscard]] const std::string& name(std::size_t column) const {
    return names_[fields_of_[column]];
  }
  [[nodiscard]] std::int64_t whole(std::size_t column, std::int64_t least = kLeast,
                                   std::int64_t most = kMost) const;
  [[nodiscard]] double real(std::size_t column) const;  // finite
  [[nodiscard]] Time time(std::size_t column) const;

  // Where so many bytes of the cell are passed.
  [[nodiscard]] TablePlace place(std::size_t column, std::size_t passed = 0) const {
    return {line(), fields_[fields_of_[column]].column + passed};
  }
  [[noreturn]] void wrong(std::size_t column, std::string_view what) const;
  [[noreturn]] void wrong(const TablePlace& at, std::string_view what) const;

 private:
  static constexpr auto kNoField = static_cast<std::size_t>(-1);
  static constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  static constexpr auto kMost = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] std::size_t find(const TableColumn& column) const;
  void add_others(const std::vector<TableColumn>& columns, std::string_view unknown);
  void require(const std::vector<TableColumn>& columns) const;

  std::string name_;
  CsvReader rows_;
  std::span<const CsvField> fields_;    // of the line read last
  std::vector<std::string> names_;      // of the columns, as the file has them
  std::vector<std::size_t> fields_of_;  // by column
};

}  // namespace berth
