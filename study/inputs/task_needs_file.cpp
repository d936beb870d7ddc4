#include "study/inputs/task_needs_file.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/csv_line.hpp"
#include "study/common/file_source.hpp"

namespace berth::study {

namespace {

constexpr std::array<std::string_view, 3> kColumns{"job_id", "cpu", "memory"};
constexpr double kMostMemory = 1000;  // of a host; more than 1 is no mistake

class NeedsReader {
 public:
  explicit NeedsReader(const std::string& path)
      : path_(path), file_(path), lines_(file_, path) {}

  void read(const SpillingView<Job>& jobs, JobColumns& columns) {
    for (const auto& job : jobs) lines_of_.emplace(job.id, 0);
    read_header();
    while (const auto line = lines_.next()) {
      ++line_;
      if (!line->empty()) read_line(split_csv(*line));
    }
    for (const auto& job : jobs) {
      if (lines_of_.at(job.id) == 0) {
        fail(1, 1, fmt::format("there is no line for job {}", job.id));
      }
    }
    columns.add("cpu_need", cpu_);
    columns.add("memory_need", memory_);
  }

 private:
  [[noreturn]] void fail(std::int64_t line, std::size_t column,
                         std::string_view what) const {
    throw Error(ErrorCode::kInput,
                fmt::format("{}:{}:{}: {}", printable_name(path_), line, column, what));
  }

  void read_header() {
    const auto line = lines_.next();
    line_ = 1;
    const auto fields = line ? split_csv(*line) : std::vector<CsvField>{};
    width_ = fields.size();
    for (std::size_t name = 0; name < kColumns.size(); ++name) {
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (fields[i].text == kColumns[name]) at_[name] = i;
      }
      if (!at_[name]) fail(1, 1, "the first line must name job_id, cpu and memory");
    }
  }

  template <class T>
  T number(const CsvField& field) const {
    T value{};
    const auto* end = field.text.data() + field.text.size();
    const auto [at, code] = std::from_chars(field.text.data(), end, value);
    if (code != std::errc() || at != end || field.text.empty()) {
      fail(line_, field.column,
           fmt::format("'{}' is not a number", printable(field.text)));
    }
    return value;
  }

  void read_line(const std::vector<CsvField>& fields) {
    if (fields.size() != width_) {
      fail(line_, 1,
           fmt::format("{} fields where {} are needed", fields.size(), width_));
    }
    const auto& job = fields[*at_[0]];
    const auto id = number<std::int64_t>(job);
    const auto known = lines_of_.find(id);
    if (known == lines_of_.end()) {
      fail(line_, job.column, fmt::format("the workload has no job {}", id));
    }
    if (known->second != 0) {
      fail(line_, job.column,
           fmt::format("job {} is already on line {}", id, known->second));
    }
    known->second = line_;
    const auto cpu = number<double>(fields[*at_[1]]);
    if (!(cpu > 0 && cpu <= 1)) {
      fail(line_, fields[*at_[1]].column,
           fmt::format("cpu: {} is not above 0 and at most 1", cpu));
    }
    const auto memory = number<double>(fields[*at_[2]]);
    if (!(memory >= 0 && memory <= kMostMemory)) {
      fail(line_, fields[*at_[2]].column,
           fmt::format("memory: {} is not from 0 to {} hosts", memory, kMostMemory));
    }
    cpu_[id] = {cpu};
    memory_[id] = {memory};
  }

  const std::string& path_;
  FileSource file_;
  LineReader lines_;
  std::unordered_map<std::int64_t, std::int64_t> lines_of_;  // by job; 0: none yet
  std::map<std::int64_t, std::vector<double>> cpu_;
  std::map<std::int64_t, std::vector<double>> memory_;
  std::int64_t line_ = 0;
  std::size_t width_ = 0;
  std::array<std::optional<std::size_t>, 3> at_;
};

}  // namespace

void read_task_needs(const std::string& path, const SpillingView<Job>& jobs,
                     JobColumns& columns) {
  NeedsReader(path).read(jobs, columns);
}

}  // namespace berth::study
