#include "study/inputs/cpu_use_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/csv_line.hpp"
#include "study/common/file_source.hpp"

namespace berth::study {

namespace {

class CpuUseReader {
 public:
  CpuUseReader(ByteSource& source, const std::string& name,
               const SpillingView<Job>& jobs)
      : path_(name), lines_(source, name) {
    for (const auto& job : jobs) sizes_.emplace(job.id, job.size);
  }

  void read(JobColumns& columns) {
    read_header();
    while (const auto line = lines_.next()) {
      ++line_;
      if (!line->empty()) read_line(split_csv(*line));
    }
    for (const auto& [id, uses] : uses_) check_count(id, uses.size());
    columns.add("cpu_use", uses_);
    if (declared_) columns.add("cpu_declared", declared_uses_);
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
      if (fields[i].text == "use") use_ = i;
      if (fields[i].text == "declared") declared_ = i;
    }
    if (!job_ || !use_) fail(1, 1, "the first line must name job_id and use");
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

  double use(const CsvField& field) const {
    const auto value = number<double>(field);
    if (value > 0 && value <= 1) return value;
    fail(line_, field.column, fmt::format("{} is not above 0 and at most 1", value));
  }

  void read_line(const std::vector<CsvField>& fields) {
    if (fields.size() != width_) {
      fail(line_, 1,
           fmt::format("{} fields where {} are needed", fields.size(), width_));
    }
    const auto id = number<std::int64_t>(fields[*job_]);
    if (!sizes_.contains(id)) {
      fail(line_, fields[*job_].column, fmt::format("the workload has no job {}", id));
    }
    first_lines_.try_emplace(id, line_);
    uses_[id].push_back(use(fields[*use_]));
    if (declared_) declared_uses_[id].push_back(use(fields[*declared_]));
  }

  void check_count(std::int64_t id, std::size_t lines) const {
    const auto size = sizes_.at(id);
    if (std::cmp_equal(lines, size)) return;
    fail(first_lines_.at(id), 1,
         fmt::format("job {} has {} processes and {} lines here", id, size, lines));
  }

  const std::string& path_;
  LineReader lines_;
  std::unordered_map<std::int64_t, std::int32_t> sizes_;
  std::unordered_map<std::int64_t, std::int64_t> first_lines_;
  std::map<std::int64_t, std::vector<double>> uses_;  // by job number and process
  std::map<std::int64_t, std::vector<double>> declared_uses_;
  std::int64_t line_ = 0;
  std::size_t width_ = 0;
  std::optional<std::size_t> job_;
  std::optional<std::size_t> use_;
  std::optional<std::size_t> declared_;
};

}  // namespace

void read_cpu_use(const std::string& path, const SpillingView<Job>& jobs,
                  JobColumns& columns) {
  FileSource file(path);
  read_cpu_use(file, path, jobs, columns);
}

void read_cpu_use(ByteSource& source, const std::string& name,
                  const SpillingView<Job>& jobs, JobColumns& columns) {
  CpuUseReader(source, name, jobs).read(columns);
}

}  // namespace berth::study
