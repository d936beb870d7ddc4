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
#include <utility>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/workload/byte_source.hpp"
#include "engine/workload/workload.hpp"

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

// bandwidth, in Mb/s of each VM, 0 to 10^9; below 1 kbit/s must be 0.
[[nodiscard]] JobFileForm bandwidth_form();
// use, and declared if known: in (0, 1], a line for each process.
[[nodiscard]] JobFileForm cpu_use_form();
// cpu and memory of a task, in parts of a host.
[[nodiscard]] JobFileForm task_needs_form();
// chunks, processors (of a chunk) and the kinds of the machine, memory in GiB of a
// chunk and kept in KiB (docs/model.md#needs).
[[nodiscard]] JobFileForm needs_form(const Resources& resources);

// What a file says.
struct JobValues {
  using OfJobs = std::map<std::int64_t, std::vector<double>>;  // by number of the job
  std::string file;                                            // for messages
  std::map<std::string, OfJobs> columns;  // by column of JobColumns
  // Index and number of each job that has no line, though the form wants one of each.
  std::vector<std::pair<std::uint32_t, std::int64_t>> without;
};

// Reads the values of the jobs of a workload as it was read or made, before anything is
// left out, repeated or numbered anew.  A line may also be of a job that the reader of
// the trace left out (Workload::not_jobs); it is passed over.
// Throws Error{kInput} "file:line:column: what" for what the form has not, a job that
// the workload has not, and more lines of a job than the form says, or fewer but none.
[[nodiscard]] JobValues read_job_file(ByteSource& source, const std::string& name,
                                      const Workload& workload, const JobFileForm& form,
                                      Budget& budget);

// Joins the values with the columns, whose jobs are those of that workload.
void add(JobColumns& columns, const JobValues& values);

// Throws Error{kInput} at file:1:1 for the first job that is left without the line that
// it must have.  REQUIRES: `of_trace` is that of the jobs to run.
void check_has_lines(const JobValues& values,
                     const SpillingArray<std::uint32_t>& of_trace);

}  // namespace berth::study
