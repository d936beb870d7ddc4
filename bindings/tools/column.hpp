#pragma once
// Columns: one value for each row, immutable, outside Lua's heap.
//
// A script reads whole numbers as integers, times as seconds (floats), numbers as
// floats, texts as strings, masks as booleans, and none as nil.  A row has a number
// from 1 on in Lua and from 0 on here.
//
// None         kNever, NaN, kNoText.  Whole numbers and masks have no none: what would
//              be none is -1 or false.
// Errors       BudgetSpent (engine/base/budget.hpp) from what takes a Budget, which is
//              charged one unit for 16 bytes that are read or written.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/time.hpp"

namespace berth::bindings {

enum class Values : std::uint8_t { kWhole, kTime, kNumber, kText, kMask };

class Column;
using ColumnPtr = std::shared_ptr<const Column>;
using Dictionary = std::shared_ptr<const std::vector<std::string>>;

// The code of a text that is none.
constexpr std::uint32_t kNoText = 0xffffffff;

class Column {
 public:
  using Storage = std::variant<std::vector<std::int64_t>, std::vector<double>,
                               std::vector<std::uint32_t>, std::vector<std::uint8_t>>;

  static ColumnPtr of_whole(std::vector<std::int64_t> values);
  static ColumnPtr of_times(std::vector<Time> ticks);        // kNever: none
  static ColumnPtr of_numbers(std::vector<double> numbers);  // NaN: none
  // REQUIRES: each code is a place in the dictionary or kNoText; no text is there
  // twice.
  static ColumnPtr of_texts(std::vector<std::uint32_t> codes, Dictionary dictionary);
  static ColumnPtr of_texts(std::vector<std::uint32_t> codes,
                            std::vector<std::string> dictionary);
  static ColumnPtr of_mask(std::vector<std::uint8_t> mask);  // 0 or 1

  // REQUIRES: the storage is that of the kind; texts have a dictionary.
  Column(Values kind, Storage storage, Dictionary dictionary = nullptr);

  [[nodiscard]] Values kind() const { return kind_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  // Of memory, with the dictionary, which columns may share.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // The bytes that one value takes.
  [[nodiscard]] std::size_t width() const;

  // REQUIRES: the kind.
  [[nodiscard]] std::span<const std::int64_t> whole() const;  // of times: ticks
  [[nodiscard]] std::span<const double> numbers() const;
  [[nodiscard]] std::span<const std::uint32_t> codes() const;
  [[nodiscard]] std::span<const std::uint8_t> mask() const;
  [[nodiscard]] const Dictionary& dictionary() const { return dictionary_; }
  [[nodiscard]] const Storage& storage() const { return storage_; }

  [[nodiscard]] bool is_there(std::size_t row) const;
  // As a script sees it: seconds of times, 0 and 1 of masks; NaN: none.
  // REQUIRES: no texts.
  [[nodiscard]] double number(std::size_t row) const;

 private:
  Values kind_;
  Storage storage_;
  Dictionary dictionary_;
  std::size_t rows_;
  std::size_t bytes_;
};

// "times", "whole numbers", "numbers", "texts", "masks": for messages.
[[nodiscard]] std::string_view plural(Values kind);

// What stands where no row is: -1 for whole numbers, false for masks, else none.
constexpr std::uint32_t kNoRow = 0xffffffff;
// The values of these rows, in this order.  REQUIRES: each is a row or kNoRow.
[[nodiscard]] ColumnPtr gather(const Column& column,
                               std::span<const std::uint32_t> rows, Budget& budget);
// The rows for which the mask holds, ascending.
[[nodiscard]] std::vector<std::uint32_t> rows_of(const Column& mask, Budget& budget);
// All rows by their values, equal ones by row; none is last.  `is_down`: largest first.
[[nodiscard]] std::vector<std::uint32_t> sorted_rows(const Column& column, bool is_down,
                                                     Budget& budget);

// By which values of one column compare: ascending, kNoKey for none.
constexpr std::uint64_t kNoKey = 0xffffffffffffffff;
[[nodiscard]] std::vector<std::uint64_t> ordered_keys(const Column& column,
                                                      Budget& budget);

// Statistics over the values that are there, in the unit that scripts see: mean and
// quantile equal those of the built-in metrics (engine/metrics/sample.hpp) over the
// same values to the last bit.  REQUIRES: no texts.
struct Total {
  Int128 whole = 0;    // of whole numbers, ticks and masks
  double number = 0;   // of numbers: compensated, in the order of the rows
  std::int64_t n = 0;  // values that are there
};
// Each over all rows, or over those of a list.
using RowList = std::optional<std::span<const std::uint32_t>>;
[[nodiscard]] Total total_of(const Column& column, Budget& budget, RowList rows = {});
// nullopt: no value is there.  Of numbers O(n log n): added up in ascending order.
[[nodiscard]] std::optional<double> mean_of(const Column& column, Budget& budget,
                                            RowList rows = {});
// REQUIRES: 0 <= q <= 1.  O(n).
[[nodiscard]] std::optional<double> quantile_of(const Column& column, double q,
                                                Budget& budget, RowList rows = {});
// A row with the largest, or the smallest, value; nullopt: no value is there.
[[nodiscard]] std::optional<std::size_t> extreme_row(const Column& column,
                                                     bool is_largest, Budget& budget);

// Calls work(first, last) for pieces of at most 4,096 rows; each is charged before it.
constexpr std::size_t kPiece = 4096;
template <class Work>
void in_pieces(std::size_t rows, std::size_t bytes_a_row, Budget& budget,
               const Work& work) {
  for (std::size_t first = 0; first < rows; first += kPiece) {
    const std::size_t last = std::min(rows, first + kPiece);
    budget.charge_each((last - first) * bytes_a_row / 16 + 1);
    work(first, last);
  }
}

}  // namespace berth::bindings
