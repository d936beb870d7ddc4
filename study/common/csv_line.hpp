#pragma once
// One line of a CSV file, taken apart.

#include <string>
#include <string_view>
#include <vector>

namespace berth::study {

struct CsvField {
  std::string text;
  std::size_t column = 1;  // byte where it starts, from 1
};

// Fields between commas; a field in quotes may hold commas and doubled quotes.  Text
// behind a closing quote is kept as it is.
[[nodiscard]] std::vector<CsvField> split_csv(std::string_view line);

}  // namespace berth::study
