#include "study/inputs/job_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/embed/slots_settings.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/csv_line.hpp"

namespace berth::study {

namespace {

using Given = JobFileForm::Given;
using Lines = JobFileForm::Lines;

class JobFileReader {
 public:
  JobFileReader(ByteSource& source, const std::string& name, const JobFileForm& form)
      : name_(name), lines_(source, name), form_(form), at_(form.columns.size()) {}

  JobValues read(const SpillingView<Job>& jobs) {
    for (const auto& job : jobs) told_.emplace(job.id, Told{&job});
    read_header();
    while (const auto line = lines_.next()) {
      ++line_;
      if (!line->empty()) read_line(split_csv(*line));
    }
    for (const auto& job : jobs) check_lines(job, told_.at(job.id));
    return std::move(values_);
  }

 private:
  struct Told {
    const Job* job;
    std::int64_t first_line = 0;
    std::int64_t lines = 0;
  };

  [[noreturn]] void fail(std::int64_t line, std::size_t column,
                         std::string_view what) const {
    throw Error(ErrorCode::kInput,
                fmt::format("{}:{}:{}: {}", printable_name(name_), line, column, what));
  }

  void read_header() {
    const auto line = lines_.next();
    line_ = 1;
    const auto fields = line ? split_csv(*line) : std::vector<CsvField>{};
    width_ = fields.size();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      auto* const at = place_of(fields[i]);
      if (at == nullptr) continue;
      if (*at) {
        fail(1, fields[i].column,
             fmt::format("the column {} stands here twice", fields[i].text));
      }
      *at = i;
    }
    std::vector<std::string_view> needed;
    bool has_all = job_.has_value();
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const auto& column = form_.columns[i];
      if (at_[i] && !column.keeps.empty()) values_[column.keeps];
      if (column.given != Given::kAlways) continue;
      needed.push_back(column.name);
      has_all = has_all && at_[i];
    }
    if (!has_all) fail(1, 1, "the first line must name job_id" + listed(needed));
  }

  // ", cpu and memory"
  static std::string listed(const std::vector<std::string_view>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
      text += fmt::format("{}{}", i + 1 < names.size() ? ", " : " and ", names[i]);
    }
    return text;
  }

  // nullptr: a column that is passed over.
  std::optional<std::size_t>* place_of(const CsvField& field) {
    if (field.text == "job_id") return &job_;
    std::vector<std::string_view> known{"job_id"};
    known.reserve(at_.size() + 1);
    for (std::size_t i = 0; i < at_.size(); ++i) {
      if (form_.columns[i].name == field.text) return &at_[i];
      known.emplace_back(form_.columns[i].name);
    }
    if (form_.unknown.empty()) return nullptr;
    fail(1, field.column,
         fmt::format("{} '{}'{}", form_.unknown, printable(field.text),
                     did_you_mean(field.text, known)));
  }

  template <class T>
  T number(const CsvField& field, std::string_view what) const {
    T value{};
    const auto* end = field.text.data() + field.text.size();
    const auto [at, code] = std::from_chars(field.text.data(), end, value);
    if (code != std::errc() || at != end || field.text.empty()) {
      fail(line_, field.column, fmt::format("'{}' is {}", printable(field.text), what));
    }
    return value;
  }

  Told& job_of(const CsvField& field) {
    const auto id = number<std::int64_t>(field, "not a job number");
    const auto known = told_.find(id);
    if (known == told_.end()) {
      fail(line_, field.column, fmt::format("the workload has no job {}", id));
    }
    auto& told = known->second;
    if (told.lines > 0 && form_.lines != Lines::kNoneOrOneForEachProcess) {
      fail(line_, field.column,
           fmt::format("job {} is already on line {}", id, told.first_line));
    }
    if (told.lines++ == 0) told.first_line = line_;
    return told;
  }

  std::optional<double> cell(const JobFileForm::Column& column,
                             const CsvField& field) const {
    if (column.given == Given::kOrEmpty && field.text.empty()) return std::nullopt;
    auto value = number<double>(field, "not a number");
    const auto wrong = column.check(value, field.text);
    if (!wrong.empty()) fail(line_, field.column, wrong);
    return value;
  }

  void read_line(const std::vector<CsvField>& fields) {
    if (fields.size() != width_) {
      fail(line_, 1,
           fmt::format("{} fields where {} are needed", fields.size(), width_));
    }
    const auto& job = *job_of(fields[*job_]).job;
    numbers_.assign(at_.size(), std::nullopt);
    for (std::size_t i = 0; i < at_.size(); ++i) {
      if (at_[i]) numbers_[i] = cell(form_.columns[i], fields[*at_[i]]);
    }
    if (form_.check) {
      if (const auto wrong = form_.check(job, numbers_)) {
        fail(line_, fields[*at_[wrong->column]].column, wrong->what);
      }
    }
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const auto& keeps = form_.columns[i].keeps;
      if (numbers_[i] && !keeps.empty()) values_[keeps][job.id].push_back(*numbers_[i]);
    }
  }

  void check_lines(const Job& job, const Told& told) const {
    if (form_.lines == Lines::kOne && told.lines == 0) {
      fail(1, 1, fmt::format("there is no line for job {}", job.id));
    }
    const bool is_by_process = form_.lines == Lines::kNoneOrOneForEachProcess;
    if (is_by_process && told.lines != 0 && told.lines != job.size) {
      fail(told.first_line, 1,
           fmt::format("job {} has {} processes and {} lines here", job.id, job.size,
                       told.lines));
    }
  }

  const std::string& name_;
  LineReader lines_;
  const JobFileForm& form_;
  std::unordered_map<std::int64_t, Told> told_;
  std::int64_t line_ = 0;
  std::size_t width_ = 0;
  std::optional<std::size_t> job_;              // the field that is job_id
  std::vector<std::optional<std::size_t>> at_;  // by column, the field
  std::vector<std::optional<double>> numbers_;  // of one line, by column
  JobValues values_;
};

