#include "study/inputs/needs_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/csv_line.hpp"
#include "study/common/file_source.hpp"

namespace berth::study {

namespace {

constexpr double kKibPerGib = 1024.0 * 1024.0;
constexpr double kLargest = 4503599627370496.0;  // 2^52: every fit is exact below

class NeedsReader {
 public:
  using Values = std::map<std::string, std::map<std::int64_t, std::vector<double>>>;

  NeedsReader(ByteSource& source, const std::string& name, const Workload& trace,
              const Resources& resources)
      : path_(name), lines_(source, name) {
    for (const auto& job : trace.jobs) sizes_.emplace(job.id, job.size);
    names_ = {"job_id", "chunks"};
    for (const auto& kind : kinds_of(1, resources)) names_.push_back(kind.name);
  }

  Values read() {
    read_header();
    while (const auto line = lines_.next()) {
      ++line_;
      if (!line->empty()) read_line(split_csv(*line));
    }
    return std::move(values_);
  }

 private:
  [[noreturn]] void fail(std::size_t column, std::string_view what) const {
    throw Error(ErrorCode::kInput, fmt::format("{}:{}:{}: {}", printable_name(path_),
                                               line_, column, what));
  }

  void read_header() {
    const auto line = lines_.next();
    line_ = 1;
    if (line) header_ = split_csv(*line);
    std::set<std::string> seen;
    for (const auto& field : header_) {
      const std::vector<std::string_view> known(names_.begin(), names_.end());
      if (std::find(known.begin(), known.end(), field.text) == known.end()) {
        fail(field.column,
             fmt::format("the machine has no kind '{}'{}", printable(field.text),
                         did_you_mean(field.text, known)));
      }
      if (!seen.insert(field.text).second) {
        fail(field.column, fmt::format("the column {} stands here twice", field.text));
      }
    }
    if (!seen.contains("job_id")) fail(1, "the first line must name job_id");
  }

  double number(const CsvField& field) const {
    double value = 0;
    const auto* end = field.text.data() + field.text.size();
    const auto [at, code] = std::from_chars(field.text.data(), end, value);
    const bool is_number = code == std::errc() && at == end && std::isfinite(value);
    if (!is_number) {
      fail(field.column, fmt::format("'{}' is not a number", printable(field.text)));
    }
    return value;
  }

  // In KiB, or as a count.
  double amount(const std::string& name, const CsvField& field) const {
    const auto value = number(field);
    const double least = name == "chunks" || name == "processors" ? 1 : 0;
    if (value < least) {
      fail(field.column, fmt::format("{} is below {}", field.text, least));
    }
    if (name == "memory") {
      if (value * kKibPerGib > kLargest) fail(field.column, "this is too much memory");
      return std::round(value * kKibPerGib);
    }
    if (value != std::floor(value)) {
      fail(field.column,
           fmt::format("{} is not whole, and {} is a count", field.text, name));
    }
    if (value > kLargest) fail(field.column, "this is more than any machine has");
    return value;
  }

  void read_line(const std::vector<CsvField>& fields) {
    if (fields.size() != header_.size()) {
      fail(1,
           fmt::format("{} fields where {} are needed", fields.size(), header_.size()));
    }
    std::int64_t id = 0;
    std::map<std::string, double> given;
    std::size_t of_chunks = 1;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto& name = header_[i].text;
      if (name == "job_id") {
        id = job_number(fields[i]);
      } else if (!fields[i].text.empty()) {
        given[name] = amount(name, fields[i]);
        if (name == "chunks" || name == "processors") of_chunks = fields[i].column;
      }
    }
    note(id, given, of_chunks);
  }

  std::int64_t job_number(const CsvField& field) {
    std::int64_t id = 0;
    const auto* end = field.text.data() + field.text.size();
    const auto [at, code] = std::from_chars(field.text.data(), end, id);
    if (code != std::errc() || at != end || field.text.empty()) {
      fail(field.column,
           fmt::format("'{}' is not a job number", printable(field.text)));
    }
    if (!sizes_.contains(id)) {
      fail(field.column, fmt::format("the workload has no job {}", id));
    }
    if (!seen_.insert(id).second) {
      fail(field.column, fmt::format("job {} stands here twice", id));
    }
    return id;
  }

  void note(std::int64_t id, std::map<std::string, double>& given, std::size_t column) {
    const double size = sizes_.at(id);
    const auto chunks = given.find("chunks");
    const auto processors = given.find("processors");
    if (processors != given.end()) {
      const double all =
          chunks == given.end() ? std::ceil(size / processors->second) : chunks->second;
      given["chunks"] = all;
      check(all * processors->second == size, id, column);
    } else if (chunks != given.end()) {
      check(std::fmod(size, chunks->second) == 0, id, column);
    }
    for (const auto& [name, value] : given) {
      if (name != "processors") values_["needs." + name][id] = {value};
    }
  }

  void check(bool right, std::int64_t id, std::size_t column) const {
    if (right) return;
    fail(column, fmt::format("job {} has {} processors, which is not chunks times "
                             "processors",
                             id, sizes_.at(id)));
  }

  const std::string& path_;
  LineReader lines_;
  std::unordered_map<std::int64_t, std::int32_t> sizes_;
  std::vector<std::string> names_;
  std::vector<CsvField> header_;
  std::set<std::int64_t> seen_;
  Values values_;
  std::int64_t line_ = 0;
};

}  // namespace

NeedsFile::NeedsFile(const std::string& path, const Workload& trace,
                     const Resources& resources) {
  FileSource file(path);
  values_ = NeedsReader(file, path, trace, resources).read();
}

NeedsFile::NeedsFile(ByteSource& source, const std::string& name, const Workload& trace,
                     const Resources& resources)
    : values_(NeedsReader(source, name, trace, resources).read()) {}

void NeedsFile::add_to(JobColumns& columns) const {
  for (const auto& [name, values] : values_) columns.add(name, values);
}

}  // namespace berth::study
