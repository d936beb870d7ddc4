#pragma once
// The values that a form has of jobs, in the rows of a table: read, checked and kept.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/mapped_table.hpp"
#include "engine/jobs/job_file_form.hpp"

namespace berth::study {

// What a file says.
struct JobValues {
  using OfJobs = std::map<std::int64_t, std::vector<double>>;  // by number of the job
  std::string file;                                            // for messages
  std::map<std::string, OfJobs> columns{};                  // by column of JobColumns
  std::map<std::string, std::vector<std::string>> texts{};  // of columns of texts
  // Index and number of each job that has no line, though the form wants one of each.
  std::vector<std::pair<std::uint32_t, std::int64_t>> without{};
};

class JobCells {
 public:
  // All outlive it.  REQUIRES: the fields of the form are the last of the table, from
  // `first` on.
  JobCells(const MappedTable& table, std::size_t first, const JobFileForm& form,
           JobValues& to);

  // Reads the present row; keeps what it says of the job.  Null: it is of no job that
  // is kept.
  void read(const Job* job);

 private:
  [[nodiscard]] double number_of(const std::string& column, std::string_view text);
  [[nodiscard]] std::optional<double> cell(std::size_t number);

  const MappedTable& table_;
  std::size_t first_;
  const JobFileForm& form_;
  JobValues& values_;
  // By column, the numbers that stand for its texts.
  std::map<std::string, std::map<std::string, double, std::less<>>> numbers_of_;
  std::vector<std::optional<double>> numbers_;  // of one line, by column of the form
};

// Adds those of the form.
void add_fields(std::vector<MappedTable::Field>& fields, const JobFileForm& form);

}  // namespace berth::study
