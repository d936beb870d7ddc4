#pragma once
// Numbers of jobs from a CSV file beside the workload: what they need, use or ask for.
//
// Format       The first line names job_id and columns of the form, in any order; each
//              other line is of one job.  Empty lines are passed over.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/spilling_view.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/workload/byte_source.hpp"

namespace berth::study {

// What a file may say.
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

// bandwidth, in Mb/s of each VM, 0 to 10^9; below 1/2 kbit/s must be 0.
[[nodiscard]] JobFileForm bandwidth_form();
// use, and declared if known: in (0, 1], a line for each process.
[[nodiscard]] JobFileForm cpu_use_form();
// cpu and memory of a task, in parts of a host.
[[nodiscard]] JobFileForm task_needs_form();
// chunks, processors (of a chunk) and the kinds of the machine, memory in GiB of a
// chunk and kept in KiB (docs/model.md#needs).
[[nodiscard]] JobFileForm needs_form(const Resources& resources);

// By column of JobColumns, and number of the job.
using JobValues = std::map<std::string, std::map<std::int64_t, std::vector<double>>>;

// Throws Error{kInput} "file:line:column: what" for what the form has not, a job that
// is not among `jobs`, and more or fewer lines of a job than the form says; a job
// without its line is told at file:1:1.
[[nodiscard]] JobValues read_job_file(ByteSource& source, const std::string& name,
                                      const SpillingView<Job>& jobs,
                                      const JobFileForm& form);

void add(JobColumns& columns, const JobValues& values);

}  // namespace berth::study
