#pragma once
// What a CSV file may say of the jobs of a workload: its columns, and what is wrong
// with a number or a line.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/jobs/job.hpp"

namespace berth {

struct JobFileForm {
  enum class Given : std::uint8_t {
    kAlways,   // the file has the column
    kOrNever,  // it may have it, and then a number in every line
    kOrEmpty   // the same, with cells that are empty
  };
  struct Column {
    std::string name;
    std::string keeps;  // the column of JobColumns that the numbers go to; empty: none
    Given given;
    // What is wrong with the number, empty: nothing; may turn it into another unit.
    // `text`: as it stands in the file.
    std::function<std::string(double& number, std::string_view text)> check;
    bool is_text = false;  // its cells are texts, which numbers stand for
  };
  enum class Lines : std::uint8_t { kOne, kAtMostOne, kNoneOrOneForEachProcess };
  struct Wrong {
    std::size_t column;  // of `columns`
    std::string what;
  };
  using Numbers = std::span<std::optional<double>>;  // of a line, by column

  std::vector<Column> columns;
  Lines lines;            // of a job
  std::string unknown{};  // said of a column that is not here; empty: it may stand
  // What is wrong with a line as a whole; may add numbers.  Null: nothing ever is.
  std::function<std::optional<Wrong>(const Job& job, Numbers numbers)> check{};
};

// A file that a scenario may name.
struct JobFile {
  std::string_view key;  // "workload.needs"
  JobFileForm form;
};

// "2 is not above 0 and at most 1"; empty: it is.
[[nodiscard]] std::string not_a_part(double part);

}  // namespace berth
