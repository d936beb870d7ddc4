#include "study/inputs/bandwidth_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/embed/slots_settings.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/csv_line.hpp"
#include "study/common/file_source.hpp"

namespace berth::study {

namespace {

class BandwidthReader {
 public:
  explicit BandwidthReader(const std::string& path)
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
    columns.add("bandwidth", values_);
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
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].text == "job_id") job_ = i;
      if (fields[i].text == "bandwidth") bandwidth_ = i;
    }
    if (!job_ || !bandwidth_) {
      fail(1, 1, "the first line must name job_id and bandwidth");
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

  double bandwidth(const CsvField& field) const {
    const auto value = number<double>(field);
    if (!(value >= 0 && value <= 1e9)) {
      fail(line_, field.column,
           fmt::format("{} is not between 0 and 1000000000 Mb/s",
                       printable(field.text)));
    }
    if (value > 0 && kbits(value) == 0) {
      fail(line_, field.column,
           fmt::format("{} Mb/s rounds to 0 kbit/s; write 0 for a job without "
                       "bandwidth",
                       printable(field.text)));
    }
    return value;
  }

  void read_line(const std::vector<CsvField>& fields) {
    if (fields.size() != width_) {
      fail(line_, 1,
           fmt::format("{} fields where {} are needed", fields.size(), width_));
    }
    const auto id = number<std::int64_t>(fields[*job_]);
    const auto known = lines_of_.find(id);
    if (known == lines_of_.end()) {
      fail(line_, fields[*job_].column, fmt::format("the workload has no job {}", id));
    }
    if (known->second != 0) {
      fail(line_, fields[*job_].column,
           fmt::format("job {} is already on line {}", id, known->second));
    }
    known->second = line_;
    values_[id] = {bandwidth(fields[*bandwidth_])};
  }

  const std::string& path_;
  FileSource file_;
  LineReader lines_;
  std::unordered_map<std::int64_t, std::int64_t> lines_of_;  // by job; 0: none yet
  std::map<std::int64_t, std::vector<double>> values_;
  std::int64_t line_ = 0;
  std::size_t width_ = 0;
  std::optional<std::size_t> job_;
  std::optional<std::size_t> bandwidth_;
};

}  // namespace

void read_bandwidths(const std::string& path, const SpillingView<Job>& jobs,
                     JobColumns& columns) {
  BandwidthReader(path).read(jobs, columns);
}

}  // namespace berth::study
