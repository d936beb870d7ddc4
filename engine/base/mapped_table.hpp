#pragma once
// Reads a CSV table whose fields are what formulas of its columns say: cpu is
// "cpu_milli / 1000".
//
// A field without a formula is the column of its own name.  A column that a formula
// names has to be there.
// Complaints   as those of TableReader, of the column behind the field; of a formula
//              "KEY.FIELD: what is wrong"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/column_formula.hpp"
#include "engine/base/table_reader.hpp"

namespace berth {

struct FieldFormulas {
  std::string_view key{};                      // of the setting that has them
  std::map<std::string, std::string> texts{};  // by field
};

class MappedTable {
 public:
  using Field = std::pair<std::string, bool>;  // name, and whether it has to be there

  // A field is known by its index in `fields`.  `unknown`: see TableReader.
  // Throws Error{kInput} for a formula of no field, and one that is none.
  MappedTable(std::string file, CsvReader::NextLine next_line,
              const std::vector<Field>& fields, const FieldFormulas& formulas = {},
              std::string_view unknown = {});

  [[nodiscard]] bool has(std::size_t field) const {
    return table_.has(columns_[field].column);
  }
  bool next() { return table_.next(); }
  // The cell of the column that the field rests on, or the first of two.
  [[nodiscard]] std::string_view text(std::size_t field) const {
    return table_.text(columns_[field].column);
  }

  // REQUIRES of all below: has(field).
  [[nodiscard]] double real(std::size_t field) const;
  [[nodiscard]] std::int64_t whole(std::size_t field, std::int64_t least,
                                   std::int64_t most) const;
  [[nodiscard]] Time time(std::size_t field) const;
  [[noreturn]] void wrong(std::size_t field, std::string_view what) const {
    table_.wrong(columns_[field].column, what);
  }
  // Without the name of the column.
  [[noreturn]] void wrong_at(std::size_t field, std::string_view what) const {
    table_.wrong(table_.place(columns_[field].column), what);
  }
  [[nodiscard]] const TableReader& table() const { return table_; }

 private:
  struct FieldColumn {
    ColumnFormula formula;
    std::size_t column = 0;  // of table_
    std::size_t second = 0;  // likewise, of the one it subtracts or multiplies by
  };

  static std::vector<FieldColumn> read(const std::vector<Field>& fields,
                                       const FieldFormulas& formulas);
  [[nodiscard]] std::vector<TableColumn> number(const std::vector<Field>& fields,
                                                const FieldFormulas& formulas);

  std::vector<FieldColumn> columns_;  // by field
  TableReader table_;
};

}  // namespace berth