std::string not_a_part(double part) {
  if (part > 0 && part <= 1) return {};
  return fmt::format("{} is not above 0 and at most 1", part);
}

constexpr double kMostTaskMemory = 1000;         // of a host; more than 1 is no mistake
constexpr double kLargest = 4503599627370496.0;  // 2^52: every fit is exact below

std::string not_finite(double number, std::string_view text) {
  if (std::isfinite(number)) return {};
  return fmt::format("'{}' is not a number", printable(text));
}

std::string to_kib(double& gib, std::string_view text) {
  if (auto wrong = not_finite(gib, text); !wrong.empty()) return wrong;
  if (gib < 0) return fmt::format("{} is below 0", text);
  gib = std::round(gib * kKibPerGib);
  return gib > kLargest ? "this is too much memory" : "";
}

std::string not_a_count(const std::string& name, double least, double number,
                        std::string_view text) {
  if (auto wrong = not_finite(number, text); !wrong.empty()) return wrong;
  if (number < least) return fmt::format("{} is below {}", text, least);
  if (number != std::floor(number)) {
    return fmt::format("{} is not whole, and {} is a count", text, name);
  }
  return number > kLargest ? "this is more than any machine has" : "";
}

JobFileForm::Column count_column(const std::string& name, double least) {
  return {name, "needs." + name, Given::kOrEmpty,
          [name, least](double& number, std::string_view text) {
            return not_a_count(name, least, number, text);
          }};
}

constexpr std::size_t kChunksColumn = 0;  // columns of needs_form()
constexpr std::size_t kProcessorsColumn = 1;

// Chunks times processors are the job's size; chunks follow from processors.
std::optional<JobFileForm::Wrong> wrong_chunks(const Job& job,
                                               JobFileForm::Numbers numbers) {
  auto& chunks = numbers[kChunksColumn];
  const auto& processors = numbers[kProcessorsColumn];
  const double size = job.size;
  const auto blamed = processors ? kProcessorsColumn : kChunksColumn;
  if (!chunks && !processors) return std::nullopt;
  if (!chunks) chunks = std::ceil(size / *processors);
  const bool is_right =
      processors ? *chunks * *processors == size : std::fmod(size, *chunks) == 0;
  if (is_right) return std::nullopt;
  return JobFileForm::Wrong{
      blamed,
      fmt::format("job {} has {} processors, which is not chunks times processors",
                  job.id, job.size)};
}

}  // namespace

JobFileForm bandwidth_form() {
  const auto check = [](double& mbits, std::string_view text) -> std::string {
    if (!(mbits >= 0 && mbits <= 1e9)) {
      return fmt::format("{} is not between 0 and 1000000000 Mb/s", printable(text));
    }
    if (mbits == 0 || kbits(mbits) != 0) return {};
    return fmt::format(
        "{} Mb/s rounds to 0 kbit/s; write 0 for a job without bandwidth",
        printable(text));
  };
  return {{{"bandwidth", "bandwidth", Given::kAlways, check}}, Lines::kOne};
}

JobFileForm cpu_use_form() {
  const auto check = [](double& use, std::string_view) { return not_a_part(use); };
  return {{{"use", "cpu_use", Given::kAlways, check},
           {"declared", "cpu_declared", Given::kOrNever, check}},
          Lines::kNoneOrOneForEachProcess};
}

JobFileForm task_needs_form() {
  const auto cpu = [](double& part, std::string_view) {
    const auto wrong = not_a_part(part);
    return wrong.empty() ? wrong : "cpu: " + wrong;
  };
  const auto memory = [](double& part, std::string_view) -> std::string {
    if (part >= 0 && part <= kMostTaskMemory) return {};
    return fmt::format("memory: {} is not from 0 to {} hosts", part, kMostTaskMemory);
  };
  return {{{"cpu", "cpu_need", Given::kAlways, cpu},
           {"memory", "memory_need", Given::kAlways, memory}},
          Lines::kOne};
}

JobFileForm needs_form(const Resources& resources) {
  JobFileForm form{{count_column("chunks", 1), count_column("processors", 1)},
                   Lines::kAtMostOne,
                   "the machine has no kind",
                   wrong_chunks};
  form.columns[kProcessorsColumn].keeps.clear();
  for (const auto& kind : kinds_of(1, resources)) {
    if (kind.name == "processors") continue;
    if (kind.name == "memory") {
      form.columns.push_back({kind.name, "needs.memory", Given::kOrEmpty, to_kib});
    } else {
      form.columns.push_back(count_column(kind.name, 0));
    }
  }
  return form;
}

JobValues read_job_file(ByteSource& source, const std::string& name,
                        const SpillingView<Job>& jobs, const JobFileForm& form) {
  return JobFileReader(source, name, form).read(jobs);
}

void add(JobColumns& columns, const JobValues& values) {
  for (const auto& [name, of_jobs] : values) columns.add(name, of_jobs);
}

}  // namespace berth::study
