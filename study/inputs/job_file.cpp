#include "study/inputs/job_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/amount.hpp"
#include "engine/base/csv_reader.hpp"
#include "engine/base/error.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/workload/line_reader.hpp"

namespace berth::study {

namespace {

using Given = JobFileForm::Given;
using Lines = JobFileForm::Lines;

class JobFileReader {
 public:
  JobFileReader(ByteSource& source, const std::string& name, const JobFileForm& form,
                Budget& budget)
      : budget_(budget),
        name_(name),
        lines_(source, name, budget),
        rows_(name, [this] { return lines_.next(); }),
        form_(form),
        at_(form.columns.size()) {}

  JobValues read(const Workload& workload) {
    values_.file = name_;
    // Each twice: before the lines and behind them.
    budget_.charge_each(2 * workload.jobs.size() + workload.not_jobs.size());
    for (const auto& job : workload.jobs) told_.emplace(job.id, Told{&job});
    for (const auto number : workload.not_jobs) told_.try_emplace(number);
    read_header();
    while (const auto fields = rows_.next()) {
      line_ = rows_.line();
      read_line(*fields);
    }
    std::uint32_t index = 0;
    for (const auto& job : workload.jobs) check_lines(job, index++);
    return std::move(values_);
  }

 private:
  struct Told {
    const Job* job = nullptr;  // null: the line of the trace is no job
    std::int64_t first_line = 0;
    std::int64_t lines = 0;
  };

  [[noreturn]] void fail(std::int64_t line, std::size_t column,
                         std::string_view what) const {
    throw Error(ErrorCode::kInput,
                fmt::format("{}:{}:{}: {}", printable_name(name_), line, column, what));
  }

  void read_header() {
    const auto row = rows_.next();
    line_ = rows_.line();
    const auto fields = row.value_or(std::span<const CsvField>());
    width_ = fields.size();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      auto* const at = place_of(fields[i]);
      if (at == nullptr) continue;
      if (*at) {
        fail(line_, fields[i].column,
             fmt::format("the column {} stands here twice", fields[i].text));
      }
      *at = i;
    }
    std::vector<std::string_view> needed;
    bool has_all = job_.has_value();
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const auto& column = form_.columns[i];
      if (at_[i] && !column.keeps.empty()) values_.columns[column.keeps];
      if (column.given != Given::kAlways) continue;
      needed.push_back(column.name);
      has_all = has_all && at_[i];
    }
    if (has_all) return;
    needed.insert(needed.begin(), "job_id");
    fail(line_, 1,
         "the first line must name job_id" + listed(std::span(needed).subspan(1)) +
             look_alike(needed, fields));
  }

  // ", cpu and memory"
  static std::string listed(std::span<const std::string_view> names) {
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
    fail(line_, field.column,
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

  void read_line(std::span<const CsvField> fields) {
    if (fields.size() != width_) {
      fail(line_, 1,
           fmt::format("{} fields where {} are needed", fields.size(), width_));
    }
    const auto* const job = job_of(fields[*job_]).job;
    numbers_.assign(at_.size(), std::nullopt);
    for (std::size_t i = 0; i < at_.size(); ++i) {
      if (at_[i]) numbers_[i] = cell(form_.columns[i], fields[*at_[i]]);
    }
    if (job == nullptr) return;
    if (form_.check) {
      if (const auto wrong = form_.check(*job, numbers_)) {
        fail(line_, fields[*at_[wrong->column]].column, wrong->what);
      }
    }
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const auto& keeps = form_.columns[i].keeps;
      if (!numbers_[i] || keeps.empty()) continue;
      values_.columns[keeps][job->id].push_back(*numbers_[i]);
    }
  }

  void check_lines(const Job& job, std::uint32_t index) {
    const Told& told = told_.at(job.id);
    if (form_.lines == Lines::kOne && told.lines == 0) {
      values_.without.emplace_back(index, job.id);
    }
    const bool is_by_process = form_.lines == Lines::kNoneOrOneForEachProcess;
    if (is_by_process && told.lines != 0 && told.lines != job.size) {
      fail(told.first_line, 1,
           fmt::format("job {} has {} processes and {} lines here", job.id, job.size,
                       told.lines));
    }
  }

  Budget& budget_;
  const std::string& name_;
  LineReader lines_;
  CsvReader rows_;
  const JobFileForm& form_;
  std::unordered_map<std::int64_t, Told> told_;
  std::int64_t line_ = 0;
  std::size_t width_ = 0;
  std::optional<std::size_t> job_;              // the field that is job_id
  std::vector<std::optional<std::size_t>> at_;  // by column, the field
  std::vector<std::optional<double>> numbers_;  // of one line, by column
  JobValues values_;
};

constexpr auto kLargest = static_cast<double>(kMostAmount);

std::string not_finite(double number, std::string_view text) {
  if (std::isfinite(number)) return {};
  return fmt::format("'{}' is not a number", printable(text));
}

std::string to_kib(double& gib, std::string_view text) {
  if (auto wrong = not_finite(gib, text); !wrong.empty()) return wrong;
  if (gib < 0) return fmt::format("{} is below 0", text);
  if (gib > kLargest / kKibPerGib) return "this is too much memory";
  gib = static_cast<double>(kib_of(gib));
  return {};
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
                        const Workload& workload, const JobFileForm& form,
                        Budget& budget) {
  return JobFileReader(source, name, form, budget).read(workload);
}

void add(JobColumns& columns, const JobValues& values) {
  for (const auto& [name, of_jobs] : values.columns) columns.add(name, of_jobs);
}

void check_has_lines(const JobValues& values,
                     const std::vector<std::uint32_t>& of_trace) {
  if (values.without.empty()) return;
  for (const auto index : of_trace) {
    const auto found = std::lower_bound(
        values.without.begin(), values.without.end(), index,
        [](const auto& each, std::uint32_t wanted) { return each.first < wanted; });
    if (found == values.without.end() || found->first != index) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("{}:1:1: there is no line for job {}",
                            printable_name(values.file), found->second));
  }
}

}  // namespace berth::study
