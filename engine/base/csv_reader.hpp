#pragma once
// Reads CSV files as RFC 4180 has them: the one reader for all of them.
//
// A text that csv_text() wrote is read back as it was.  A field in quotes may hold
// commas, doubled quotes and ends of line.  Lines without anything in them are passed
// over.  Text behind a closing quote, and a quote within a field that does not begin
// with one, is kept as it is.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"

namespace berth {

struct CsvField {
  std::string_view text;
  std::size_t column = 1;  // byte of its line where it starts, from 1
};

class CsvReader {
 public:
  // The next line without its end, valid until the next call; nullopt at the end.
  using NextLine = std::function<std::optional<std::string_view>()>;

  // `name` is the file as the user typed it, for messages.
  CsvReader(std::string name, NextLine next_line, char delimiter = ',')
      : name_(std::move(name)),
        next_line_(std::move(next_line)),
        delimiter_(delimiter) {}

  // The fields of the next record, valid until the next call; nullopt at the end.
  // Throws Error{kInput} "file:line:column: what" for a quote that is not closed within
  // 1 MiB.  Cost: a record without quotes is not copied.
  std::optional<std::span<const CsvField>> next();
  // The line on which that record begins, from 1.
  [[nodiscard]] std::int64_t line() const { return line_; }

 private:
  std::optional<std::string_view> next_line();
  void split(std::string_view line);
  std::string_view quoted(std::string_view& line, std::size_t& at);
  [[noreturn]] void fail_open(std::size_t column) const;

  std::string name_;
  NextLine next_line_;
  char delimiter_;
  std::int64_t read_ = 0;  // lines
  std::int64_t line_ = 1;
  std::vector<CsvField> fields_;
  std::deque<std::string> texts_;  // of fields in quotes
  std::string rest_;               // of the last line of a record over several
};

// The lines of a text, for which each call charges.  REQUIRES: text and budget outlive
// the answer.
[[nodiscard]] CsvReader::NextLine lines_of(std::string_view text, Budget& budget);

}  // namespace berth
